// Large memory that many threads bring into being.
#pragma once

#include <pivotlab/matrix.hpp>

#include <algorithm>

namespace pivotlab {

/// Zeros. The pages of large memory take longer to come than to be filled; a copy from a device would wait for them one
/// after the other.
template <class T>
Matrix<T> zero_matrix(Index rows, Index cols, int threads) {
  auto result = Matrix<T>::uninitialized(rows, cols);
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < cols; ++j) std::ranges::fill(result.col(j), T(0));
  return result;
}

}  // namespace pivotlab
