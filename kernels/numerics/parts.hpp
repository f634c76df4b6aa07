// SPDX-License-Identifier: BSD-3-Clause
// Copies of matrices and of their parts.
#pragma once

#include <algorithm>
#include <pivotlab/matrix.hpp>

namespace pivotlab {

/// Copies the source to the first columns and rows of the target, which is at least as large.
template <class T>
void copy_into(MatrixView<const T> source, MatrixView<T> target) {
  for (Index j = 0; j < source.cols; ++j) std::ranges::copy(source.col(j), target.col(j).begin());
}

/// Returns A with zeros in place of the elements below the diagonal.
template <class T>
Matrix<T> upper_part(MatrixView<const T> A) {
  Matrix<T> R(A.rows, A.cols);
  for (Index j = 0; j < A.cols; ++j) std::copy_n(A.data + j * A.stride, std::min(j + 1, A.rows), R.col(j).begin());
  return R;
}

/// Returns A with zero rows up to the given number.
template <class T>
Matrix<T> padded(MatrixView<const T> A, Index rows) {
  Matrix<T> result(std::max(A.rows, rows), A.cols);
  copy_into<T>(A, result.view());
  return result;
}

}  // namespace pivotlab
