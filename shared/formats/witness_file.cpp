#include "shared/formats/witness_file.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <array>
#include <utility>

#include "shared/formats/byte_reader.hpp"
#include "shared/formats/first_failure.hpp"
#include "shared/formats/section_file.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint32_t kVersion = 2;  // the only one that circom has ever written
constexpr std::uint32_t kHeaderSection = 1;
constexpr std::uint32_t kValueSection = 2;
constexpr std::size_t kHeaderBytes = 4 + kScalarBytes + 4;
constexpr std::size_t kGrain = 4096;  // values

struct Header {
  CurveId curve{};
  std::uint32_t count = 0;
};

Result<Header> read_header(const ByteSource& source, const Section& section) {
  if (section.length < 8 || section.length > 2 * kHeaderBytes) {
    return invalid_input(concat("length ", section.length, ", expected ", kHeaderBytes));
  }
  std::array<std::byte, 2 * kHeaderBytes> buffer{};
  const auto bytes = std::span(buffer).first(section.length);
  BATON_RETURN_IF_ERROR(source.read(section.offset, bytes));
  ByteReader reader(bytes);
  Header header;
  BATON_ASSIGN_OR_RETURN(header.curve, take_scalar_field(reader));
  header.count = reader.take<std::uint32_t>();
  if (reader.failed() || reader.left() != 0) {
    return invalid_input(concat("length ", section.length, ", expected ", kHeaderBytes));
  }
  if (header.count == 0) {
    return invalid_input("no values, expected at least the constant one");
  }
  return header;
}

/// Index of the first value that is not below r, or FirstFailure::kNone.
std::size_t first_out_of_range(std::span<const std::byte> values, CurveId curve) {
  const BigInt<4> modulus = scalar_modulus(curve);
  FirstFailure failure;
  const oneapi::tbb::blocked_range<std::size_t> all(0, values.size() / kScalarBytes, kGrain);
  oneapi::tbb::parallel_for(all, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      if (!(load_integer<4>(values.data() + i * kScalarBytes) < modulus)) {
        failure.report(i);
        return;
      }
    }
  });
  return failure.index();
}

}  // namespace

WitnessFile::WitnessFile(std::unique_ptr<ByteSource> source, CurveId curve, std::uint32_t count,
                         std::uint64_t values_offset) noexcept
    : source_(std::move(source)), curve_(curve), count_(count), values_offset_(values_offset) {}

Result<WitnessFile> WitnessFile::open(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(auto source, FileSource::open(path));
  return from_source(std::move(source));
}

Result<WitnessFile> WitnessFile::from_source(std::unique_ptr<ByteSource> source) {
  const std::string& name = source->name();
  BATON_ASSIGN_OR_RETURN(const SectionFile file, SectionFile::scan(*source, "wtns", kVersion));
  BATON_ASSIGN_OR_RETURN(const Section header_section, file.find(kHeaderSection));
  BATON_ASSIGN_OR_RETURN(const Section value_section, file.find(kValueSection));
  auto header = read_header(*source, header_section);
  if (!header) {
    return std::move(header).status().with_context(name + ": section 1");
  }
  const std::uint64_t expected = std::uint64_t{header->count} * kScalarBytes;
  if (value_section.length != expected) {
    return invalid_input(concat(name, ": section 2: length ", value_section.length, ", expected ", expected,
                                " for the ", header->count, " values of the header"));
  }
  return WitnessFile(std::move(source), header->curve, header->count, value_section.offset);
}

Status WitnessFile::check_fits(CurveId curve, std::uint32_t n_vars) const {
  if (curve != curve_) {
    return invalid_input(concat(source_->name(), ": a witness for ", curve_name(curve_), ", the key is for ",
                                curve_name(curve)));
  }
  if (n_vars != count_) {
    return invalid_input(concat(source_->name(), ": ", count_, " values, the key wants ", n_vars));
  }
  return {};
}

Status WitnessFile::read_values(std::span<std::byte> out) const {
  if (out.size() != std::size_t{count_} * kScalarBytes) {
    return internal_error(concat(source_->name(), ": room for ", out.size(), " bytes, expected ",
                                 std::size_t{count_} * kScalarBytes));
  }
  BATON_RETURN_IF_ERROR(read_parallel(*source_, values_offset_, out));
  if (!(load_integer<4>(out.data()) == BigInt<4>::from_u64(1))) {
    return invalid_input(concat(source_->name(), ": section 2: value 0 is not 1"));
  }
  if (const std::size_t index = first_out_of_range(out, curve_); index != FirstFailure::kNone) {
    return invalid_input(concat(source_->name(), ": section 2: value ", index, " is not below the prime of ",
                                curve_name(curve_)));
  }
  return {};
}

}  // namespace baton
