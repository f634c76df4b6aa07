#include "hermitian_eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace pivotlab::test {

Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXcd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace pivotlab::test
