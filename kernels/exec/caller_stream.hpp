// SPDX-License-Identifier: BSD-3-Clause
// A stream of the caller, for interfaces that both compilers read.
#pragma once

namespace pivotlab {

/// A cudaStream_t of the current device that outlives what works on it. Null is the default stream.
struct CallerStream {
  void* stream;
};

}  // namespace pivotlab
