#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "cuda/device/cuda_status.hpp"
#include "cuda/msm/bases.hpp"
#include "cuda/ntt/ntt_domain.hpp"
#include "cuda/prover/device_key.hpp"
#include "cuda/prover/nvtx_range.hpp"
#include "cuda/prover/proof_plan.hpp"

/// Included by the one .cpp of each curve.

namespace baton {

template <class Curve>
class DeviceKeyOf final : public DeviceKey {
 public:
  using Plan = ProofPlan<Curve>;
  using Fr = typename Plan::Fr;
  using G1 = typename Plan::G1;
  using G2 = typename Plan::G2;

  DeviceKeyOf(Plan plan, const ProvingKeyView& key) : plan_(std::move(plan)) {
    const std::size_t tables = plan_.windows.tables;
    const std::size_t largest = std::max({key.a.size(), key.b2.size(), key.h.size()});
    planned_bytes_ = tables * (key.a.size() + key.b1.size() + key.b2.size() + key.c.size() + key.h.size()) +
                     5 * std::size_t{plan_.n_vars} / 4 + NttDomain<Fr>::bytes(log_size());
    scratch_bytes_ = largest + MsmBases<G2>::build_scratch_bytes(std::max(plan_.n_vars, plan_.domain_size));
  }

  [[nodiscard]] std::size_t bytes() const override { return loaded_bytes_.value_or(planned_bytes_); }
  [[nodiscard]] std::size_t load_scratch_bytes() const override { return scratch_bytes_; }
  [[nodiscard]] std::size_t lane_bytes() const override { return plan_.lane_bytes(); }
  [[nodiscard]] std::string plan_text() const override;

  Status load(const ProvingKeyView& key, Uploader& uploader, cudaStream_t stream) override;

  [[nodiscard]] Status check(const ProofInput& input) const override;
  Status upload(const ProofInput& input, Lane& lane) const override;
  Status compute(bool derive_c, Lane& lane) const override;
  Result<ProofSums> result(const Lane& lane) const override;

 private:
  struct Tables {
    MsmBases<G1> a;
    MsmBases<G1> b1;
    MsmBases<G2> b2;
    MsmBases<G1> c;
    MsmBases<G1> h;
    NttDomain<Fr> domain;
  };

  [[nodiscard]] unsigned log_size() const {
    return static_cast<unsigned>(std::countr_zero(plan_.domain_size));
  }

  template <class Group>
  Result<MsmBases<Group>> load_bases(std::span<const std::byte> points, std::uint32_t first,
                                     std::uint32_t scalars, Uploader& uploader, cudaStream_t stream) const;
  template <class Group>
  Status sum(const Msm<Group>& msm, const MsmBases<Group>& bases, const SortedDigits& digits, ArenaView arena,
             cudaStream_t stream, GroupXyzz<Group>* sums) const;
  Status compute_sums(const typename Plan::Layout& at, Lane& lane, SortedDigits& digits) const;
  Status compute_quotient(const typename Plan::Layout& at, bool derive_c, const SortedDigits& w_digits,
                          Lane& lane) const;
  Status fetch(const typename Plan::Layout& at, Lane& lane) const;

  Plan plan_;
  std::size_t planned_bytes_ = 0;
  std::size_t scratch_bytes_ = 0;
  std::optional<std::size_t> loaded_bytes_;
  std::optional<Tables> tables_;
};

template <class Curve>
std::string DeviceKeyOf<Curve>::plan_text() const {
  return std::string(Curve::kName) + ", domain 2^" + std::to_string(log_size()) + ", windows of " +
         std::to_string(plan_.windows.window_bits) + " bits, " + std::to_string(plan_.windows.tables) +
         (plan_.windows.tables == 1 ? " table" : " tables") + " a base";
}

template <class Curve>
template <class Group>
Result<MsmBases<Group>> DeviceKeyOf<Curve>::load_bases(std::span<const std::byte> points, std::uint32_t first,
                                                       std::uint32_t scalars, Uploader& uploader,
                                                       cudaStream_t stream) const {
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer raw, DeviceBuffer::allocate(points.size()));
  BATON_RETURN_IF_ERROR(uploader.upload(points, raw.data(), stream));
  const auto count = static_cast<std::uint32_t>(points.size() / sizeof(GroupAffine<Group>));
  return MsmBases<Group>::build(raw.data(), count, first, scalars, plan_.windows, stream);
}

