#include "cuda/prover/cuda_backend.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/device/cuda_status.hpp"
#include "cuda/prover/device_key.hpp"
#include "cuda/prover/gate.hpp"
#include "cuda/prover/illegal_address.hpp"
#include "cuda/prover/key_cache.hpp"
#include "cuda/prover/lane.hpp"
#include "cuda/prover/nvtx_range.hpp"
#include "cuda/prover/pinned_ranges.hpp"
#include "cuda/prover/self_test.hpp"
#include "cuda/prover/work_memory.hpp"
#include "shared/support/fault_point.hpp"

namespace baton {

namespace {

constexpr unsigned kMaxLanes = 4;
/// Left to the driver, to kernels' local memory and to other users of the device.
constexpr std::uint64_t kReserveBytes = std::uint64_t{1} << 30;

std::string gib(std::uint64_t bytes) {
  const std::uint64_t tenths = bytes * 10 >> 30;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

class CudaBackend final : public ProverBackend {
 public:
  CudaBackend(DeviceInfo device, std::uint64_t budget) : device_(std::move(device)), budget_(budget) {}
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;
  ~CudaBackend() override { (void)cudaSetDevice(device_.index); }

  Status start(const CudaOptions& options);

  [[nodiscard]] std::string description() const override;
  [[nodiscard]] unsigned lanes() const noexcept override { return static_cast<unsigned>(lanes_.size()); }

  Result<std::unique_ptr<RegisteredRange>> register_range(std::span<const std::byte> range) override;

  Status load_key(KeyId id, const ProvingKeyView& key) override;
  [[nodiscard]] bool has_key(KeyId id) const override { return keys_.has(id); }
  void drop_key(KeyId id) override {
    (void)cudaSetDevice(device_.index);
    keys_.drop(id);
  }
  [[nodiscard]] std::vector<ResidentKey> resident_keys() const override { return keys_.list(); }

  Result<ProofSums> prove(unsigned lane, KeyId id, const ProofInput& input,
                          const std::function<void()>& on_uploaded, ProofTimings& timings) override;

 private:
  [[nodiscard]] Status enter() const { return cuda_status(cudaSetDevice(device_.index), "use the device"); }

  [[nodiscard]] std::uint64_t demand(const DeviceKey& key) const;
  bool make_room(std::uint64_t bytes);
  Result<std::unique_ptr<DeviceKey>> plan_within_budget(const ProvingKeyView& key);
  Status grow_work_memory(std::size_t part_bytes);

  Status enqueue(const DeviceKey& key, const ProofInput& input, Lane& lane);

  DeviceInfo device_;
  std::uint64_t budget_;
  PinnedRanges ranges_;
  std::vector<Lane> lanes_;
  WorkMemory memory_;
  Gate gate_;
  KeyCache keys_;

  std::atomic<std::uint64_t> staged_bytes_{0};  ///< of proofs' inputs that lay outside registered ranges

  std::mutex loading_;  ///< one key at a time
  std::optional<Stream> load_stream_;
  std::optional<Uploader> load_uploader_;

  std::mutex order_;                 ///< held while a proof's kernels are enqueued, never while waiting
  const Event* previous_ = nullptr;  ///< the end of the proof that was enqueued last
};

Status CudaBackend::start(const CudaOptions& options) {
  for (unsigned i = 0; i < std::clamp(options.lanes, 1U, kMaxLanes); ++i) {
    BATON_ASSIGN_OR_RETURN(Lane lane, Lane::create(ranges_, options.stage_unregistered));
    lanes_.push_back(std::move(lane));
  }
  BATON_ASSIGN_OR_RETURN(Stream stream, Stream::create());
  load_stream_.emplace(std::move(stream));
  BATON_ASSIGN_OR_RETURN(Uploader uploader, Uploader::create(ranges_, true));
  load_uploader_.emplace(std::move(uploader));
  BATON_RETURN_IF_ERROR(run_self_test(*this));
  staged_bytes_ = 0;
  return {};
}

std::string CudaBackend::description() const {
  const PinnedRanges::Counts counts = ranges_.counts();
  std::string text = device_.name + " (" + device_.uuid + "), " + std::to_string(lanes_.size()) +
                     (lanes_.size() == 1 ? " lane" : " lanes") + ", " + gib(budget_) +
                     " for keys and work, " + std::to_string(counts.registered) +
                     (counts.registered == 1 ? " registered range" : " registered ranges");
  if (counts.refused != 0) {
    text += ", " + std::to_string(counts.refused) + " not registered";
  }
  if (const std::uint64_t staged = staged_bytes_.load(); staged != 0) {
    text += ", " + std::to_string(staged >> 20) + " MiB of input staged through a ring";
  }
  return text;
}

Result<std::unique_ptr<RegisteredRange>> CudaBackend::register_range(std::span<const std::byte> range) {
  BATON_RETURN_IF_ERROR(enter());
  return ranges_.add(range);
}

std::uint64_t CudaBackend::demand(const DeviceKey& key) const {
  const std::uint64_t parts = std::uint64_t{lanes_.size()} * device_aligned(key.lane_bytes());
  return key.bytes() + key.load_scratch_bytes() + (parts > memory_.bytes() ? parts - memory_.bytes() : 0);
}

bool CudaBackend::make_room(std::uint64_t bytes) {
  const auto fits = [&] { return keys_.bytes() + memory_.bytes() + bytes <= budget_; };
  while (!fits() && keys_.drop_one_idle()) {
  }
  return fits();
}

Result<std::unique_ptr<DeviceKey>> CudaBackend::plan_within_budget(const ProvingKeyView& key) {
  // Half of everything for one key's tables at most; less when that does not fit beside keys in use.
  std::uint64_t table_bytes = budget_ / 2;
  std::uint64_t wanted = 0;
  for (unsigned halvings = 0; halvings < 8; ++halvings, table_bytes /= 2) {
    BATON_ASSIGN_OR_RETURN(std::unique_ptr<DeviceKey> plan, plan_device_key(key, table_bytes));
    wanted = demand(*plan);
    if (make_room(wanted)) {
      return Result<std::unique_ptr<DeviceKey>>(std::move(plan));
    }
  }
  return Status(StatusCode::kNoSpace, "proving key: " + gib(wanted) + " of device memory wanted, budget " +
                                          gib(budget_) + ", " + gib(keys_.bytes() + memory_.bytes()) +
                                          " in use");
}

Status CudaBackend::grow_work_memory(std::size_t part_bytes) {
  if (part_bytes <= memory_.part_bytes()) {
    return {};
  }
  const Gate::Closure closed(gate_);
  return memory_.grow(part_bytes, lanes_);
}

Status CudaBackend::load_key(KeyId id, const ProvingKeyView& key) {
  BATON_RETURN_IF_ERROR(enter());
  BATON_RETURN_IF_ERROR(check_key_view(key));
  const std::lock_guard lock(loading_);
  if (keys_.has(id)) {
    return {};
  }
  BATON_ASSIGN_OR_RETURN(std::unique_ptr<DeviceKey> device_key, plan_within_budget(key));
  BATON_RETURN_IF_ERROR(grow_work_memory(device_key->lane_bytes()));
  BATON_RETURN_IF_ERROR(device_key->load(key, *load_uploader_, load_stream_->get()));
  keys_.add(id, std::move(device_key));
  return {};
}

Status CudaBackend::enqueue(const DeviceKey& key, const ProofInput& input, Lane& lane) {
  const std::uint64_t staged = lane.uploader.staged_bytes();
  BATON_RETURN_IF_ERROR(key.upload(input, lane));
  staged_bytes_ += lane.uploader.staged_bytes() - staged;
  // Proofs compute one after the other; a proof's copies run beside the kernels of the one before.
  const std::lock_guard lock(order_);
  if (previous_ != nullptr) {
    BATON_RETURN_IF_ERROR(previous_->wait_in(lane.sums.get()));
    BATON_RETURN_IF_ERROR(previous_->wait_in(lane.quotient.get()));
  }
  BATON_RETURN_IF_ERROR(key.compute(input.c.empty(), lane));
#ifdef BATON_FAULTS
  if (fault_point("cuda.compute") == FaultAction::kError) {
    BATON_RETURN_IF_ERROR(touch_illegal_address(lane.sums.get()));
    BATON_RETURN_IF_ERROR(lane.events.done.record(lane.sums.get()));
  }
#endif
  previous_ = &lane.events.done;
  return {};
}

Result<ProofSums> CudaBackend::prove(unsigned lane_index, KeyId id, const ProofInput& input,
                                     const std::function<void()>& on_uploaded, ProofTimings& timings) {
  const NvtxRange range("prove");
  if (lane_index >= lanes_.size()) {
    return internal_error("lane " + std::to_string(lane_index) + " of " + std::to_string(lanes_.size()));
  }
  BATON_RETURN_IF_ERROR(enter());
  BATON_ASSIGN_OR_RETURN(const KeyCache::Use use, keys_.use(id));
  BATON_RETURN_IF_ERROR(use.key().check(input));
  const Gate::Pass pass(gate_);
  Lane& lane = lanes_[lane_index];
  Status status = enqueue(use.key(), input, lane);
  if (status.is_ok()) {
    status = lane.events.uploaded.synchronize();
  }
  if (status.is_ok()) {
    on_uploaded();
    status = lane.events.done.synchronize();
  }
  if (!status.is_ok()) {
    lane.drain();
    return status;
  }
  timings.copy_bytes = input.w.size() + input.a.size() + input.b.size() + input.c.size();
  BATON_RETURN_IF_ERROR(read_timings(lane.events, timings));
  return use.key().result(lane);
}

Result<DeviceInfo> choose_device(const std::string& wanted) {
  unsigned index = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, index);
  if (wanted.empty() || parsed.ec != std::errc() || parsed.ptr != end) {
    return find_device(wanted);
  }
  BATON_ASSIGN_OR_RETURN(const std::vector<DeviceInfo> devices, list_devices());
  if (index >= devices.size()) {
    return Status(StatusCode::kNotFound,
                  "device " + wanted + " of " + std::to_string(devices.size()) + " that are visible");
  }
  return devices[index];
}

}  // namespace

Result<std::unique_ptr<ProverBackend>> make_cuda_backend(const CudaOptions& options) {
  BATON_ASSIGN_OR_RETURN(const DeviceInfo device, choose_device(options.device));
  BATON_RETURN_IF_ERROR(use_device(device));
  std::uint64_t budget = options.vram_budget_bytes;
  if (budget == 0) {
    BATON_ASSIGN_OR_RETURN(const std::size_t free_bytes, free_device_memory());
    budget = free_bytes > kReserveBytes ? free_bytes - kReserveBytes : 0;
  }
  auto backend = std::make_unique<CudaBackend>(device, budget);
  BATON_RETURN_IF_ERROR(backend->start(options));
  return std::unique_ptr<ProverBackend>(std::move(backend));
}

}  // namespace baton
