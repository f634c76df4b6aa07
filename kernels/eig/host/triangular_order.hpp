// SPDX-License-Identifier: BSD-3-Clause
// Matrices that an order of their rows and columns makes upper triangular, as lower triangular ones: their eigenvalues
// are their diagonal, of which an iteration whose errors are relative to ‖A‖ loses small elements.
#pragma once

#include <complex>
#include <pivotlab/matrix.hpp>
#include <utility>
#include <vector>

namespace pivotlab::eig_detail {

/// Returns an order for which A(order, order) of an n × n matrix is upper triangular, with O(n²) operations; empty if
/// there is none.
template <class R>
std::vector<Index> triangular_order(MatrixView<const std::complex<R>> A) {
  const auto is_coupled = [&](Index i, Index j) { return i != j && A(i, j) != std::complex<R>(0); };
  const Index n = A.cols;
  std::vector<Index> couplings(n), order;  // order from the last row to the first
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) couplings[i] += is_coupled(i, j) ? 1 : 0;
  for (Index i = n - 1; i >= 0; --i)
    if (couplings[i] == 0) order.push_back(i);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (Index i = n - 1; i >= 0; --i)
      if (is_coupled(i, order[k]) && --couplings[i] == 0) order.push_back(i);
  if (std::ssize(order) < n) return {};
  return {order.rbegin(), order.rend()};
}

/// Returns A(order, order).
template <class R>
Matrix<std::complex<R>> in_order_of(const std::vector<Index>& order, MatrixView<const std::complex<R>> A) {
  Matrix<std::complex<R>> result(A.rows, A.cols);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) result(i, j) = A(order[i], order[j]);
  return result;
}

/// Moves row i of A to order[i]; A may be empty.
template <class R>
void restore_rows(const std::vector<Index>& order, Matrix<std::complex<R>>& A) {
  Matrix<std::complex<R>> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(order[i], j) = A(i, j);
  A = std::move(result);
}

}  // namespace pivotlab::eig_detail
