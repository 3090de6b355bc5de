#include "synth-worker/constraint_evaluator.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstring>
#include <vector>

#include "shared/formats/first_failure.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/math/fp.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::size_t kRowGrain = 512;
constexpr std::size_t kMostUnits = 4096;  // a table that stays in the caches

/// One sparse row times w. Every factor is used by its limbs: a value of w, canonical limbs w, stands for the
/// element w / R; a coefficient, limbs v * R^2, for v * R; so their product is the element v * w.
template <class Fr>
class RowEvaluator {
 public:
  RowEvaluator(const ConstraintMatrix& matrix, std::span<const std::byte> w)
      : coefficients_(matrix.coefficients().data()),
        w_(w.data()),
        one_(Fr::load(coefficients_ + kCoefficientOne * kScalarBytes)) {
    const std::size_t count = matrix.coefficients().size() / kScalarBytes;
    if (count > kMostUnits) {
      return;
    }
    units_.reserve(count);
    const Fr unit = Fr::from_montgomery_limbs(BigInt<4>::from_u64(1));
    for (std::size_t i = 0; i < count; ++i) {
      units_.push_back(coefficient(i) * unit);
    }
  }

  [[nodiscard]] Fr row(const MatrixRows& rows, std::size_t index) const {
    const MatrixTerm* term = rows.terms.data() + rows.row_starts[index];
    const MatrixTerm* const end = rows.terms.data() + rows.row_starts[index + 1];
    Fr plain = Fr::zero();
    for (; term != end && term->coefficient == kCoefficientOne; ++term) {
      plain += wire(term->column);
    }
    for (; term != end && term->coefficient == kCoefficientMinusOne; ++term) {
      plain -= wire(term->column);
    }
    Fr sum = plain.is_zero() ? plain : plain * one_;
    for (; term != end; ++term) {
      add_product(sum, *term);
    }
    return sum;
  }

 private:
  [[nodiscard]] Fr wire(std::size_t column) const { return Fr::load(w_ + column * kScalarBytes); }
  [[nodiscard]] Fr coefficient(std::size_t number) const {
    return Fr::load(coefficients_ + number * kScalarBytes);
  }

  /// Most wires of real circuits are 0 or 1: those cost no product.
  void add_product(Fr& sum, const MatrixTerm& term) const {
    const Fr value = wire(term.column);
    const auto& limbs = value.limbs().limbs;
    const bool is_bit = limbs[0] <= 1 && (limbs[1] | limbs[2] | limbs[3]) == 0;
    if (is_bit && limbs[0] == 0) {
      return;
    }
    if (is_bit && !units_.empty()) {
      sum += units_[term.coefficient];
      return;
    }
    sum += coefficient(term.coefficient) * value;
  }

  const std::byte* coefficients_;
  const std::byte* w_;
  Fr one_;
  std::vector<Fr> units_;  ///< coefficient times one, in Montgomery form; empty when there are too many
};

void store(std::span<std::byte> out, std::size_t row, const auto& value) {
  if (!out.empty()) {
    value.store(out.data() + row * kScalarBytes);
  }
}

void clear(std::span<std::byte> out, std::size_t begin, std::size_t end) {
  if (!out.empty() && begin < end) {
    std::memset(out.data() + begin * kScalarBytes, 0, (end - begin) * kScalarBytes);
  }
}

template <class Fr>
Status evaluate(const ConstraintMatrix& matrix, std::span<const std::byte> w, const ConstraintOutputs& out) {
  const RowEvaluator<Fr> evaluator(matrix, w);
  const std::size_t rows = matrix.rows();
  const std::size_t constraints = matrix.n_constraints();
  FirstFailure violated;
  const oneapi::tbb::blocked_range<std::size_t> all(0, matrix.domain_size(), kRowGrain);
  oneapi::tbb::parallel_for(all, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < std::min(range.end(), rows); ++i) {
      const Fr a = evaluator.row(matrix.matrix(MatrixId::kA), i);
      const Fr b = evaluator.row(matrix.matrix(MatrixId::kB), i);
      store(out.a, i, a);
      store(out.b, i, b);
      if (matrix.has_c()) {
        const Fr c = evaluator.row(matrix.matrix(MatrixId::kC), i);
        store(out.c, i, c);
        if (i < constraints && !(a * b == c)) {
          violated.report(i);
        }
      }
    }
    for (const auto& span : {out.a, out.b, out.c}) {
      clear(span, std::max(range.begin(), rows), range.end());
    }
  });
  if (violated.index() != FirstFailure::kNone) {
    return {StatusCode::kUnsatisfied, concat("the witness violates constraint ", violated.index(), " of ",
                                             constraints, " (counted from 0)")};
  }
  return {};
}

}  // namespace

Status evaluate_constraints(const ConstraintMatrix& matrix, std::span<const std::byte> w,
                            const ConstraintOutputs& out) {
  const std::size_t domain_bytes = std::size_t{matrix.domain_size()} * kScalarBytes;
  if (w.size() != std::size_t{matrix.n_vars()} * kScalarBytes) {
    return internal_error(concat("a witness of ", w.size(), " bytes for ", matrix.n_vars(), " wires"));
  }
  for (const auto& span : {out.a, out.b, out.c}) {
    if (!span.empty() && span.size() != domain_bytes) {
      return internal_error(concat("an output of ", span.size(), " bytes for a domain of ", domain_bytes));
    }
  }
  if (!out.c.empty() && !matrix.has_c()) {
    return internal_error("c was asked for, but C is not known");
  }
  return matrix.curve() == CurveId::kBn254 ? evaluate<Fp<Bn254FrParams>>(matrix, w, out)
                                           : evaluate<Fp<Bls12_381FrParams>>(matrix, w, out);
}

}  // namespace baton
