#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cuda/device/arena.hpp"
#include "cuda/device/cuda_status.hpp"
#include "cuda/ntt/ntt_domain.hpp"
#include "cuda/ntt/ntt_kernels.cuh"
#include "shared/math/roots.hpp"

namespace baton {

template <class Fr>
struct NttDomain<Fr>::Impl {
  using Domain = NttDomain<Fr>;

  static constexpr unsigned kTinyLogSize = 2;

  // ---- tables

  /// Carves the tables out of `view`; counts only when the view is over nothing.
  static void lay_out(Domain& domain, unsigned log_size, ArenaView& view) {
    const std::size_t size = std::size_t{1} << log_size;
    if (log_size <= kTinyLogSize) {
      domain.factors_ = view.take<Fr>(size * size);
      return;
    }
    const ntt::PassPlan plan = ntt::PassPlan::of(log_size);
    for (unsigned i = 0; i < plan.count; ++i) {
      domain.inverse_rows_[i] = view.take<Fr>(std::size_t{1} << plan.log_rows[i]);
      domain.forward_rows_[i] = view.take<Fr>(std::size_t{1} << plan.log_rows[i]);
      if (i + 1 < plan.count) {
        const std::size_t span = std::size_t{1} << (plan.log_rows[i] + plan.log_stride(i));
        domain.inverse_twiddles_[i] = view.take<Fr>(span);
        domain.forward_twiddles_[i] = view.take<Fr>(span);
      }
    }
    domain.factors_ = view.take<Fr>(size);
  }

  static std::vector<Fr> powers_of(const Fr& base, std::size_t count, const Fr& first) {
    std::vector<Fr> powers(count);
    Fr power = first;
    for (Fr& entry : powers) {
      entry = power;
      power *= base;
    }
    return powers;
  }

  static Status upload(const std::vector<Fr>& values, const Fr* to, cudaStream_t stream) {
    BATON_RETURN_IF_ERROR(
        cuda_status(cudaMemcpyAsync(const_cast<Fr*>(to), values.data(), values.size() * sizeof(Fr),
                                    cudaMemcpyHostToDevice, stream),
                    "uploading roots"));
    return cuda_status(cudaStreamSynchronize(stream), "uploading roots");
  }

  /// scale * base^e for e below 2^log_size, in two tables of about the square root of that.
  class Powers {
   public:
    static Result<Powers> make(const Fr& base, const Fr& scale, unsigned log_size, cudaStream_t stream) {
      Powers result;
      result.half_ = (log_size + 1) / 2;
      const std::size_t low = std::size_t{1} << result.half_;
      const std::size_t high = std::size_t{1} << (log_size - result.half_);
      BATON_ASSIGN_OR_RETURN(result.memory_, DeviceBuffer::allocate((low + high) * sizeof(Fr)));
      std::vector<Fr> values = powers_of(base, low, Fr::one());
      const Fr step = values.back() * base;
      const std::vector<Fr> upper = powers_of(step, high, scale);
      values.insert(values.end(), upper.begin(), upper.end());
      BATON_RETURN_IF_ERROR(upload(values, result.memory_.template as<Fr>(), stream));
      return Result<Powers>(std::move(result));
    }
    [[nodiscard]] ntt::PowerTable<Fr> table() const {
      const Fr* low = memory_.template as<Fr>();
      return {low, low + (std::size_t{1} << half_), half_};
    }

   private:
    DeviceBuffer memory_;
    unsigned half_ = 0;
  };

  static constexpr unsigned kFillThreads = 256;
  static unsigned blocks_for(std::size_t elements) {
    return static_cast<unsigned>((elements + kFillThreads - 1) / kFillThreads);
  }

  /// `scale` goes into the twiddles of the last strided pass.
  static Status fill_direction(const Domain& domain, const Fr& root, const Fr& scale,
                               const Fr* const* twiddles, const Fr* const* rows, cudaStream_t stream) {
    const ntt::PassPlan plan = ntt::PassPlan::of(domain.log_size_);
    BATON_ASSIGN_OR_RETURN(const Powers plain, Powers::make(root, Fr::one(), domain.log_size_, stream));
    BATON_ASSIGN_OR_RETURN(const Powers scaled, Powers::make(root, scale, domain.log_size_, stream));
    for (unsigned i = 0; i < plan.count; ++i) {
      const std::size_t count = std::size_t{1} << plan.log_rows[i];
      BATON_RETURN_IF_ERROR(upload(
          powers_of(root.pow(BigInt<1>::from_u64(domain.size() >> plan.log_rows[i])), count, Fr::one()),
          rows[i], stream));
      if (i + 1 < plan.count) {
        const std::size_t span = count << plan.log_stride(i);
        ntt::fill_twiddles<Fr><<<blocks_for(span), kFillThreads, 0, stream>>>(
            const_cast<Fr*>(twiddles[i]), plan.log_rows[i], plan.log_stride(i), domain.log_size_,
            (i + 2 == plan.count ? scaled : plain).table());
        BATON_RETURN_IF_ERROR(last_cuda_status("filling twiddles"));
      }
    }
    return cuda_status(cudaStreamSynchronize(stream), "filling twiddles");
  }

