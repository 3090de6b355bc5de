#include "shared/formats/proving_key_file.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "shared/formats/byte_reader.hpp"
#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/point_codec.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/formats/section_file.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kCircuitHashBytes = 64;

enum SectionId : std::uint32_t {
  kProtocol = 1,
  kHeader = 2,
  kIc = 3,
  kCoefficients = 4,
  kPointsA = 5,
  kPointsB1 = 6,
  kPointsB2 = 7,
  kPointsC = 8,
  kPointsH = 9,
  kContributions = 10,
};

/// The bytes of one section of the image.
Result<std::span<const std::byte>> section_bytes(const FileImage& image, const SectionFile& file,
                                                 std::uint32_t id) {
  BATON_ASSIGN_OR_RETURN(const Section section, file.find(id));
  return image.bytes().subspan(section.offset, section.length);
}

Status check_protocol(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto protocol = reader.take<std::uint32_t>();
  if (reader.failed() || reader.left() != 0) {
    return invalid_input(concat("length ", bytes.size(), ", expected 4"));
  }
  switch (protocol) {
    case 1:
      return {};
    case 2:
      return invalid_input("a PLONK key, expected Groth16");
    case 10:
      return invalid_input("an FFLONK key, expected Groth16");
    default:
      return invalid_input(concat("unknown protocol ", protocol, ", expected 1 (Groth16)"));
  }
}

/// The points need 2^k H points, and a root of unity of twice the domain's order.
Status check_counts(const ProvingKeyHeader& header) {
  if (header.n_vars == 0 || header.n_public >= header.n_vars) {
    return invalid_input(concat("nPublic ", header.n_public, " is not below nVars ", header.n_vars));
  }
  if (header.domain_size < 2 || !std::has_single_bit(header.domain_size)) {
    return invalid_input(concat("domain size ", header.domain_size, " is not a power of two from 2 up"));
  }
  const auto power = static_cast<unsigned>(std::countr_zero(header.domain_size));
  if (const unsigned most = scalar_two_adicity(header.curve) - 1; power > most) {
    return invalid_input(concat("domain size ", header.domain_size, " is beyond 2^", most,
                                ", the largest for ", curve_name(header.curve)));
  }
  return {};
}

template <std::size_t N>
void copy_point(std::span<const std::byte> from, std::array<std::byte, N>& to) {
  std::copy(from.begin(), from.end(), to.begin());
}

Result<ProvingKeyHeader> read_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  ProvingKeyHeader header;
  BATON_ASSIGN_OR_RETURN(header.curve, take_base_field(reader));
  BATON_ASSIGN_OR_RETURN(const CurveId scalar_curve, take_scalar_field(reader));
  if (scalar_curve != header.curve) {
    return invalid_input(concat("prime q is that of ", curve_name(header.curve), ", prime r that of ",
                                curve_name(scalar_curve)));
  }
  header.n_vars = reader.take<std::uint32_t>();
  header.n_public = reader.take<std::uint32_t>();
  header.domain_size = reader.take<std::uint32_t>();
  const std::size_t g1 = g1_bytes(header.curve);
  const std::size_t g2 = g2_bytes(header.curve);
  if (reader.failed() || reader.left() != 3 * g1 + 3 * g2) {
    return invalid_input(
        concat("length ", bytes.size(), ", expected ", header.curve == CurveId::kBn254 ? 660 : 964));
  }
  copy_point(reader.take_bytes(g1), header.alpha1);
  copy_point(reader.take_bytes(g1), header.beta1);
  copy_point(reader.take_bytes(g2), header.beta2);
  copy_point(reader.take_bytes(g2), header.gamma2);
  copy_point(reader.take_bytes(g1), header.delta1);
  copy_point(reader.take_bytes(g2), header.delta2);
  BATON_RETURN_IF_ERROR(check_counts(header));
  return header;
}

