// SPDX-License-Identifier: BSD-3-Clause
// Matrices for LAPACK with a leading dimension that avoids conflicts in the cache.
#pragma once

#include <pivotlab/matrix.hpp>

#include <algorithm>

namespace pivotlab::lapack {

/// Returns the leading dimension for columns of `rows` elements: whole cache lines of 64 bytes, and never a multiple of
/// 512 bytes, with which the elements of a row share a few sets of the cache. LAPACK's unblocked routines are up to 10
/// times slower with a leading dimension of 2^k.
template <class T>
Index padded_dimension(Index rows) {
  constexpr Index line = 64 / sizeof(T);
  const Index whole = (std::max<Index>(rows, 1) + line - 1) / line * line;
  return whole % (8 * line) == 0 ? whole + line : whole;
}

/// A matrix in column-major storage with padded columns; it converts to a view of its elements.
template <class T>
class Padded {
 public:
  Padded(Index rows, Index cols) : rows_(rows), storage_(padded_dimension<T>(rows), cols) {}
  explicit Padded(MatrixView<const T> A) : Padded(A.rows, A.cols) {
    for (Index j = 0; j < A.cols; ++j) std::ranges::copy(A.col(j), view().col(j).begin());
  }

  Index rows() const { return rows_; }
  Index cols() const { return storage_.cols(); }
  T* data() { return storage_.data(); }
  MatrixView<T> view() { return {storage_.data(), rows_, storage_.cols(), storage_.rows()}; }
  MatrixView<const T> view() const { return {storage_.data(), rows_, storage_.cols(), storage_.rows()}; }
  operator MatrixView<T>() { return view(); }
  operator MatrixView<const T>() const { return view(); }
  /// Returns the elements without padding.
  Matrix<T> compact() const { return Matrix<T>(view()); }

 private:
  Index rows_;
  Matrix<T> storage_;
};

}  // namespace pivotlab::lapack
