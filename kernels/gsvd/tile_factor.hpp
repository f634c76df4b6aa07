// Square factors of a tile: k × k matrices with the Gram matrix of m × k block columns (section 2.3).
#pragma once

#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pivotlab {

/// A = RᴴR with upper triangular R; A's lower triangle is read, R overwrites A with zeros below the diagonal.
/// Returns false, leaving A unusable, when a pivot is lost to rounding: not larger than k·ε times the diagonal element that it
/// came from (a NaN pivot included).
template <class T>
bool cholesky(MatrixView<T> A) {
  using R = RealOf<T>;
  const Index k = A.cols;
  const R lost = R(k) * std::numeric_limits<R>::epsilon();
  for (Index j = 0; j < k; ++j) {
    const R original = real_part(A(j, j));
    const auto above = as_eigen(A).col(j).head(j);
    const R pivot = original - above.squaredNorm();
    if (!(pivot > lost * original)) return false;
    const R root = square_root(pivot);
    A(j, j) = T(root);
    for (Index i = j + 1; i < k; ++i) A(j, i) = (conjugate(A(i, j)) - above.dot(as_eigen(A).col(i).head(j))) / root;
  }
  for (Index j = 0; j < k; ++j)
    for (Index i = j + 1; i < k; ++i) A(i, j) = T(0);
  return true;
}

/// A = P·RᴴR·Pᵀ with diagonal pivoting; R·Pᵀ overwrites A. Returns false like cholesky().
template <class T>
bool pivoted_cholesky(MatrixView<T> A) {
  using R = RealOf<T>;
  const Index k = A.cols;
  const R lost = R(k) * std::numeric_limits<R>::epsilon();
  std::vector<Index> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), Index(0));
  std::vector<R> rest(order.size());
  for (Index j = 0; j < k; ++j) rest[j] = real_part(A(j, j));
  const Matrix<T> gram(A);  // lower triangle
  const auto element = [&](Index i, Index j) { return i >= j ? gram(i, j) : conjugate(gram(j, i)); };
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < k; ++i) A(i, j) = T(0);

  for (Index step = 0; step < k; ++step) {
    const auto largest = std::max_element(order.begin() + step, order.end(), [&](Index x, Index y) { return rest[x] < rest[y]; });
    std::iter_swap(order.begin() + step, largest);
    const Index pivot = order[step];
    if (!(rest[pivot] > lost * real_part(gram(pivot, pivot)))) return false;
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
  return true;
}

/// R·Pᵀ of the column-pivoted QR factorization Y·P = Q·R, Y is m × k with m ≥ k; the rows of Y are first put in descending
/// order of their largest element, which makes Householder QR accurate for rows of very different size (Cox & Higham 1998).
template <class T>
void qr_factor(MatrixView<const T> Y, MatrixView<T> factor) {
  using R = RealOf<T>;
  std::vector<Index> order(static_cast<std::size_t>(Y.rows));
  std::iota(order.begin(), order.end(), Index(0));
  std::vector<R> largest(order.size(), R(0));
  for (Index j = 0; j < Y.cols; ++j)
    for (Index i = 0; i < Y.rows; ++i) largest[i] = std::max(largest[i], magnitude_1(Y(i, j)));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return largest[a] > largest[b]; });

  EigenMatrix<T> sorted(Y.rows, Y.cols);
  for (Index j = 0; j < Y.cols; ++j)
    for (Index i = 0; i < Y.rows; ++i) sorted(i, j) = Y(order[i], j);
  const Eigen::ColPivHouseholderQR<EigenMatrix<T>> qr(std::move(sorted));
  const auto& packed = qr.matrixQR();
  const auto& columns = qr.colsPermutation().indices();
  for (Index j = 0; j < Y.cols; ++j)
    for (Index i = 0; i < Y.cols; ++i) factor(i, columns(j)) = i <= j ? packed(i, j) : T(0);
}

}  // namespace pivotlab
