// SPDX-License-Identifier: BSD-3-Clause
// Dense linear algebra for tests. Eigen's products and solvers take many seconds to compile: once for all tests.
#pragma once

#include <kernels/numerics/dense.hpp>
#include <kernels/numerics/eigen.hpp>

#include <complex>

namespace pivotlab::test {

template <class T>
MatrixView<const T> view_of(const EigenMatrix<T>& A) {
  return {A.data(), A.rows(), A.cols(), A.rows()};
}

/// Returns A·B for Eigen's expressions.
template <class T>
EigenMatrix<T> dense_product(const Factor<T>& A, const FactorOf<T>& B) {
  const Matrix<T> C = product_of<T>(A, B);
  return as_eigen(C.view());
}

/// Returns the eigenvalues of the lower triangle in ascending order.
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXd& A);
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXcd& A);

/// Returns the singular values in descending order, by two-sided Jacobi rotations.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A);

}  // namespace pivotlab::test