  static bool has_strided_passes(const Domain& domain) {
    return ntt::PassPlan::of(domain.log_size_).count > 1;
  }

  static Status fill_factors(const Domain& domain, const Fr& shift, const Fr& scale, cudaStream_t stream) {
    BATON_ASSIGN_OR_RETURN(const Powers powers, Powers::make(shift, scale, domain.log_size_, stream));
    ntt::fill_factors<Fr><<<blocks_for(domain.size()), kFillThreads, 0, stream>>>(
        const_cast<Fr*>(domain.factors_), domain.log_size_, powers.table());
    BATON_RETURN_IF_ERROR(last_cuda_status("filling coset factors"));
    return cuda_status(cudaStreamSynchronize(stream), "filling coset factors");
  }

  /// Row i, column j: what value j adds to value i at the coset.
  static std::vector<Fr> tiny_matrix(unsigned log_size, const Fr& root, const Fr& shift, const Fr& scale) {
    const std::size_t size = std::size_t{1} << log_size;
    std::vector<Fr> matrix(size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const Fr ratio =
            shift * root.pow(BigInt<1>::from_u64(i)) * root.pow(BigInt<1>::from_u64(j)).inverse();
        Fr sum = Fr::zero();
        for (const Fr& power : powers_of(ratio, size, scale)) {
          sum += power;
        }
        matrix[i * size + j] = sum;
      }
    }
    return matrix;
  }

  static Status fill(const Domain& domain, cudaStream_t stream) {
    const Fr root = root_of_unity<Fr>(domain.log_size_);
    const Fr shift = root_of_unity<Fr>(domain.log_size_ + 1);
    const Fr scale = Fr::from_u64(domain.size()).inverse();
    if (domain.log_size_ <= kTinyLogSize) {
      return upload(tiny_matrix(domain.log_size_, root, shift, scale), domain.factors_, stream);
    }
    BATON_RETURN_IF_ERROR(fill_direction(domain, root.inverse(), scale, domain.inverse_twiddles_,
                                         domain.inverse_rows_, stream));
    BATON_RETURN_IF_ERROR(
        fill_direction(domain, root, Fr::one(), domain.forward_twiddles_, domain.forward_rows_, stream));
    return fill_factors(domain, shift, has_strided_passes(domain) ? Fr::one() : scale, stream);
  }

  // ---- passes

  template <class Kernel, class... Arguments>
  static Status launch(Kernel kernel, unsigned blocks, unsigned log_rows, cudaStream_t stream,
                       const Arguments&... arguments) {
    const std::size_t shared = ntt::shared_bytes<Fr>(log_rows);
    constexpr std::size_t kWithoutAsking = 48 << 10;
    if (shared > kWithoutAsking) {
      BATON_RETURN_IF_ERROR(cuda_status(
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
          "shared memory of a transform"));
    }
    kernel<<<blocks, 1U << log_rows, shared, stream>>>(arguments...);
    return last_cuda_status("launching a transform");
  }

  static ntt::EighthRoots<Fr> eighth_roots(bool forward) {
    const Fr root = forward ? root_of_unity<Fr>(3) : root_of_unity<Fr>(3).inverse();
    return {{root, root.square(), root.square() * root}};
  }

  static ntt::StridedPass<Fr> strided(const Domain& domain, unsigned i, bool forward) {
    const ntt::PassPlan plan = ntt::PassPlan::of(domain.log_size_);
    return {plan.log_rows[i],
            plan.log_stride(i),
            forward ? domain.forward_twiddles_[i] : domain.inverse_twiddles_[i],
            {forward ? domain.forward_rows_[i] : domain.inverse_rows_[i], eighth_roots(forward)}};
  }
  static unsigned strided_blocks(const Domain& domain, unsigned i) {
    return 1U << (domain.log_size_ - ntt::PassPlan::of(domain.log_size_).log_rows[i] - 3);
  }

