#include "tests/benchmark/bench/recorded_slot.hpp"

#include <fcntl.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "shared/formats/proving_key_file.hpp"
#include "shared/formats/witness_file.hpp"
#include "shared/support/posix.hpp"
#include "synth-worker/constraint_evaluator.hpp"

namespace baton::bench {

namespace {

constexpr std::size_t kScalar = 32;
using Sizes = std::array<std::uint64_t, 3>;

}  // namespace

Result<RecordedSlot> RecordedSlot::record(const std::string& key, const std::string& witness) {
  BATON_ASSIGN_OR_RETURN(const ProvingKeyFile file, ProvingKeyFile::open(key, FileAccess::kMap));
  BATON_ASSIGN_OR_RETURN(const ConstraintMatrix matrix,
                         ConstraintMatrix::compile(file, nullptr, Digest128{}));
  BATON_ASSIGN_OR_RETURN(const WitnessFile values, WitnessFile::open(witness));
  BATON_RETURN_IF_ERROR(values.check_fits(matrix.curve(), matrix.n_vars()));
  RecordedSlot slot;
  slot.w.resize(kScalar * matrix.n_vars());
  slot.a.resize(kScalar * matrix.domain_size());
  slot.b.resize(kScalar * matrix.domain_size());
  BATON_RETURN_IF_ERROR(values.read_values(slot.w));
  BATON_RETURN_IF_ERROR(evaluate_constraints(matrix, slot.w, {slot.a, slot.b, {}}));
  return slot;
}

Result<RecordedSlot> RecordedSlot::read(const std::string& path) {
  BATON_ASSIGN_OR_RETURN(const UniqueFd fd, open_regular_file(path));
  Sizes sizes{};
  BATON_RETURN_IF_ERROR(pread_exact(fd.get(), std::as_writable_bytes(std::span(sizes)), 0, path));
  RecordedSlot slot;
  std::uint64_t offset = sizeof sizes;
  std::size_t i = 0;
  for (std::vector<std::byte>* section : {&slot.w, &slot.a, &slot.b}) {
    section->resize(sizes[i++]);
    BATON_RETURN_IF_ERROR(pread_exact(fd.get(), *section, offset, path));
    offset += section->size();
  }
  return slot;
}

Status RecordedSlot::write(const std::string& path) const {
  BATON_ASSIGN_OR_RETURN(const UniqueFd fd, open_file(path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
  const Sizes sizes = {w.size(), a.size(), b.size()};
  BATON_RETURN_IF_ERROR(write_all(fd.get(), std::as_bytes(std::span(sizes)), path));
  for (const std::vector<std::byte>* section : {&w, &a, &b}) {
    BATON_RETURN_IF_ERROR(write_all(fd.get(), *section, path));
  }
  return {};
}

ProofInput RecordedSlot::copy_to(std::span<std::byte> to) const {
  std::memcpy(to.data(), w.data(), w.size());
  std::memcpy(to.data() + w.size(), a.data(), a.size());
  std::memcpy(to.data() + w.size() + a.size(), b.data(), b.size());
  return {to.first(w.size()), to.subspan(w.size(), a.size()), to.subspan(w.size() + a.size(), b.size()), {}};
}

int record_command(const std::string& key, const std::string& witness, const std::string& file) {
  const auto slot = RecordedSlot::record(key, witness);
  const Status status = slot.is_ok() ? slot->write(file) : slot.status();
  if (!status.is_ok()) {
    std::fprintf(stderr, "baton-bench: %s\n", status.to_string().c_str());
    return 1;
  }
  std::printf("%s: %zu MiB\n", file.c_str(), slot->bytes() >> 20);
  return 0;
}

}  // namespace baton::bench
