#include "shared/formats/proof_bytes.hpp"

#include <cstring>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

template <class Field>
void append_element(const Field& element, std::string& bytes) {
  const auto value = element.to_canonical();
  bytes.append(reinterpret_cast<const char*>(value.limbs), Field::kBytes);
}

template <class Field>
void append_point(const CurveAffine<Field>& point, std::string& bytes) {
  append_element(point.x, bytes);
  append_element(point.y, bytes);
}

template <class Field>
void append_point(const CurveAffine<Fp2<Field>>& point, std::string& bytes) {
  append_element(point.x.c0, bytes);
  append_element(point.x.c1, bytes);
  append_element(point.y.c0, bytes);
  append_element(point.y.c1, bytes);
}

/// Takes elements from the front of a text; once one is wrong, `good` stays false.
template <class Field>
class ElementReader {
 public:
  explicit ElementReader(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool good() const noexcept { return good_; }

  Field element() {
    typename Field::Int value;
    std::memcpy(value.limbs, bytes_.data(), Field::kBytes);
    bytes_.remove_prefix(Field::kBytes);
    const auto result = Field::from_canonical(value);
    good_ = good_ && result.has_value();
    return result.value_or(Field::zero());
  }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

template <class Curve>
Result<AnyProof> parse_proof(std::string_view bytes) {
  using Fq = typename Curve::Fq;
  if (bytes.size() != 8 * Fq::kBytes) {
    return invalid_input(concat("proof: ", bytes.size(), " bytes, expected ", 8 * Fq::kBytes));
  }
  ElementReader<Fq> reader(bytes);
  Proof<Curve> proof;
  for (Fq* element : {&proof.a.x, &proof.a.y, &proof.b.x.c0, &proof.b.x.c1, &proof.b.y.c0, &proof.b.y.c1,
                      &proof.c.x, &proof.c.y}) {
    *element = reader.element();
  }
  if (!reader.good()) {
    return invalid_input("proof: a coordinate is not below q");
  }
  if (!proof.a.is_on_curve(Curve::g1_b()) || !proof.b.is_on_curve(Curve::g2_b()) ||
      !proof.c.is_on_curve(Curve::g1_b())) {
    return invalid_input("proof: a point is not on the curve");
  }
  return AnyProof(proof);
}

}  // namespace

std::string to_proof_bytes(const AnyProof& proof) {
  std::string bytes;
  std::visit(
      [&](const auto& points) {
        append_point(points.a, bytes);
        append_point(points.b, bytes);
        append_point(points.c, bytes);
      },
      proof);
  return bytes;
}

Result<AnyProof> parse_proof_bytes(CurveId curve, std::string_view bytes) {
  return with_curve(curve, [&]<class Curve>(std::type_identity<Curve>) { return parse_proof<Curve>(bytes); });
}

Result<PublicSignals> parse_public_bytes(CurveId curve, std::string_view bytes) {
  if (bytes.size() % 32 != 0) {
    return invalid_input(concat("public signals: ", bytes.size(), " bytes, expected a multiple of 32"));
  }
  const BigInt<4> modulus =
      with_curve(curve, []<class Curve>(std::type_identity<Curve>) { return Curve::Fr::modulus(); });
  PublicSignals signals(bytes.size() / 32);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    std::memcpy(signals[i].limbs, bytes.data() + i * 32, 32);
    if (!(signals[i] < modulus)) {
      return invalid_input(concat("public signal ", i, ": not below r"));
    }
  }
  return signals;
}

}  // namespace baton
