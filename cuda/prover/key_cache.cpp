#include "cuda/prover/key_cache.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace baton {

// Keys are destroyed outside the lock: freeing device memory may wait for the device.

KeyCache::Use::Use(Use&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), entry_(std::exchange(other.entry_, nullptr)) {}

KeyCache::Use::~Use() {
  if (owner_ != nullptr) {
    owner_->release(*entry_);
  }
}

const DeviceKey& KeyCache::Use::key() const noexcept {
  return *entry_->key;
}

void KeyCache::add(KeyId id, std::unique_ptr<DeviceKey> key) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({id, std::move(key), 0, false});
}

Result<KeyCache::Use> KeyCache::use(KeyId id) {
  const std::lock_guard lock(mutex_);
  const auto found = find(id);
  if (found == entries_.end()) {
    return Status(StatusCode::kNotFound, "proving key " + std::to_string(id) + " is not on the device");
  }
  ++found->users;
  entries_.splice(entries_.end(), entries_, found);
  return Use(*this, *found);
}

bool KeyCache::has(KeyId id) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.id == id && !entry.dropped; });
}

void KeyCache::drop(KeyId id) {
  std::list<Entry> gone;
  const std::lock_guard lock(mutex_);
  const auto found = find(id);
  if (found == entries_.end()) {
    return;
  }
  found->dropped = true;
  if (found->users == 0) {
    gone.splice(gone.end(), entries_, found);
  }
}

bool KeyCache::drop_one_idle() {
  std::list<Entry> gone;
  const std::lock_guard lock(mutex_);
  const auto idle =
      std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) { return entry.users == 0; });
  if (idle == entries_.end()) {
    return false;
  }
  gone.splice(gone.end(), entries_, idle);
  return true;
}

std::vector<ResidentKey> KeyCache::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<ResidentKey> keys;
  for (const Entry& entry : entries_) {
    if (!entry.dropped) {
      keys.push_back({entry.id, entry.key->bytes(), entry.users != 0});
    }
  }
  return keys;
}

std::uint64_t KeyCache::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const Entry& entry : entries_) {
    sum += entry.key->bytes();
  }
  return sum;
}

std::list<KeyCache::Entry>::iterator KeyCache::find(KeyId id) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return entry.id == id && !entry.dropped; });
}

void KeyCache::release(Entry& entry) noexcept {
  std::list<Entry> gone;
  const std::lock_guard lock(mutex_);
  if (--entry.users == 0 && entry.dropped) {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& candidate) { return &candidate == &entry; });
    gone.splice(gone.end(), entries_, at);
  }
}

}  // namespace baton
