// Large memory whose pages are first touched by many threads.
#pragma once

#include <pivotlab/matrix.hpp>

#include <algorithm>

namespace pivotlab {

/// Returns zeros. The first touch of pages takes longer than filling them, and a copy from a device would touch them
/// one after the other.
template <class T>
Matrix<T> zero_matrix(Index rows, Index cols, int threads) {
  auto result = Matrix<T>::uninitialized(rows, cols);
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < cols; ++j) std::ranges::fill(result.col(j), T(0));
  return result;
}

}  // namespace pivotlab