  static ntt::ContiguousPass<Fr> contiguous(const Domain& domain) {
    const ntt::PassPlan plan = ntt::PassPlan::of(domain.log_size_);
    const unsigned last = plan.count - 1;
    return {plan.log_rows[last],
            domain.log_size_,
            domain.factors_,
            Fr::from_u64(domain.size()).inverse(),
            {domain.inverse_rows_[last], eighth_roots(false)},
            {domain.forward_rows_[last], eighth_roots(true)},
            has_strided_passes(domain)};
  }
  static unsigned contiguous_blocks(const Domain& domain) {
    const ntt::PassPlan plan = ntt::PassPlan::of(domain.log_size_);
    return ((1U << (domain.log_size_ - plan.log_rows[plan.count - 1])) + 7) / 8;
  }

  template <bool kInverse, bool kForward, class Load, class Store>
  static Status run_contiguous(const Domain& domain, Load load, Store store, cudaStream_t stream) {
    const ntt::ContiguousPass<Fr> pass = contiguous(domain);
    return launch(ntt::contiguous<kInverse, kForward, Fr, Load, Store>, contiguous_blocks(domain),
                  pass.log_rows, stream, pass, load, store);
  }

  template <class Load>
  static Status run_strided_inverse(const Domain& domain, unsigned i, Load load, Fr* out,
                                    cudaStream_t stream) {
    const ntt::StridedPass<Fr> pass = strided(domain, i, false);
    using Store = ntt::StorePlain<Fr>;
    return launch(ntt::strided_inverse<Fr, Load, Store>, strided_blocks(domain, i), pass.log_rows, stream,
                  pass, load, Store{out});
  }

  template <class Store>
  static Status run_strided_forward(const Domain& domain, unsigned i, const Fr* in, Store store,
                                    cudaStream_t stream) {
    const ntt::StridedPass<Fr> pass = strided(domain, i, true);
    using Load = ntt::LoadPlain<Fr>;
    return launch(ntt::strided_forward<Fr, Load, Store>, strided_blocks(domain, i), pass.log_rows, stream,
                  pass, Load{in}, store);
  }

  /// The strided passes of an inverse transform, the first of which takes its elements from `load`.
  template <class Load>
  static Status begin(const Domain& domain, Load load, Fr* out, cudaStream_t stream) {
    const unsigned strided_count = ntt::PassPlan::of(domain.log_size_).count - 1;
    if (strided_count > 0) {
      BATON_RETURN_IF_ERROR(run_strided_inverse(domain, 0, load, out, stream));
    }
    for (unsigned i = 1; i < strided_count; ++i) {
      BATON_RETURN_IF_ERROR(run_strided_inverse(domain, i, ntt::LoadPlain<Fr>{out}, out, stream));
    }
    return Status::ok();
  }

  /// The strided passes of a forward transform, the last of which gives its elements to `store`.
  template <class Store>
  static Status end(const Domain& domain, const Fr* in, Fr* work, Store store, cudaStream_t stream) {
    const Fr* from = in;
    for (unsigned i = ntt::PassPlan::of(domain.log_size_).count - 1; i > 0; --i) {
      if (i > 1) {
        BATON_RETURN_IF_ERROR(run_strided_forward(domain, i - 1, from, ntt::StorePlain<Fr>{work}, stream));
        from = work;
      } else {
        BATON_RETURN_IF_ERROR(run_strided_forward(domain, 0, from, store, stream));
      }
    }
    return Status::ok();
  }

  /// From `load` to `store` over the whole way to the coset; `work` holds what is between.
  template <class Load, class Store>
  static Status to_coset(const Domain& domain, Load load, Fr* work, Store store, cudaStream_t stream) {
    using Plain = ntt::LoadPlain<Fr>;
    if (domain.log_size_ <= kTinyLogSize) {
      const auto size = static_cast<unsigned>(domain.size());
      ntt::tiny_to_coset<Fr, Load, Store><<<1, size, 0, stream>>>(size, domain.factors_, load, store);
      return last_cuda_status("launching a transform");
    }
    if (ntt::PassPlan::of(domain.log_size_).count == 1) {
      return run_contiguous<true, true>(domain, load, store, stream);
    }
    BATON_RETURN_IF_ERROR(begin(domain, load, work, stream));
    BATON_RETURN_IF_ERROR(
        (run_contiguous<true, true>(domain, Plain{work}, ntt::StorePlain<Fr>{work}, stream)));
    return end(domain, work, work, store, stream);
  }
};

