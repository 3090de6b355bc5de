#include "shared/groth16/key_check.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/first_failure.hpp"
#include "shared/formats/point_codec.hpp"
#include "shared/math/subgroup.hpp"

namespace baton {
namespace {

constexpr std::size_t kGrain = 512;

template <class Curve, class Affine>
Status check_one(const std::byte* bytes, PointCheck depth) {
  const Affine point = Affine::load(bytes);
  BATON_RETURN_IF_ERROR((check_point<Curve, Affine>(point)));
  if (depth == PointCheck::kSubgroup) {
    bool inside = false;
    if constexpr (std::is_same_v<Affine, typename Curve::G1Affine>) {
      inside = is_in_g1<Curve>(point);
    } else {
      inside = is_in_g2<Curve>(point);
    }
    if (!inside) {
      return invalid_input("the point is not in the subgroup of order r");
    }
  }
  return {};
}

template <class Curve, class Affine>
Status check_section(const char* section, std::span<const std::byte> bytes, PointCheck depth) {
  FirstFailure failure;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, bytes.size() / Affine::kBytes, kGrain),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i < range.end() && !failure.is_before(i); ++i) {
                        if (!check_one<Curve, Affine>(bytes.data() + i * Affine::kBytes, depth).is_ok()) {
                          failure.report(i);
                        }
                      }
                    });
  if (failure.index() == FirstFailure::kNone) {
    return {};
  }
  return check_one<Curve, Affine>(bytes.data() + failure.index() * Affine::kBytes, depth)
      .with_context("section " + std::string(section) + ", point " + std::to_string(failure.index()));
}

template <class Curve>
Status check_sections(const ProvingKeyView& key, PointCheck depth) {
  using G1 = typename Curve::G1Affine;
  using G2 = typename Curve::G2Affine;
  BATON_RETURN_IF_ERROR((check_section<Curve, G1>("5 (A)", key.a, depth)));
  BATON_RETURN_IF_ERROR((check_section<Curve, G1>("6 (B1)", key.b1, depth)));
  BATON_RETURN_IF_ERROR((check_section<Curve, G2>("7 (B2)", key.b2, depth)));
  BATON_RETURN_IF_ERROR((check_section<Curve, G1>("8 (C)", key.c, depth)));
  return check_section<Curve, G1>("9 (H)", key.h, depth);
}

}  // namespace

Status check_key_points(const ProvingKeyView& key, PointCheck depth) {
  return with_curve(key.curve,
                    [&](auto curve) { return check_sections<typename decltype(curve)::type>(key, depth); });
}

}  // namespace baton
