// SPDX-License-Identifier: BSD-3-Clause
#include "dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace pivotlab::test {
namespace {

/// Returns [X −Y; Y X], which has the eigenvalues and singular values of X + i·Y twice. Eigen's solvers are compiled
/// for one scalar only.
Eigen::MatrixXd embedded(const Eigen::MatrixXcd& A) {
  Eigen::MatrixXd result(2 * A.rows(), 2 * A.cols());
  result << A.real(), -A.imag(), A.imag(), A.real();
  return result;
}

/// Returns every other of them.
Eigen::VectorXd once(const Eigen::VectorXd& twice) {
  return Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<2>>(twice.data(), twice.size() / 2);
}

}  // namespace

Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXcd& A) {
  const Eigen::MatrixXcd whole = A.selfadjointView<Eigen::Lower>();
  return once(hermitian_eigenvalues(embedded(whole)));
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
}
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& A) {
  return once(singular_values(embedded(A)));
}

}  // namespace pivotlab::test
