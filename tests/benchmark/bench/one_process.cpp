#include "tests/benchmark/bench/one_process.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "cuda/prover/cuda_backend.hpp"
#include "shared/formats/proving_key_file.hpp"
#include "shared/support/clock.hpp"
#include "tests/benchmark/bench/storm.hpp"

namespace baton::bench {

namespace {

constexpr unsigned kGpuThreads = 2;
constexpr std::size_t kQueued = 4;  ///< jobs made and not begun

/// Hands values from threads to threads; blocks when full or empty.
template <class T>
class Channel {
 public:
  explicit Channel(std::size_t capacity) : capacity_(capacity) {}

  void push(T value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return values_.size() < capacity_; });
    values_.push_back(std::move(value));
    changed_.notify_all();
  }
  T pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    changed_.notify_all();
    return value;
  }

 private:
  std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
};

/// Memory of one job's input: from the heap, or a registered mapping of the pool.
struct Buffer {
  std::unique_ptr<std::byte[]> heap;
  std::span<std::byte> pooled;
  std::size_t size = 0;
  [[nodiscard]] std::span<std::byte> bytes() const { return heap ? std::span(heap.get(), size) : pooled; }
};
struct Job {
  Buffer buffer;
  ProofInput input;
};

class OneProcess {
 public:
  OneProcess(const ClaimLoad& load, BufferSource source, RecordedSlot slot,
             std::unique_ptr<ProverBackend> backend)
      : load_(load), source_(source), slot_(std::move(slot)), backend_(std::move(backend)) {}
  OneProcess(const OneProcess&) = delete;
  OneProcess& operator=(const OneProcess&) = delete;
  ~OneProcess() {
    ranges_.clear();
    for (const std::span<std::byte> mapping : mappings_) {
      (void)munmap(mapping.data(), mapping.size());
    }
  }

  Status make_pool();
  OneProcessFigures run(std::size_t jobs);

 private:
  Buffer take();
  void make_jobs(std::atomic<std::size_t>& next, std::size_t jobs);
  void prove_jobs(unsigned lane, std::atomic<std::size_t>& next, std::size_t jobs);
  void give_back(std::size_t jobs);
  void prove(unsigned lane, Job& job);

  const ClaimLoad& load_;
  const BufferSource source_;
  const RecordedSlot slot_;
  std::unique_ptr<ProverBackend> backend_;
  std::vector<std::span<std::byte>> mappings_;
  std::vector<std::unique_ptr<RegisteredRange>> ranges_;
  Channel<Buffer> pool_{64};
  Channel<Job> made_{kQueued};
  Channel<Buffer> done_{64};

  std::mutex gpu_;  ///< the lock that proofs and the finisher share
  std::mutex figures_mutex_;
  OneProcessFigures figures_;
  std::optional<ProofSums> first_;
};

Status OneProcess::make_pool() {
  const std::size_t bytes = (slot_.bytes() + 4095) / 4096 * 4096;
  for (std::size_t i = 0; i < load_.service.synth + kQueued + kGpuThreads; ++i) {
    void* mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (mapped == MAP_FAILED) {
      return {StatusCode::kNoSpace, "no memory for the pool"};
    }
    const std::span<std::byte> mapping{static_cast<std::byte*>(mapped), bytes};
    mappings_.push_back(mapping);
    BATON_ASSIGN_OR_RETURN(std::unique_ptr<RegisteredRange> range, backend_->register_range(mapping));
    ranges_.push_back(std::move(range));
    pool_.push({nullptr, mapping.first(slot_.bytes()), slot_.bytes()});
  }
  return {};
}

Buffer OneProcess::take() {
  if (source_ == BufferSource::kPool) {
    return pool_.pop();
  }
  return {std::unique_ptr<std::byte[]>(new std::byte[slot_.bytes()]), {}, slot_.bytes()};
}

void OneProcess::make_jobs(std::atomic<std::size_t>& next, std::size_t jobs) {
  while (next++ < jobs) {
    Job job;
    job.buffer = take();
    job.input = slot_.copy_to(job.buffer.bytes());
    made_.push(std::move(job));
  }
}

void OneProcess::prove(unsigned lane, Job& job) {
  ProofTimings timings;
  const std::lock_guard lock(gpu_);
  const Stopwatch held;
  const auto sums = backend_->prove(
      lane, 1, job.input, [] {}, timings);
  const double held_ms = held.milliseconds();
  const std::lock_guard figures_lock(figures_mutex_);
  if (!first_ && sums.is_ok()) {
    first_ = *sums;
  }
  figures_.wrong += sums.is_ok() && *sums == *first_ ? 0 : 1;
  figures_.timings.push_back(timings);
  figures_.held_ms.push_back(held_ms);
}

void OneProcess::prove_jobs(unsigned lane, std::atomic<std::size_t>& next, std::size_t jobs) {
  while (next++ < jobs) {
    Job job = made_.pop();
    prove(lane, job);
    done_.push(std::move(job.buffer));
  }
}

void OneProcess::give_back(std::size_t jobs) {
  for (std::size_t i = 0; i < jobs; ++i) {
    Buffer buffer = done_.pop();
    const std::lock_guard lock(gpu_);
    const Stopwatch held;
    if (source_ == BufferSource::kPool) {
      pool_.push(std::move(buffer));
    } else {
      buffer.heap.reset();
      (void)malloc_trim(0);
    }
    const double held_ms = held.milliseconds();
    const std::lock_guard figures_lock(figures_mutex_);
    figures_.finisher_held_ms += held_ms;
  }
}

OneProcessFigures OneProcess::run(std::size_t jobs) {
  figures_ = {};
  figures_.jobs = jobs;
  const Stopwatch watch;
  {
    std::atomic<std::size_t> made{0};
    std::atomic<std::size_t> begun{0};
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < load_.service.synth; ++i) {
      threads.emplace_back([&] { make_jobs(made, jobs); });
    }
    for (unsigned lane = 0; lane < kGpuThreads; ++lane) {
      threads.emplace_back([&, lane] { prove_jobs(lane, begun, jobs); });
    }
    threads.emplace_back([&] { give_back(jobs); });
  }
  figures_.wall_ms = watch.milliseconds();
  return figures_;
}

}  // namespace

Result<OneProcessFigures> run_one_process(const ClaimLoad& load, BufferSource source) {
  BATON_ASSIGN_OR_RETURN(RecordedSlot slot, RecordedSlot::read(load.slot));
  CudaOptions options;
  options.lanes = kGpuThreads;
  options.stage_unregistered = false;
  BATON_ASSIGN_OR_RETURN(std::unique_ptr<ProverBackend> backend, make_cuda_backend(options));
  {
    BATON_ASSIGN_OR_RETURN(const ProvingKeyFile key,
                           ProvingKeyFile::open(load.service.key, FileAccess::kMap));
    BATON_RETURN_IF_ERROR(backend->load_key(1, key.view()));
  }
  OneProcess process(load, source, std::move(slot), std::move(backend));
  if (source == BufferSource::kPool) {
    BATON_RETURN_IF_ERROR(process.make_pool());
  }
  (void)process.run(4);
  const AllocationStorm storm(load.storm);
  return process.run(load.jobs);
}

}  // namespace baton::bench
