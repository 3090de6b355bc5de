#include "shared/groth16/cpu_backend.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <array>
#include <bit>
#include <cstring>
#include <mutex>
#include <new>
#include <tuple>

#include "shared/formats/curve_dispatch.hpp"
#include "shared/formats/prime_field.hpp"
#include "shared/groth16/cpu_engine.hpp"
#include "shared/groth16/resident_keys.hpp"
#include "shared/support/check.hpp"
#include "shared/support/clock.hpp"

namespace baton {
namespace {

constexpr unsigned kLanes = 2;
constexpr std::size_t kElementBytes = 32;

/// Copies elements of 32 bytes, and looks whether all are below `modulus`.
bool copy_below(std::span<const std::byte> from, std::byte* to, const BigInt<4>& modulus) {
  bool good = true;
  for (std::size_t offset = 0; offset < from.size(); offset += kElementBytes) {
    const auto element = load_integer<4>(from.data() + offset);
    BigInt<4> difference;
    good &= sub_with_borrow(difference, element, modulus) != 0;
    std::memcpy(to + offset, element.limbs, kElementBytes);
  }
  return good;
}

Status check_size(const char* name, std::span<const std::byte> section, std::size_t elements) {
  if (section.size() != elements * kElementBytes) {
    return invalid_input(std::string("slot section ") + name + ": expected " +
                         std::to_string(elements * kElementBytes) + " bytes, found " +
                         std::to_string(section.size()));
  }
  return {};
}

/// What one lane copies its input into.
struct Lane {
  PageBuffer memory;
  std::span<std::byte> w;
  std::array<std::span<std::byte>, 3> abc;

  Status reserve(std::size_t wires, std::size_t domain) {
    const std::size_t bytes = (wires + 3 * domain) * kElementBytes;
    if (memory.bytes().size() < bytes) {
      memory = PageBuffer();
      BATON_ASSIGN_OR_RETURN(memory, PageBuffer::allocate(bytes));
    }
    std::span<std::byte> rest = memory.bytes();
    for (std::span<std::byte>& vector : abc) {
      vector = rest.first(domain * kElementBytes);
      rest = rest.subspan(vector.size());
    }
    w = rest.first(wires * kElementBytes);
    return {};
  }
};

template <class Fr>
std::span<Fr> elements_in(std::span<std::byte> bytes) {
  return {reinterpret_cast<Fr*>(bytes.data()), bytes.size() / sizeof(Fr)};
}

}  // namespace

class CpuBackend::Impl {
 public:
  explicit Impl(const CpuBackendOptions& options)
      : keys(options.key_budget_bytes),
        threads(options.threads != 0 ? options.threads
                                     : static_cast<unsigned>(tbb::info::default_concurrency())),
        arena_(static_cast<int>(threads)) {}

  Result<ProofSums> prove(unsigned lane_index, const ProvingKeyView& key, const ProofInput& input,
                          const std::function<void()>& on_uploaded, ProofTimings& timings) {
    BATON_CHECK(lane_index < kLanes);
    Lane& lane = lanes_[lane_index];
    Stopwatch watch;
    BATON_RETURN_IF_ERROR(copy(key, input, lane, timings));
    timings.copy_ms = watch.milliseconds();
    on_uploaded();
    watch.restart();
    const std::lock_guard turn(computing_);
    timings.wait_ms = watch.milliseconds();
    return with_curve(key.curve, [&](auto curve) -> Result<ProofSums> {
      using Curve = typename decltype(curve)::type;
      using Fr = typename Curve::Fr;
      const PrivateInput<Curve> own = {lane.w, elements_in<Fr>(lane.abc[0]), elements_in<Fr>(lane.abc[1]),
                                       elements_in<Fr>(lane.abc[2]), input.c.empty()};
      return arena_.execute([&] { return std::get<CpuEngine<Curve>>(engines_).compute(key, own, timings); });
    });
  }

  ResidentKeys keys;
  const unsigned threads;

 private:
  static Status copy(const ProvingKeyView& key, const ProofInput& input, Lane& lane, ProofTimings& timings) {
    BATON_RETURN_IF_ERROR(check_size("w", input.w, key.n_vars));
    BATON_RETURN_IF_ERROR(check_size("a", input.a, key.domain_size));
    BATON_RETURN_IF_ERROR(check_size("b", input.b, key.domain_size));
    BATON_RETURN_IF_ERROR(check_size("c", input.c, input.c.empty() ? 0 : key.domain_size));
    BATON_RETURN_IF_ERROR(lane.reserve(key.n_vars, key.domain_size));
    const BigInt<4> modulus = scalar_modulus(key.curve);
    const bool good =
        copy_below(input.w, lane.w.data(), modulus) & copy_below(input.a, lane.abc[0].data(), modulus) &
        copy_below(input.b, lane.abc[1].data(), modulus) & copy_below(input.c, lane.abc[2].data(), modulus);
    timings.copy_bytes = input.w.size() + input.a.size() + input.b.size() + input.c.size();
    return good ? Status() : Status(StatusCode::kCorrupt, "slot: a value is not below the field's modulus");
  }

  tbb::task_arena arena_;
  std::array<Lane, kLanes> lanes_;
  std::mutex computing_;
  std::tuple<CpuEngine<Bn254>, CpuEngine<Bls12_381>> engines_;
};

CpuBackend::CpuBackend(const CpuBackendOptions& options) : impl_(std::make_unique<Impl>(options)) {}

CpuBackend::~CpuBackend() = default;

std::string CpuBackend::description() const {
  return "CPU, " + std::to_string(impl_->threads) + (impl_->threads == 1 ? " thread" : " threads");
}

unsigned CpuBackend::lanes() const noexcept {
  return kLanes;
}

Result<std::unique_ptr<RegisteredRange>> CpuBackend::register_range(std::span<const std::byte> /*range*/) {
  return std::make_unique<RegisteredRange>();
}

Status CpuBackend::load_key(KeyId id, const ProvingKeyView& key) {
  return take_key(id, key, [](std::span<const std::byte>) {});
}

Status CpuBackend::take_key(KeyId id, const ProvingKeyView& key, const DoneWith& done) {
  // A domain of 2^kTwoAdicity has no odd coset in the field, and no key of that size could be read anyway.
  const bool fits = std::has_single_bit(key.domain_size) && key.domain_size >= 2 &&
                    static_cast<unsigned>(std::countr_zero(key.domain_size)) < scalar_two_adicity(key.curve);
  if (!fits) {
    return invalid_input("proving key: no proof over a domain of " + std::to_string(key.domain_size));
  }
  return impl_->keys.load(id, key, done);
}

bool CpuBackend::has_key(KeyId id) const {
  return impl_->keys.has(id);
}

void CpuBackend::drop_key(KeyId id) {
  impl_->keys.drop(id);
}

std::vector<ResidentKey> CpuBackend::resident_keys() const {
  return impl_->keys.list();
}

Result<ProofSums> CpuBackend::prove(unsigned lane, KeyId id, const ProofInput& input,
                                    const std::function<void()>& on_uploaded, ProofTimings& timings) {
  BATON_ASSIGN_OR_RETURN(const ResidentKeys::Use key, impl_->keys.use(id));
  try {
    return impl_->prove(lane, key.view(), input, on_uploaded, timings);
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kNoSpace,
                  "no memory left for a proof over a domain of " + std::to_string(key.view().domain_size));
  }
}

}  // namespace baton