template <class Curve, class Affine, std::size_t N>
Status check_header_point(std::string_view name, const std::array<std::byte, N>& bytes) {
  auto point = load_point<Curve, Affine>(bytes);
  if (!point) {
    return std::move(point).status().with_context(name);
  }
  if (point->is_infinity()) {
    return invalid_input(concat(name, ": the point at infinity"));
  }
  return {};
}

template <class Curve>
Status check_header_points(const ProvingKeyHeader& header) {
  using G1 = typename Curve::G1Affine;
  using G2 = typename Curve::G2Affine;
  BATON_RETURN_IF_ERROR((check_header_point<Curve, G1>("alpha1", header.alpha1)));
  BATON_RETURN_IF_ERROR((check_header_point<Curve, G1>("beta1", header.beta1)));
  BATON_RETURN_IF_ERROR((check_header_point<Curve, G2>("beta2", header.beta2)));
  BATON_RETURN_IF_ERROR((check_header_point<Curve, G2>("gamma2", header.gamma2)));
  BATON_RETURN_IF_ERROR((check_header_point<Curve, G1>("delta1", header.delta1)));
  return check_header_point<Curve, G2>("delta2", header.delta2);
}

template <class Curve>
Status check_ic(std::span<const std::byte> ic) {
  using G1 = typename Curve::G1Affine;
  constexpr std::size_t kBytes = g1_bytes(Curve::kId);
  for (std::size_t i = 0; i < ic.size() / kBytes; ++i) {
    if (auto point = load_point<Curve, G1>(ic.subspan(i * kBytes, kBytes)); !point) {
      return std::move(point).status().with_context(concat("point ", i));
    }
  }
  return {};
}

/// The points of one section, whose number the header tells.
Result<std::span<const std::byte>> read_points(const FileImage& image, const SectionFile& file,
                                               std::uint32_t id, std::uint64_t count,
                                               std::size_t point_bytes) {
  BATON_ASSIGN_OR_RETURN(const auto bytes, section_bytes(image, file, id));
  if (bytes.size() != count * point_bytes) {
    return invalid_input(concat(image.name(), ": section ", id, ": ", bytes.size(), " bytes (",
                                bytes.size() / point_bytes, " points), expected ", count * point_bytes, " (",
                                count, " points)"));
  }
  return bytes;
}

Result<CoefficientSection> read_coefficients(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto count = reader.take<std::uint32_t>();
  const std::uint64_t expected = std::uint64_t{count} * CoefficientSection::kRecordBytes;
  if (reader.failed() || reader.left() != expected) {
    return invalid_input(concat("length ", bytes.size(), ", expected ", sizeof count + expected, " for ",
                                count, " coefficients"));
  }
  return CoefficientSection(bytes.subspan(sizeof count));
}

Result<std::uint32_t> read_contributions(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  static_cast<void>(reader.take_bytes(kCircuitHashBytes));
  const auto count = reader.take<std::uint32_t>();
  if (reader.failed()) {
    return invalid_input(concat("length ", bytes.size(), ", expected at least 68"));
  }
  return count;
}

template <class Curve>
VerificationKey<Curve> copy_verification_key(const ProvingKeyHeader& header, std::span<const std::byte> ic) {
  using G1 = typename Curve::G1Affine;
  using G2 = typename Curve::G2Affine;
  VerificationKey<Curve> key;
  key.alpha1 = load_point<Curve, G1>(header.alpha1).value();
  key.beta2 = load_point<Curve, G2>(header.beta2).value();
  key.gamma2 = load_point<Curve, G2>(header.gamma2).value();
  key.delta2 = load_point<Curve, G2>(header.delta2).value();
  constexpr std::size_t kBytes = g1_bytes(Curve::kId);
  key.ic.reserve(ic.size() / kBytes);
  for (std::size_t i = 0; i < ic.size(); i += kBytes) {
    key.ic.push_back(load_point<Curve, G1>(ic.subspan(i, kBytes)).value());
  }
  return key;
}

}  // namespace

Result<ProvingKeyFile> ProvingKeyFile::open(const std::string& path, FileAccess access) {
  BATON_ASSIGN_OR_RETURN(FileImage image, FileImage::open(path, access));
  return from_image(std::move(image));
}