template <class Fr>
std::size_t NttDomain<Fr>::bytes(unsigned log_size) {
  NttDomain domain;
  ArenaView counting;
  Impl::lay_out(domain, log_size, counting);
  return counting.used();
}

template <class Fr>
Result<NttDomain<Fr>> NttDomain<Fr>::build(unsigned log_size, cudaStream_t stream) {
  if (log_size < kMinLogSize || log_size > kMaxLogSize) {
    return Status(StatusCode::kLimit,
                  "domain of 2^" + std::to_string(log_size) + ": the device takes 2^1 to 2^27");
  }
  NttDomain domain;
  domain.log_size_ = log_size;
  BATON_ASSIGN_OR_RETURN(domain.memory_, DeviceBuffer::allocate(bytes(log_size)));
  ArenaView view(domain.memory_.data(), domain.memory_.size());
  Impl::lay_out(domain, log_size, view);
  BATON_RETURN_IF_ERROR(Impl::fill(domain, stream));
  return Result<NttDomain>(std::move(domain));
}

template <class Fr>
Status NttDomain<Fr>::inverse(const Fr* in, Fr* out, cudaStream_t stream) const {
  using Load = ntt::LoadPlain<Fr>;
  using Store = ntt::StorePlain<Fr>;
  if (log_size_ <= Impl::kTinyLogSize) {
    return {StatusCode::kLimit, "an inverse transform of less than 8 elements"};
  }
  BATON_RETURN_IF_ERROR(Impl::begin(*this, Load{in}, out, stream));
  const bool single = ntt::PassPlan::of(log_size_).count == 1;
  return Impl::template run_contiguous<true, false>(*this, Load{single ? in : out}, Store{out}, stream);
}

template <class Fr>
Status NttDomain<Fr>::forward(const Fr* in, Fr* out, cudaStream_t stream) const {
  using Load = ntt::LoadPlain<Fr>;
  using Store = ntt::StorePlain<Fr>;
  if (log_size_ <= Impl::kTinyLogSize) {
    return {StatusCode::kLimit, "a forward transform of less than 8 elements"};
  }
  BATON_RETURN_IF_ERROR((Impl::template run_contiguous<false, true>(*this, Load{in}, Store{out}, stream)));
  return Impl::end(*this, out, out, Store{out}, stream);
}

template <class Fr>
Status NttDomain<Fr>::to_coset(const Fr* in, Fr* out, cudaStream_t stream) const {
  return Impl::to_coset(*this, ntt::LoadPlain<Fr>{in}, out, ntt::StorePlain<Fr>{out}, stream);
}

template <class Fr>
Status NttDomain<Fr>::quotient(Fr* a, Fr* b, Fr* c, bool derive_c, cudaStream_t stream) const {
  const ntt::StoreQuotient<Fr> store{a, b, c};
  if (derive_c && log_size_ > Impl::kTinyLogSize && ntt::PassPlan::of(log_size_).count > 1) {
    // c's first passes read a and b before these are overwritten; its last waits for both.
    BATON_RETURN_IF_ERROR(Impl::begin(*this, ntt::LoadProduct<Fr>{a, b}, c, stream));
    BATON_RETURN_IF_ERROR(to_coset(a, a, stream));
    BATON_RETURN_IF_ERROR(to_coset(b, b, stream));
    BATON_RETURN_IF_ERROR((Impl::template run_contiguous<true, true>(*this, ntt::LoadPlain<Fr>{c},
                                                                     ntt::StorePlain<Fr>{c}, stream)));
    return Impl::end(*this, c, c, store, stream);
  }
  if (derive_c) {
    BATON_RETURN_IF_ERROR(
        Impl::to_coset(*this, ntt::LoadProduct<Fr>{a, b}, c, ntt::StorePlain<Fr>{c}, stream));
    BATON_RETURN_IF_ERROR(to_coset(a, a, stream));
    BATON_RETURN_IF_ERROR(to_coset(b, b, stream));
    const auto count = static_cast<std::uint32_t>(size());
    ntt::pointwise_quotient<Fr><<<Impl::blocks_for(count), Impl::kFillThreads, 0, stream>>>(count, store);
    return last_cuda_status("launching a quotient");
  }
  BATON_RETURN_IF_ERROR(to_coset(a, a, stream));
  BATON_RETURN_IF_ERROR(to_coset(b, b, stream));
  return Impl::to_coset(*this, ntt::LoadPlain<Fr>{c}, c, store, stream);
}

}  // namespace baton
