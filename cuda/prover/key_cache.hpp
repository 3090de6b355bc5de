#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/prover/device_key.hpp"
#include "shared/groth16/prover_backend.hpp"

namespace baton {

/// Keys on the device, by number. A key in use stays until its last user is done; idle ones may be dropped,
/// least recently used first. Safe from any thread.
class KeyCache {
  struct Entry;

 public:
  /// Holds a key while it is used; must not outlive the cache.
  class Use {
   public:
    Use(Use&& other) noexcept;
    Use& operator=(Use&&) = delete;
    ~Use();
    [[nodiscard]] const DeviceKey& key() const noexcept;

   private:
    friend class KeyCache;
    Use(KeyCache& owner, Entry& entry) noexcept : owner_(&owner), entry_(&entry) {}
    KeyCache* owner_;
    Entry* entry_;
  };

  /// There must be none of this number (see has()).
  void add(KeyId id, std::unique_ptr<DeviceKey> key);
  /// kNotFound when there is no such key.
  [[nodiscard]] Result<Use> use(KeyId id);
  [[nodiscard]] bool has(KeyId id) const;
  void drop(KeyId id);
  /// Frees the key that was idle longest; false when none is idle.
  bool drop_one_idle();

  [[nodiscard]] std::vector<ResidentKey> list() const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Entry {
    KeyId id = 0;
    std::unique_ptr<DeviceKey> key;
    unsigned users = 0;
    bool dropped = false;  ///< goes with its last user, and is not found any more
  };

  [[nodiscard]] std::list<Entry>::iterator find(KeyId id);
  void release(Entry& entry) noexcept;

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< least recently used first
};

}  // namespace baton
