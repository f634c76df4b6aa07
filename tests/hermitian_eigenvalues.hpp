// Eigenvalues of Hermitian matrices by Eigen, whose solver takes many seconds to compile: once for all tests.
#pragma once

#include <Eigen/Core>

#include <complex>

namespace pivotlab::test {

/// In ascending order; of the lower triangle.
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXd& A);
Eigen::VectorXd hermitian_eigenvalues(const Eigen::MatrixXcd& A);

}  // namespace pivotlab::test
