#pragma once

#include <nvtx3/nvToolsExt.h>

namespace baton {

/// A named range of this thread in a profiler's timeline.
class NvtxRange {
 public:
  explicit NvtxRange(const char* name) noexcept { (void)nvtxRangePushA(name); }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
  ~NvtxRange() { (void)nvtxRangePop(); }
};

}  // namespace baton
