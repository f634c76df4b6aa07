// SPDX-License-Identifier: BSD-3-Clause
// Packed storage of a symmetric or Hermitian matrix: one triangle column by column, and its diagonal separately.
#pragma once

#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pivotlab {

/// The lower triangle of a matrix of order n by columns (for a symmetric matrix the same as the upper one by rows):
/// element (i, j), i ≥ j, is at j·(2n−1−j)/2 + i, counted from 0. The diagonal is stored separately and is zero here,
/// so that a search of the off-diagonal elements reads consecutive memory (section 3.2, Listing 3.1).
template <class T>
class PackedTriangle {
 public:
  PackedTriangle() = default;
  explicit PackedTriangle(Index n)
      : order_(n),
        elements_(n < Index{1} << 31 ? n * (n + 1) / 2 : throw std::bad_alloc(), 1),
        diagonal_(static_cast<std::size_t>(n)) {}

  Index order() const { return order_; }
  /// column(j)[i] is element (i, j), i > j.
  T* column(Index j) { return elements_.data() + offset(j); }
  const T* column(Index j) const { return elements_.data() + offset(j); }
  T& diagonal(Index j) { return diagonal_[j]; }
  const T& diagonal(Index j) const { return diagonal_[j]; }

  /// All n(n+1)/2 elements, zeros on the diagonal; the diagonal.
  std::span<T> elements() { return elements_.col(0); }
  std::span<const T> elements() const { return elements_.col(0); }
  std::vector<T>& diagonal() { return diagonal_; }
  const std::vector<T>& diagonal() const { return diagonal_; }

 private:
  Index offset(Index j) const { return j * (2 * order_ - 1 - j) / 2; }

  Index order_ = 0;
  Matrix<T> elements_;  ///< one column
  std::vector<T> diagonal_;
};

}  // namespace pivotlab