template <class Curve>
Status DeviceKeyOf<Curve>::load(const ProvingKeyView& key, Uploader& uploader, cudaStream_t stream) {
  const NvtxRange range("load key");
  const auto load_g1 = [&](std::span<const std::byte> points, std::uint32_t first, std::uint32_t scalars) {
    return load_bases<G1>(points, first, scalars, uploader, stream);
  };
  BATON_ASSIGN_OR_RETURN(MsmBases<G2> b2, load_bases<G2>(key.b2, 0, key.n_vars, uploader, stream));
  BATON_ASSIGN_OR_RETURN(MsmBases<G1> a, load_g1(key.a, 0, key.n_vars));
  BATON_ASSIGN_OR_RETURN(MsmBases<G1> b1, load_g1(key.b1, 0, key.n_vars));
  BATON_ASSIGN_OR_RETURN(MsmBases<G1> c, load_g1(key.c, key.n_public + 1, key.n_vars));
  BATON_ASSIGN_OR_RETURN(MsmBases<G1> h, load_g1(key.h, 0, key.domain_size));
  BATON_ASSIGN_OR_RETURN(NttDomain<Fr> domain, NttDomain<Fr>::build(log_size(), stream));
  loaded_bytes_ =
      a.bytes() + b1.bytes() + b2.bytes() + c.bytes() + h.bytes() + NttDomain<Fr>::bytes(log_size());
  tables_.emplace(
      Tables{std::move(a), std::move(b1), std::move(b2), std::move(c), std::move(h), std::move(domain)});
  return {};
}

template <class Curve>
Status DeviceKeyOf<Curve>::check(const ProofInput& input) const {
  const auto expect = [](const char* name, std::span<const std::byte> section,
                         std::size_t elements) -> Status {
    if (section.size() == elements * 32) {
      return {};
    }
    return invalid_input(std::string("slot section ") + name + ": expected " + std::to_string(elements * 32) +
                         " bytes, found " + std::to_string(section.size()));
  };
  BATON_RETURN_IF_ERROR(expect("w", input.w, plan_.n_vars));
  BATON_RETURN_IF_ERROR(expect("a", input.a, plan_.domain_size));
  BATON_RETURN_IF_ERROR(expect("b", input.b, plan_.domain_size));
  return expect("c", input.c, input.c.empty() ? 0 : plan_.domain_size);
}

template <class Curve>
Status DeviceKeyOf<Curve>::upload(const ProofInput& input, Lane& lane) const {
  const NvtxRange range("upload");
  const auto at = plan_.layout(lane.part);
  const cudaStream_t stream = lane.copy.get();
  const auto bytes = [](Fr* elements) { return reinterpret_cast<std::byte*>(elements); };
  BATON_RETURN_IF_ERROR(lane.events.copy_begin.record(stream));
  BATON_RETURN_IF_ERROR(lane.uploader.upload(input.w, at.w, stream));
  BATON_RETURN_IF_ERROR(lane.events.witness_uploaded.record(stream));
  BATON_RETURN_IF_ERROR(lane.uploader.upload(input.a, bytes(at.a), stream));
  BATON_RETURN_IF_ERROR(lane.uploader.upload(input.b, bytes(at.b), stream));
  BATON_RETURN_IF_ERROR(lane.uploader.upload(input.c, bytes(at.c), stream));
  return lane.events.uploaded.record(stream);
}

template <class Curve>
template <class Group>
Status DeviceKeyOf<Curve>::sum(const Msm<Group>& msm, const MsmBases<Group>& bases,
                               const SortedDigits& digits, ArenaView arena, cudaStream_t stream,
                               GroupXyzz<Group>* sums) const {
  MsmSource<Group> source{&bases, digits};
  if (bases.needs_filter()) {
    BATON_ASSIGN_OR_RETURN(source.digits, plan_.w_filter.run(digits, bases.presence(), arena, stream));
  }
  return msm.run({&source, 1}, arena, stream, sums);
}

template <class Curve>
Status DeviceKeyOf<Curve>::compute_sums(const typename Plan::Layout& at, Lane& lane,
                                        SortedDigits& digits) const {
  const NvtxRange range("sums of A, B1, B2");
  const LaneEvents& events = lane.events;
  const cudaStream_t stream = lane.sums.get();
  ArenaView arena = at.for_sums;
  BATON_RETURN_IF_ERROR(events.witness_uploaded.wait_in(stream));
  BATON_RETURN_IF_ERROR(events.sums_begin.record(stream));
  BATON_ASSIGN_OR_RETURN(digits, plan_.w_sort.run(at.w, arena, stream));
  BATON_RETURN_IF_ERROR(events.digits_sorted.record(stream));
  BATON_RETURN_IF_ERROR(sum(plan_.g2, tables_->b2, digits, arena, stream, at.b2_sums));
  BATON_RETURN_IF_ERROR(events.b2_done.record(stream));
  BATON_RETURN_IF_ERROR(sum(plan_.g1, tables_->a, digits, arena, stream, at.a_sums));
  BATON_RETURN_IF_ERROR(events.a_done.record(stream));
  BATON_RETURN_IF_ERROR(sum(plan_.g1, tables_->b1, digits, arena, stream, at.b1_sums));
  return events.b1_done.record(stream);
}

