#include "shared/formats/r1cs_file.hpp"

#include <algorithm>

#include "shared/formats/byte_reader.hpp"
#include "shared/formats/section_file.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kHeaderSection = 1;
constexpr std::uint32_t kConstraintSection = 2;
constexpr std::uint32_t kGateListSection = 4;
constexpr std::uint32_t kGateUseSection = 5;
constexpr std::size_t kLongestShownName = 64;
constexpr std::uint64_t kSmallestConstraint = 12;  // three empty combinations

std::span<const std::byte> bytes_of(const FileImage& image, const Section& section) {
  return image.bytes().subspan(section.offset, section.length);
}

/// Sections 4 (gates declared) and 5 (gates used) may be there as long as both are empty lists.
Status refuse_custom_gates(const FileImage& image, const SectionFile& file) {
  for (const std::uint32_t id : {kGateListSection, kGateUseSection}) {
    if (!file.has(id)) {
      continue;
    }
    BATON_ASSIGN_OR_RETURN(const Section section, file.find(id));
    ByteReader reader(bytes_of(image, section));
    const auto count = reader.take<std::uint32_t>();
    if (reader.failed()) {
      return invalid_input(concat("section ", id, ": no count of custom gates"));
    }
    if (count == 0) {
      continue;
    }
    std::string name;
    if (id == kGateListSection) {
      for (const std::byte byte : reader.take_bytes(std::min(reader.left(), kLongestShownName))) {
        const char c = static_cast<char>(byte);
        if (c < ' ' || c > '~') {
          break;
        }
        name.push_back(c);
      }
    }
    return invalid_input(concat("section ", id, ": ", count, " custom gates", name.empty() ? "" : " (first: ",
                                name, name.empty() ? "" : ")", ", which Groth16 does not enforce"));
  }
  return {};
}

Result<R1csHeader> read_header(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  R1csHeader header;
  BATON_ASSIGN_OR_RETURN(header.curve, take_scalar_field(reader));
  header.n_wires = reader.take<std::uint32_t>();
  header.n_public_outputs = reader.take<std::uint32_t>();
  header.n_public_inputs = reader.take<std::uint32_t>();
  header.n_private_inputs = reader.take<std::uint32_t>();
  header.n_labels = reader.take<std::uint64_t>();
  header.n_constraints = reader.take<std::uint32_t>();
  if (reader.failed() || reader.left() != 0) {
    return invalid_input(concat("length ", bytes.size(), ", expected 64"));
  }
  const std::uint64_t with_public = std::uint64_t{1} + header.n_public_outputs + header.n_public_inputs;
  if (with_public > header.n_wires) {
    return invalid_input(concat("1 + ", header.n_public_outputs, " public outputs + ", header.n_public_inputs,
                                " public inputs exceed the ", header.n_wires, " wires"));
  }
  return header;
}

}  // namespace

Result<R1csFile> R1csFile::open(const std::string& path, FileAccess access) {
  BATON_ASSIGN_OR_RETURN(FileImage image, FileImage::open(path, access));
  return from_image(std::move(image));
}

Result<R1csFile> R1csFile::from_image(FileImage image) {
  R1csFile file(std::move(image));
  BATON_RETURN_IF_ERROR(file.read());
  return file;
}

Status R1csFile::read() {
  const MemorySource source(name(), image_.bytes());
  BATON_ASSIGN_OR_RETURN(const SectionFile file, SectionFile::scan(source, "r1cs", kVersion));
  BATON_ASSIGN_OR_RETURN(const Section header_section, file.find(kHeaderSection));
  BATON_ASSIGN_OR_RETURN(const Section constraint_section, file.find(kConstraintSection));
  auto header = read_header(bytes_of(image_, header_section));
  if (!header) {
    return std::move(header).status().with_context(name() + ": section 1");
  }
  header_ = *header;
  BATON_RETURN_IF_ERROR(refuse_custom_gates(image_, file).with_context(name()));
  constraints_ = bytes_of(image_, constraint_section);
  if (std::uint64_t{header_.n_constraints} * kSmallestConstraint > constraints_.size()) {
    return invalid_input(concat(name(), ": section 2: ", header_.n_constraints,
                                " constraints do not fit its ", constraints_.size(), " bytes"));
  }
  return {};
}

Result<bool> R1csFile::Cursor::next(Constraint& constraint) {
  if (index_ == file_->header_.n_constraints) {
    if (!left_.empty()) {
      return invalid_input(concat(file_->name(), ": section 2: ", left_.size(), " bytes left after the ",
                                  index_, " constraints of the header"));
    }
    return false;
  }
  BATON_RETURN_IF_ERROR(take("A", constraint.a));
  BATON_RETURN_IF_ERROR(take("B", constraint.b));
  BATON_RETURN_IF_ERROR(take("C", constraint.c));
  ++index_;
  return true;
}

Status R1csFile::Cursor::take(const char* side, LinearCombination& combination) {
  ByteReader reader(left_);
  const auto count = reader.take<std::uint32_t>();
  const std::uint64_t bytes = std::uint64_t{count} * LinearCombination::kTermBytes;
  if (reader.failed() || bytes > reader.left()) {
    return fail(concat(side, ": ", count, " terms do not fit the ", reader.left(), " bytes left"));
  }
  combination = LinearCombination(reader.take_bytes(bytes));
  const BigInt<4> modulus = scalar_modulus(file_->header_.curve);
  for (std::size_t i = 0; i < combination.size(); ++i) {
    const R1csTerm term = combination[i];
    if (term.wire >= file_->header_.n_wires) {
      return fail(concat(side, ": term ", i, ": wire ", term.wire, " is not one of the ",
                         file_->header_.n_wires, " wires"));
    }
    if (!(load_integer<4>(term.coefficient.data()) < modulus)) {
      return fail(concat(side, ": term ", i, ": the coefficient is not below r"));
    }
  }
  left_ = left_.subspan(sizeof count + bytes);
  return {};
}

Status R1csFile::Cursor::fail(const std::string& what) const {
  return invalid_input(concat(file_->name(), ": section 2: constraint ", index_, ": ", what));
}

}  // namespace baton
