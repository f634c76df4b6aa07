// SPDX-License-Identifier: BSD-3-Clause
// Large matrices whose memory is first written by all threads.
#pragma once

#include <algorithm>
#include <kernels/numerics/threads.hpp>
#include <memory>
#include <pivotlab/matrix.hpp>

namespace pivotlab {

/// Returns rows × cols zeros, written by several threads: the first touch of 4 GB takes one or two seconds with one
/// thread.
template <class T>
Matrix<T> zeros(Index rows, Index cols, int threads = 0) {
  constexpr Index piece = Index(1) << 18;  // elements
  if (rows * cols <= piece) return Matrix<T>(rows, cols);
  Matrix<T> A = Matrix<T>::uninitialized(rows, cols);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index first = 0; first < A.size(); first += piece)
    std::uninitialized_value_construct_n(A.data() + first, std::min(piece, A.size() - first));
  return A;
}

/// Returns a copy of A, written by several threads.
template <class T>
Matrix<T> copied(MatrixView<const T> A, int threads = 0) {
  Matrix<T> copy = Matrix<T>::uninitialized(A.rows, A.cols);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < A.cols; ++j) std::uninitialized_copy_n(A.data + j * A.stride, A.rows, copy.col(j).data());
  return copy;
}

}  // namespace pivotlab
