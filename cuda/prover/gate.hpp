#pragma once

#include <condition_variable>
#include <mutex>

namespace baton {

/// Lets proofs through, or holds them back while the work memory is exchanged. Closing waits for those
/// inside; those outside wait until it is open again, so closing is never starved.
class Gate {
 public:
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(gate) {
      std::unique_lock lock(gate_.mutex_);
      gate_.changed_.wait(lock, [&] { return !gate_.closed_; });
      ++gate_.inside_;
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      const std::lock_guard lock(gate_.mutex_);
      --gate_.inside_;
      gate_.changed_.notify_all();
    }

   private:
    Gate& gate_;
  };

  class Closure {
   public:
    explicit Closure(Gate& gate) : gate_(gate) {
      std::unique_lock lock(gate_.mutex_);
      gate_.changed_.wait(lock, [&] { return !gate_.closed_; });
      gate_.closed_ = true;
      gate_.changed_.wait(lock, [&] { return gate_.inside_ == 0; });
    }
    Closure(const Closure&) = delete;
    Closure& operator=(const Closure&) = delete;
    ~Closure() {
      const std::lock_guard lock(gate_.mutex_);
      gate_.closed_ = false;
      gate_.changed_.notify_all();
    }

   private:
    Gate& gate_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  unsigned inside_ = 0;
};

}  // namespace baton
