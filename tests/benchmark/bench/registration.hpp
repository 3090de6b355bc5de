#pragma once

namespace baton::bench {

/// Registers a populated shared segment of `gib` GiB as a gpu-worker does, from a fresh read-only mapping;
/// `threads` 0: as many as it takes by default.
int registration_command(unsigned gib, unsigned threads);

}  // namespace baton::bench
