#include "shared/formats/coefficient_section.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>

#include "shared/formats/first_failure.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::size_t kGrain = 8192;  // records

struct Bounds {
  std::uint32_t n_vars = 0;
  std::uint32_t domain_size = 0;
  BigInt<4> modulus;
};

bool is_good(const CoefficientRecord& record, const Bounds& bounds) {
  return record.matrix <= 1 && record.row < bounds.domain_size && record.signal < bounds.n_vars &&
         load_integer<4>(record.value.data()) < bounds.modulus;
}

std::string describe(const CoefficientRecord& record, const Bounds& bounds) {
  if (record.matrix > 1) {
    return concat("matrix ", record.matrix, ", expected 0 or 1");
  }
  if (record.row >= bounds.domain_size) {
    return concat("row ", record.row, " is outside the domain of ", bounds.domain_size);
  }
  if (record.signal >= bounds.n_vars) {
    return concat("signal ", record.signal, " is not one of the ", bounds.n_vars, " wires");
  }
  return "the value is not below r";
}

}  // namespace

Status check_coefficients(const CoefficientSection& section, CurveId curve, std::uint32_t n_vars,
                          std::uint32_t domain_size) {
  const Bounds bounds{n_vars, domain_size, scalar_modulus(curve)};
  FirstFailure failure;
  const oneapi::tbb::blocked_range<std::size_t> all(0, section.size(), kGrain);
  const std::uint64_t rows_used = oneapi::tbb::parallel_reduce(
      all, std::uint64_t{0},
      [&](const auto& range, std::uint64_t rows) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const CoefficientRecord record = section[i];
          if (!is_good(record, bounds)) {
            failure.report(i);
            return rows;
          }
          rows = std::max(rows, std::uint64_t{record.row} + 1);
        }
        return rows;
      },
      [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  if (const std::size_t index = failure.index(); index != FirstFailure::kNone) {
    return invalid_input(concat("section 4: coefficient ", index, ": ", describe(section[index], bounds)));
  }
  if (domain_size > 2 && rows_used <= domain_size / 2) {
    return invalid_input(
        concat("section 4: ", rows_used, " rows are in use, too few for a domain of ", domain_size));
  }
  return {};
}

}  // namespace baton
