#include "hermitian_eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace pivotlab::test {

Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

// The real matrix [X -Y; Y X] has each eigenvalue of X + iY twice. Eigen's solver is compiled for one scalar only.
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXcd& A) {
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd real = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = j; i < n; ++i) {
      real(i, j) = real(n + i, n + j) = A(i, j).real();
      if (i > j) real(n + i, j) = A(i, j).imag(), real(n + j, i) = -A(i, j).imag();
    }
  const Eigen::VectorXd twice = hermitian_eigenvalues(real);
  return Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<2>>(twice.data(), n);
}

}  // namespace pivotlab::test
