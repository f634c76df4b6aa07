// SPDX-License-Identifier: BSD-3-Clause
// Errors of J-orthogonal matrices.
#pragma once

#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Returns V*·J·V − J' in the extended scalar E, rounded. J has a sign for each row of V, J' an element for each
/// column.
template <class E, class T>
Matrix<T> j_unitary_error(const Matrix<T>& V, const std::vector<int>& J, const std::vector<int>& expected,
                          int threads) {
  Matrix<T> JV = V;
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = 0; i < V.rows(); ++i) JV(i, j) *= static_cast<double>(J[i]);
  Matrix<E> gram = product<E>({V, Op::adjoint}, JV, threads);
  Matrix<T> error(V.cols(), V.cols());
  for (Index j = 0; j < V.cols(); ++j) {
    gram(j, j) -= extend<E>(T(static_cast<double>(expected[j])));
    for (Index i = 0; i < V.cols(); ++i) error(i, j) = round_to_double<T>(gram(i, j));
  }
  return error;
}

}  // namespace pivotlab::experiments
