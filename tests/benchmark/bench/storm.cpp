#include "tests/benchmark/bench/storm.hpp"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <random>

namespace baton::bench {

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBlocksKept = 16;
constexpr unsigned kBlocksPerTrim = 64;

struct Free {
  void operator()(unsigned char* block) const { std::free(block); }
};

void storm(unsigned seed, const std::atomic<bool>& stopping) {
  std::mt19937 random(seed);
  std::deque<std::unique_ptr<unsigned char, Free>> blocks;
  for (unsigned i = 0; !stopping; ++i) {
    const std::size_t bytes = (std::size_t{64} << 10) << random() % 10;
    blocks.emplace_back(static_cast<unsigned char*>(std::malloc(bytes)));
    for (std::size_t at = 0; blocks.back() != nullptr && at < bytes; at += kPage) {
      blocks.back().get()[at] = 1;
    }
    if (blocks.size() > kBlocksKept) {
      blocks.pop_front();
    }
    if (i % kBlocksPerTrim == 0) {
      (void)malloc_trim(0);
    }
  }
}

}  // namespace

AllocationStorm::AllocationStorm(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this, i] { storm(i, stopping_); });
  }
}

AllocationStorm::~AllocationStorm() {
  stopping_ = true;
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void storm_for_ever(unsigned threads) {
  const AllocationStorm running(threads);
  for (;;) {
    pause();
  }
}

}  // namespace baton::bench
