// SPDX-License-Identifier: BSD-3-Clause
// Square factors of a tile: k × k matrices with the Gram matrix of m × k block columns (section 2.3).
#pragma once

#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pivotlab {

// Each of the three functions returns the independence of the columns: the smallest quotient of a pivot and the
// diagonal element (squared column norm) from which it was computed; zero if a pivot is lost to rounding.

/// Factors A = RᴴR with upper triangular R. Reads the lower triangle of A; R overwrites A, with zeros below the
/// diagonal. Returns zero and leaves A unusable if a pivot is lost to rounding (NaN included).
template <class T>
RealOf<T> cholesky(MatrixView<T> A) {
  using R = RealOf<T>;
  const Index k = A.cols;
  const R lost = lost_pivot<R>(k);
  R smallest(1);
  for (Index j = 0; j < k; ++j) {
    const R original = real_part(A(j, j));
    const auto above = as_eigen(A).col(j).head(j);
    const R pivot = original - above.squaredNorm();
    if (!(pivot > lost * original)) return R(0);
    smallest = std::min(smallest, R(pivot / original));
    const R root = square_root(pivot);
    A(j, j) = T(root);
    for (Index i = j + 1; i < k; ++i) A(j, i) = (conjugate(A(i, j)) - above.dot(as_eigen(A).col(i).head(j))) / root;
  }
  for (Index j = 0; j < k; ++j)
    for (Index i = j + 1; i < k; ++i) A(i, j) = T(0);
  return smallest;
}

/// Factors A = P·RᴴR·Pᵀ with diagonal pivoting; R·Pᵀ overwrites A. Returns zero as cholesky() does.
template <class T>
RealOf<T> pivoted_cholesky(MatrixView<T> A) {
  using R = RealOf<T>;
  const Index k = A.cols;
  const R lost = lost_pivot<R>(k);
  std::vector<Index> order(k);
  std::iota(order.begin(), order.end(), Index(0));
  std::vector<R> rest(order.size());
  for (Index j = 0; j < k; ++j) rest[j] = real_part(A(j, j));
  const Matrix<T> gram(A);  // lower triangle
  const auto element = [&](Index i, Index j) { return i >= j ? gram(i, j) : conjugate(gram(j, i)); };
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < k; ++i) A(i, j) = T(0);

  R smallest(1);
  for (Index step = 0; step < k; ++step) {
    const auto largest =
        std::max_element(order.begin() + step, order.end(), [&](Index x, Index y) { return rest[x] < rest[y]; });
    std::iter_swap(order.begin() + step, largest);
    const Index pivot = order[step];
    const R original = real_part(gram(pivot, pivot));
    if (!(rest[pivot] > lost * original)) return R(0);
    smallest = std::min(smallest, R(rest[pivot] / original));
    const R root = square_root(rest[pivot]);
    A(step, pivot) = T(root);
    for (Index later = step + 1; later < k; ++later) {
      const Index i = order[later];
      T sum = element(pivot, i);
      for (Index l = 0; l < step; ++l) sum -= conjugate(A(l, pivot)) * A(l, i);
      A(step, i) = sum / root;
      rest[i] -= squared_magnitude(A(step, i));
    }
  }
  return smallest;
}

/// Columns of Y that have a single nonzero element, which is also the only one of its row, such as columns of the
/// border (section 3.1).
struct DecoupledColumns {
  std::vector<bool> row, column;
  std::vector<Index> row_of_column;

  template <class T>
  explicit DecoupledColumns(MatrixView<const T> Y) : row(Y.rows), column(Y.cols), row_of_column(Y.cols) {
    std::vector<Index> in_row(Y.rows, 0), in_column(Y.cols, 0);
    for (Index j = 0; j < Y.cols; ++j)
      for (Index i = 0; i < Y.rows; ++i)
        if (Y(i, j) != T(0)) ++in_row[i], ++in_column[j], row_of_column[j] = i;
    for (Index j = 0; j < Y.cols; ++j) column[j] = in_column[j] == 1 && in_row[row_of_column[j]] == 1;
    for (Index j = 0; j < Y.cols; ++j)
      if (column[j]) row[row_of_column[j]] = true;
  }
};

/// Computes R·Pᵀ of the column-pivoted QR factorization Y·P = Q·R, where Y is m × k with m ≥ k. The rows of Y are first
/// sorted in descending order of their largest element, which makes Householder QR accurate for rows of very different
/// size (Cox & Higham 1998). Decoupled columns remain exactly decoupled, as in a Gram matrix. Returns false if a pivot
/// is so small that its square would be lost in a Gram matrix; the factor is accurate nevertheless.
template <class T>
RealOf<T> qr_factor(MatrixView<const T> Y, MatrixView<T> factor) {
  using R = RealOf<T>;
  const DecoupledColumns decoupled(Y);
  std::vector<Index> rows, columns;
  std::vector<R> largest(Y.rows, R(0));
  for (Index j = 0; j < Y.cols; ++j) {
    if (!decoupled.column[j]) columns.push_back(j);
    for (Index i = 0; i < Y.rows; ++i) largest[i] = std::max(largest[i], magnitude_1(Y(i, j)));
  }
  for (Index i = 0; i < Y.rows; ++i)
    if (!decoupled.row[i]) rows.push_back(i);
  sort_indices(rows, [&](Index a, Index b) { return largest[a] > largest[b]; });

  const auto coupled = static_cast<Index>(columns.size());
  as_eigen(factor).setZero();
  for (Index j = 0, next = coupled; j < Y.cols; ++j)
    if (decoupled.column[j]) factor(next++, j) = Y(decoupled.row_of_column[j], j);
  if (coupled == 0) return R(1);  // Eigen does not take an empty matrix

  Matrix<T> sorted(static_cast<Index>(rows.size()), coupled);
  for (Index j = 0; j < coupled; ++j)
    for (Index i = 0; i < sorted.rows(); ++i) sorted(i, j) = Y(rows[i], columns[j]);
  const QrFactors<T> qr = pivoted_qr_factors<T>(sorted);
  const Matrix<T>& packed = qr.packed;
  const auto order = [&](Index j) { return qr.column[j]; };

  for (Index j = 0; j < coupled; ++j)
    for (Index i = 0; i <= j; ++i) factor(i, columns[order(j)]) = packed(i, j);
  R smallest(1);
  for (Index j = 0; j < coupled; ++j) {
    const R column = as_eigen(factor).col(columns[order(j)]).squaredNorm(), pivot = squared_magnitude(packed(j, j));
    smallest = pivot > lost_pivot<R>(Y.cols) * column ? std::min(smallest, R(pivot / column)) : R(0);
  }
  return smallest;
}

}  // namespace pivotlab