Result<ProvingKeyFile> ProvingKeyFile::from_image(FileImage image) {
  ProvingKeyFile file(std::move(image));
  const MemorySource source(file.name(), file.image_.bytes());
  BATON_ASSIGN_OR_RETURN(const SectionFile sections, SectionFile::scan(source, "zkey", kVersion));
  BATON_RETURN_IF_ERROR(file.read_header_section(sections));
  BATON_RETURN_IF_ERROR(file.read_point_sections(sections));
  BATON_RETURN_IF_ERROR(file.read_other_sections(sections));
  BATON_RETURN_IF_ERROR(file.check_points());
  return file;
}

Status ProvingKeyFile::read_header_section(const SectionFile& sections) {
  BATON_ASSIGN_OR_RETURN(const auto protocol, section_bytes(image_, sections, kProtocol));
  BATON_RETURN_IF_ERROR(check_protocol(protocol).with_context(name() + ": section 1"));
  BATON_ASSIGN_OR_RETURN(const auto bytes, section_bytes(image_, sections, kHeader));
  auto header = read_header(bytes);
  if (!header) {
    return std::move(header).status().with_context(name() + ": section 2");
  }
  header_ = *header;
  return {};
}

Status ProvingKeyFile::read_point_sections(const SectionFile& sections) {
  const std::size_t g1 = g1_bytes(header_.curve);
  const std::size_t g2 = g2_bytes(header_.curve);
  const std::uint64_t n_vars = header_.n_vars;
  const std::uint64_t n_public = header_.n_public;
  view_.curve = header_.curve;
  view_.n_vars = header_.n_vars;
  view_.n_public = header_.n_public;
  view_.domain_size = header_.domain_size;
  BATON_ASSIGN_OR_RETURN(ic_, read_points(image_, sections, kIc, n_public + 1, g1));
  BATON_ASSIGN_OR_RETURN(view_.a, read_points(image_, sections, kPointsA, n_vars, g1));
  BATON_ASSIGN_OR_RETURN(view_.b1, read_points(image_, sections, kPointsB1, n_vars, g1));
  BATON_ASSIGN_OR_RETURN(view_.b2, read_points(image_, sections, kPointsB2, n_vars, g2));
  BATON_ASSIGN_OR_RETURN(view_.c, read_points(image_, sections, kPointsC, n_vars - n_public - 1, g1));
  BATON_ASSIGN_OR_RETURN(view_.h, read_points(image_, sections, kPointsH, header_.domain_size, g1));
  return {};
}

Status ProvingKeyFile::read_other_sections(const SectionFile& sections) {
  BATON_ASSIGN_OR_RETURN(const auto records, section_bytes(image_, sections, kCoefficients));
  auto coefficients = read_coefficients(records);
  if (!coefficients) {
    return std::move(coefficients).status().with_context(name() + ": section 4");
  }
  coefficients_ = *coefficients;
  if (sections.has(kContributions)) {
    BATON_ASSIGN_OR_RETURN(const auto bytes, section_bytes(image_, sections, kContributions));
    auto contributions = read_contributions(bytes);
    if (!contributions) {
      return std::move(contributions).status().with_context(name() + ": section 10");
    }
    contributions_ = *contributions;
  }
  forgeable_ = contributions_ == 0U || header_.delta2 == header_.gamma2;
  return {};
}

Status ProvingKeyFile::check_points() const {
  return with_curve(header_.curve, [this]<class Curve>(std::type_identity<Curve>) -> Status {
    BATON_RETURN_IF_ERROR(check_header_points<Curve>(header_).with_context(name() + ": section 2"));
    return check_ic<Curve>(ic_).with_context(name() + ": section 3");
  });
}

AnyVerificationKey ProvingKeyFile::verification_key() const {
  return with_curve(header_.curve, [this]<class Curve>(std::type_identity<Curve>) -> AnyVerificationKey {
    return copy_verification_key<Curve>(header_, ic_);
  });
}

}  // namespace baton
