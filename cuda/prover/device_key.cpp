#include "cuda/prover/device_key.hpp"

#include <bit>
#include <string>

#include "shared/math/bls12_381.hpp"
#include "shared/math/bn254.hpp"

namespace baton {

extern template Result<std::unique_ptr<DeviceKey>> plan_device_key_of<Bn254>(const ProvingKeyView&,
                                                                             std::size_t);
extern template Result<std::unique_ptr<DeviceKey>> plan_device_key_of<Bls12_381>(const ProvingKeyView&,
                                                                                 std::size_t);

namespace {

constexpr unsigned kMaxLogSize = 27;

Status check_section(const char* name, std::span<const std::byte> section, std::size_t points,
                     std::size_t point_bytes) {
  if (section.size() == points * point_bytes) {
    return {};
  }
  return invalid_input(std::string("proving key section ") + name + ": expected " +
                       std::to_string(points * point_bytes) + " bytes, found " +
                       std::to_string(section.size()));
}

}  // namespace

Status check_key_view(const ProvingKeyView& key) {
  if (!std::has_single_bit(key.domain_size) || key.domain_size < 2) {
    return invalid_input("proving key: expected a domain of a power of two from 2 on, found " +
                         std::to_string(key.domain_size));
  }
  if (static_cast<unsigned>(std::countr_zero(key.domain_size)) > kMaxLogSize) {
    return {StatusCode::kLimit, "proving key: a domain of " + std::to_string(key.domain_size) +
                                    ", the device takes 2^" + std::to_string(kMaxLogSize)};
  }
  if (key.n_public >= key.n_vars) {
    return invalid_input("proving key: " + std::to_string(key.n_public) + " public of " +
                         std::to_string(key.n_vars) + " wires");
  }
  const bool bn254 = key.curve == CurveId::kBn254;
  const std::size_t g1 = bn254 ? sizeof(Bn254::G1Affine) : sizeof(Bls12_381::G1Affine);
  BATON_RETURN_IF_ERROR(check_section("A", key.a, key.n_vars, g1));
  BATON_RETURN_IF_ERROR(check_section("B1", key.b1, key.n_vars, g1));
  BATON_RETURN_IF_ERROR(check_section("B2", key.b2, key.n_vars, 2 * g1));
  BATON_RETURN_IF_ERROR(check_section("C", key.c, key.n_vars - key.n_public - 1, g1));
  return check_section("H", key.h, key.domain_size, g1);
}

Result<std::unique_ptr<DeviceKey>> plan_device_key(const ProvingKeyView& key, std::size_t table_bytes) {
  return key.curve == CurveId::kBn254 ? plan_device_key_of<Bn254>(key, table_bytes)
                                      : plan_device_key_of<Bls12_381>(key, table_bytes);
}

}  // namespace baton
