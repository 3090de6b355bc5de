#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "shared/groth16/page_buffer.hpp"
#include "shared/groth16/prover_backend.hpp"

namespace baton {

/// Proving keys in private memory, by number. A key that is in use stays until its last user is done; idle
/// ones are dropped, least recently used first, to stay within a budget. Safe from any thread.
class ResidentKeys {
  struct Entry;

 public:
  /// `budget_bytes` 0: no bound.
  explicit ResidentKeys(std::uint64_t budget_bytes) noexcept : budget_(budget_bytes) {}

  /// Holds a key while it is used; must not outlive the ResidentKeys.
  class Use {
   public:
    Use(Use&& other) noexcept;
    Use& operator=(Use&&) = delete;
    ~Use();
    [[nodiscard]] const ProvingKeyView& view() const noexcept;

   private:
    friend class ResidentKeys;
    Use(ResidentKeys& owner, Entry& entry) noexcept : owner_(&owner), entry_(&entry) {}
    ResidentKeys* owner_;
    Entry* entry_;
  };

  /// Copies the key piece by piece, telling `done` of each. A key that is there already under this number
  /// stays as it is.
  Status load(KeyId id, const ProvingKeyView& key, const DoneWith& done);
  Status load(KeyId id, const ProvingKeyView& key) {
    return load(id, key, [](std::span<const std::byte>) {});
  }
  /// kNotFound when there is no such key.
  [[nodiscard]] Result<Use> use(KeyId id);
  [[nodiscard]] bool has(KeyId id) const;
  void drop(KeyId id);
  [[nodiscard]] std::vector<ResidentKey> list() const;

 private:
  struct Entry {
    KeyId id = 0;
    PageBuffer memory;
    ProvingKeyView view;
    unsigned users = 0;
    bool dropped = false;  ///< goes with its last user, and is not found any more
  };

  [[nodiscard]] Entry* find(KeyId id);
  [[nodiscard]] bool drop_one_idle();
  void release(Entry& entry) noexcept;
  void erase(const Entry& entry) noexcept;

  mutable std::mutex mutex_;
  std::list<Entry> entries_;  ///< least recently used first
  std::uint64_t budget_;
  std::uint64_t used_bytes_ = 0;
};

}  // namespace baton
