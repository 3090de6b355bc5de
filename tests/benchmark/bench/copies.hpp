#pragma once

namespace baton::bench {

/// Copies 16 MiB from registered shared memory to the device twenty times a second for `seconds`: what a bare
/// loop gets at this moment, beside whatever else runs.
int copies_command(unsigned seconds);

}  // namespace baton::bench
