#include "shared/groth16/resident_keys.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace baton {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::array<std::span<const std::byte>*, 5> sections(ProvingKeyView& view) {
  return {&view.a, &view.b1, &view.b2, &view.c, &view.h};
}

std::size_t bytes_needed(ProvingKeyView view) {
  std::size_t total = 0;
  for (const auto* section : sections(view)) {
    total += aligned(section->size());
  }
  return total;
}

void copy_in_pieces(std::span<const std::byte> from, std::span<std::byte> to, const DoneWith& done) {
  for (std::size_t offset = 0; offset < from.size(); offset += kPieceBytes) {
    const std::span<const std::byte> piece =
        from.subspan(offset, std::min(kPieceBytes, from.size() - offset));
    std::memcpy(to.data() + offset, piece.data(), piece.size());
    done(piece);
  }
}

/// Copies the sections of `view` into `memory` and points the view at the copies.
void copy_sections(ProvingKeyView& view, std::span<std::byte> memory, const DoneWith& done) {
  std::size_t offset = 0;
  for (auto* section : sections(view)) {
    const std::span<std::byte> copy = memory.subspan(offset, section->size());
    copy_in_pieces(*section, copy, done);
    *section = copy;
    offset += aligned(copy.size());
  }
}

}  // namespace

ResidentKeys::Use::Use(Use&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), entry_(std::exchange(other.entry_, nullptr)) {}

ResidentKeys::Use::~Use() {
  if (owner_ != nullptr) {
    owner_->release(*entry_);
  }
}

const ProvingKeyView& ResidentKeys::Use::view() const noexcept {
  return entry_->view;
}

Status ResidentKeys::load(KeyId id, const ProvingKeyView& key, const DoneWith& done) {
  const std::size_t bytes = bytes_needed(key);
  {
    const std::lock_guard lock(mutex_);
    if (find(id) != nullptr) {
      return {};
    }
    while (budget_ != 0 && used_bytes_ + bytes > budget_ && drop_one_idle()) {
    }
    if (budget_ != 0 && used_bytes_ + bytes > budget_) {
      return {StatusCode::kNoSpace, "proving key: " + std::to_string(bytes) + " bytes wanted, " +
                                        std::to_string(budget_ - std::min(budget_, used_bytes_)) +
                                        " of the budget left"};
    }
    used_bytes_ += bytes;
  }
  // The copy is made outside the lock: proofs with other keys go on.
  Result<PageBuffer> memory = PageBuffer::allocate(bytes);
  ProvingKeyView view = key;
  if (memory.is_ok()) {
    copy_sections(view, memory->bytes(), done);
  }
  const std::lock_guard lock(mutex_);
  if (!memory.is_ok() || find(id) != nullptr) {
    used_bytes_ -= bytes;
    return std::move(memory).status();
  }
  Entry& entry = entries_.emplace_back();
  entry.id = id;
  entry.memory = std::move(memory).value();
  entry.view = view;
  return {};
}

Result<ResidentKeys::Use> ResidentKeys::use(KeyId id) {
  const std::lock_guard lock(mutex_);
  Entry* entry = find(id);
  if (entry == nullptr) {
    return Status(StatusCode::kNotFound, "proving key " + std::to_string(id) + " is not loaded");
  }
  ++entry->users;
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const Entry& candidate) { return &candidate == entry; });
  entries_.splice(entries_.end(), entries_, at);
  return Use(*this, *entry);
}

bool ResidentKeys::has(KeyId id) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.id == id && !entry.dropped; });
}

void ResidentKeys::drop(KeyId id) {
  const std::lock_guard lock(mutex_);
  if (Entry* entry = find(id); entry != nullptr) {
    entry->dropped = true;
    if (entry->users == 0) {
      erase(*entry);
    }
  }
}

std::vector<ResidentKey> ResidentKeys::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<ResidentKey> keys;
  for (const Entry& entry : entries_) {
    if (!entry.dropped) {
      keys.push_back({entry.id, entry.memory.bytes().size(), entry.users != 0});
    }
  }
  return keys;
}

ResidentKeys::Entry* ResidentKeys::find(KeyId id) {
  for (Entry& entry : entries_) {
    if (entry.id == id && !entry.dropped) {
      return &entry;
    }
  }
  return nullptr;
}

bool ResidentKeys::drop_one_idle() {
  for (Entry& entry : entries_) {
    if (entry.users == 0) {
      erase(entry);
      return true;
    }
  }
  return false;
}

void ResidentKeys::release(Entry& entry) noexcept {
  const std::lock_guard lock(mutex_);
  if (--entry.users == 0 && entry.dropped) {
    erase(entry);
  }
}

void ResidentKeys::erase(const Entry& entry) noexcept {
  used_bytes_ -= entry.memory.bytes().size();
  entries_.remove_if([&](const Entry& candidate) { return &candidate == &entry; });
}

}  // namespace baton
