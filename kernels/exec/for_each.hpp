// SPDX-License-Identifier: BSD-3-Clause
// A kernel that calls a function for each element of a matrix.
#pragma once

#include "kernels/exec/portable.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab {

/// Calls f(i, j) for 0 ≤ i < rows, 0 ≤ j < cols: a thread per element, 256 threads a block, columns one after the
/// other; no shared memory.
template <class F>
struct ForEach {
  struct Arguments {
    F f;
    Index rows, cols;
  };
  static constexpr int threads = 256, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index e = Index(context.block()) * threads + context.thread();
    if (e < a.rows * a.cols) a.f(e % a.rows, e / a.rows);
  }
};

}  // namespace pivotlab
