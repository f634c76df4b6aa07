// SPDX-License-Identifier: BSD-3-Clause
// Shared memory that keeps the blocks of other kernels away.
#pragma once

namespace pivotlab {

/// Returns the bytes of shared memory with which no block of another kernel runs on the multiprocessor of a block that
/// needs less, if there is a multiprocessor for each of so many blocks; otherwise the bytes that it needs. A block that
/// is bound by latency takes longer beside others.
template <class Executor>
int exclusive_shared_bytes(const Executor& executor, int blocks, int bytes) {
  return blocks <= executor.multiprocessors() ? executor.most_shared_bytes() : bytes;
}

}  // namespace pivotlab
