// SPDX-License-Identifier: BSD-3-Clause
// Sums over a block of threads, always in the same order: by each thread, over its warp by XOR butterflies, over the
// warps in ascending order.
#pragma once

#include "kernels/eig/device/planes.hpp"

namespace pivotlab::eig_device {

inline constexpr int line_threads = 256;
inline constexpr int line_warps = line_threads / 32;
inline constexpr int sum_bytes = 8 * line_warps;

/// Launch bounds and shared memory of a kernel with one block per column that reduces over the block.
struct OverColumns {
  static constexpr int threads = line_threads;
  static constexpr int min_blocks = 4;
  static constexpr int shared_bytes = sum_bytes;
};

/// Combines x of all threads by an associative `combine`; every thread gets the result. `shared` holds line_warps
/// doubles.
template <class Context, class Array, class Combine>
PIVOTLAB_DEVICE inline double over_block(Context& context, const Array& shared, double x, const Combine& combine) {
  for (int mask = 16; mask > 0; mask /= 2) x = combine(x, context.shuffle_xor(x, mask));
  context.sync();
  if (context.lane() == 0) shared[context.warp()] = x;
  context.sync();
  double all = shared[0];
  for (int warp = 1; warp < line_warps; ++warp) all = combine(all, shared[warp]);
  return all;
}

template <class Context, class Array>
PIVOTLAB_DEVICE inline double sum_over_block(Context& context, const Array& shared, double x) {
  return over_block(context, shared, x, [](double a, double b) { return a + b; });
}
template <class Context, class Array>
PIVOTLAB_DEVICE inline double maximum_over_block(Context& context, const Array& shared, double x) {
  return over_block(context, shared, x, [](double a, double b) { return a < b ? b : a; });
}

}  // namespace pivotlab::eig_device