template <class Curve>
Status DeviceKeyOf<Curve>::compute_quotient(const typename Plan::Layout& at, bool derive_c,
                                            const SortedDigits& w_digits, Lane& lane) const {
  const NvtxRange range("quotient, sum of C and H");
  const LaneEvents& events = lane.events;
  const cudaStream_t stream = lane.quotient.get();
  ArenaView arena = at.for_quotient;
  BATON_RETURN_IF_ERROR(events.uploaded.wait_in(stream));
  BATON_RETURN_IF_ERROR(events.quotient_begin.record(stream));
  BATON_RETURN_IF_ERROR(tables_->domain.quotient(at.a, at.b, at.c, derive_c, stream));
  BATON_RETURN_IF_ERROR(events.quotient_done.record(stream));
  BATON_RETURN_IF_ERROR(events.digits_sorted.wait_in(stream));
  BATON_RETURN_IF_ERROR(events.ch_begin.record(stream));
  std::vector<MsmSource<G1>> sources(1);
  BATON_ASSIGN_OR_RETURN(const SortedDigits h_digits,
                         plan_.h_sort.run(reinterpret_cast<const std::byte*>(at.c), arena, stream));
  sources[0] = {&tables_->h, h_digits};
  if (tables_->h.needs_filter()) {
    BATON_ASSIGN_OR_RETURN(sources[0].digits,
                           plan_.h_filter.run(h_digits, tables_->h.presence(), arena, stream));
  }
  if (tables_->c.present() != 0) {
    BATON_ASSIGN_OR_RETURN(SortedDigits c_digits,
                           plan_.w_filter.run(w_digits, tables_->c.presence(), arena, stream));
    sources.push_back({&tables_->c, c_digits});
  }
  BATON_RETURN_IF_ERROR(plan_.ch.run(sources, arena, stream, at.ch_sums));
  return events.ch_done.record(stream);
}

template <class Curve>
Status DeviceKeyOf<Curve>::fetch(const typename Plan::Layout& at, Lane& lane) const {
  const cudaStream_t stream = lane.sums.get();
  const auto host = plan_.host_sums(lane.results.data());
  const std::size_t groups = msm_sums(plan_.windows);
  const auto copy = [&](const auto* to, const auto* from) {
    return cuda_status(
        cudaMemcpyAsync(const_cast<std::remove_const_t<std::remove_pointer_t<decltype(to)>>*>(to), from,
                        groups * sizeof *from, cudaMemcpyDeviceToHost, stream),
        "copy the sums to the host");
  };
  BATON_RETURN_IF_ERROR(lane.events.ch_done.wait_in(stream));
  BATON_RETURN_IF_ERROR(copy(host.b2, at.b2_sums));
  BATON_RETURN_IF_ERROR(copy(host.a, at.a_sums));
  BATON_RETURN_IF_ERROR(copy(host.b1, at.b1_sums));
  BATON_RETURN_IF_ERROR(copy(host.ch, at.ch_sums));
  return lane.events.done.record(stream);
}

template <class Curve>
Status DeviceKeyOf<Curve>::compute(bool derive_c, Lane& lane) const {
  const auto at = plan_.layout(lane.part);
  SortedDigits digits;
  BATON_RETURN_IF_ERROR(compute_sums(at, lane, digits));
  BATON_RETURN_IF_ERROR(compute_quotient(at, derive_c, digits, lane));
  return fetch(at, lane);
}

template <class Curve>
Result<ProofSums> DeviceKeyOf<Curve>::result(const Lane& lane) const {
  const auto host = plan_.host_sums(lane.results.data());
  const std::size_t groups = msm_sums(plan_.windows);
  ProofSums sums;
  const auto finish = [&]<class Group>(const Msm<Group>&, const GroupXyzz<Group>* from, auto& to) {
    const GroupAffine<Group> point = Msm<Group>::finish({from, groups}, plan_.windows);
    static_assert(sizeof point <= sizeof to);
    std::memcpy(to.data(), &point, sizeof point);
  };
  finish(plan_.g1, host.a, sums.a);
  finish(plan_.g1, host.b1, sums.b1);
  finish(plan_.ch, host.ch, sums.ch);
  finish(plan_.g2, host.b2, sums.b2);
  return sums;
}

template <class Curve>
Result<std::unique_ptr<DeviceKey>> plan_device_key_of(const ProvingKeyView& key, std::size_t table_bytes) {
  BATON_ASSIGN_OR_RETURN(ProofPlan<Curve> plan, ProofPlan<Curve>::make(key, table_bytes));
  return std::unique_ptr<DeviceKey>(std::make_unique<DeviceKeyOf<Curve>>(std::move(plan), key));
}

}  // namespace baton
