// SPDX-License-Identifier: BSD-3-Clause
// State that one stage of the elimination passes to the next, in device memory.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cstdint>
#include <limits>

namespace pivotlab::ldlt_device {

/// An element that might be the pivot.
template <class T>
struct Candidate {
  double size;         ///< its modulus
  std::int64_t place;  ///< column·2³² + row of an off-diagonal element; the row of a diagonal one
  T value;

  static PIVOTLAB_DEVICE Candidate none() { return {0, std::numeric_limits<std::int64_t>::max(), T(0)}; }
};

/// Returns the larger candidate; among equal ones that in the least column, then the least row.
template <class T>
PIVOTLAB_DEVICE inline Candidate<T> better(const Candidate<T>& x, const Candidate<T>& y) {
  return y.size > x.size || (y.size == x.size && y.place < x.place) ? y : x;
}

/// Returns the best of the values of all threads to every thread. Uses one element of shared memory for each thread.
template <class Context, class Value>
PIVOTLAB_DEVICE inline Value best_of_block(Context& context, const Value& value, int shared_offset = 0) {
  const auto values = context.template shared<Value>(shared_offset, context.threads());
  const int t = context.thread();
  values[t] = value;
  for (int half = warp_size / 2; half > 0; half /= 2) {
    context.sync_warp();
    if (context.lane() < half) values[t] = better(values[t], values[t + half]);
  }
  context.sync();
  Value best = values[0];
  for (int first = warp_size; first < context.threads(); first += warp_size) best = better(best, values[first]);
  context.sync();
  return best;
}

/// Progress of the elimination.
struct State {
  std::int64_t k = 0;       ///< first row of the reduced matrix
  std::int64_t stages = 0;  ///< done so far
  int pending = 0;          ///< columns of M not yet applied to the stored reduced matrix
  int done = 0;
  double remainder = 0;  ///< the largest element that complete pivoting treated as zero
  double tolerance = 0;  ///< up to which elements count as zero
  double stored = 0;     ///< bound of the off-diagonal elements of the stored reduced matrix and of the pending C*
};

/// Record of one stage for the host.
struct StageRecord {
  std::int64_t first;     ///< k
  std::int64_t pivot[2];  ///< rows that moved to k and, for a 2×2 pivot, to k + 1
  int size;
  double largest;  ///< largest element of the reduced matrix
};

/// D and the records of the stages.
template <class T>
struct FactorsView {
  T *diagonal, *subdiagonal;  ///< of D
  StageRecord* stages;
};

/// All data except the triangle that a stage reads and writes for the next one. There are two copies, so that no block
/// of threads overwrites data that another block still reads.
template <class T>
struct Generation {
  State* state;
  T* diagonal;                     ///< of the reduced matrix, up to date
  T* m;                            ///< pending columns of M, [slot][row]; zeros in unused slots
  T* minus_w;                      ///< −C* of the same stages
  std::int64_t stride;             ///< rows of a slot, with the padding
  Candidate<T>* diagonal_largest;  ///< [block of Eliminate]
};

}  // namespace pivotlab::ldlt_device
