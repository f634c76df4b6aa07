// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/dense_instances.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace pivotlab {

namespace {

template <class T>
using EigenVector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class Eigens>
auto packed_factors(const Eigens& qr) {
  using T = typename Eigens::Scalar;
  QrFactors<T> factors;
  const EigenMatrix<T>& packed = qr.matrixQR();
  factors.packed = Matrix<T>(packed.rows(), packed.cols());
  as_eigen(factors.packed.view()) = packed;
  factors.tau.assign(qr.hCoeffs().begin(), qr.hCoeffs().end());
  return factors;
}

}  // namespace

template <class T>
QrFactors<T> qr_factors(MatrixView<const T> A) {
  fix_eigen_blocking();
  return packed_factors(Eigen::HouseholderQR<EigenMatrix<T>>(as_eigen(A)));
}

template <class T>
QrFactors<T> pivoted_qr_factors(MatrixView<const T> A) {
  fix_eigen_blocking();
  const Eigen::ColPivHouseholderQR<EigenMatrix<T>> qr(as_eigen(A));
  QrFactors<T> factors = packed_factors(qr);
  const auto& indices = qr.colsPermutation().indices();
  factors.column.assign(indices.begin(), indices.end());
  return factors;
}

template <class T>
void multiply_by_q(const QrFactors<T>& qr, MatrixView<std::type_identity_t<T>> X) {
  fix_eigen_blocking();
  const EigenMatrix<T> packed = as_eigen(qr.packed.view());
  using Vector = EigenVector<T>;
  const Vector tau = Eigen::Map<const Vector>(qr.tau.data(), std::ssize(qr.tau)).conjugate();
  EigenMatrix<T> x = as_eigen(X);
  x.applyOnTheLeft(Eigen::householderSequence(packed, tau));
  as_eigen(X) = x;
}

template <class T>
struct PartialLU<T>::Factors {
  Eigen::PartialPivLU<EigenMatrix<T>> lu;
};

template <class T>
PartialLU<T>::PartialLU(MatrixView<const T> A) {
  fix_eigen_blocking();
  factors_ = std::make_shared<const Factors>(Eigen::PartialPivLU<EigenMatrix<T>>(as_eigen(A)));
}

template <class T>
void PartialLU<T>::solve(MatrixView<T> X) const {
  const EigenMatrix<T> b = as_eigen(X), x = factors_->lu.solve(b);
  as_eigen(X) = x;
}

/// They are the nonnegative eigenvalues of the Golub–Kahan matrix of the bidiagonal form, a tridiagonal matrix with a
/// zero diagonal whose other entries are those of the bidiagonal form in turn.
/// Source: Golub and Van Loan, Matrix Computations, section 8.6.1.
template <class T>
std::vector<double> singular_values(MatrixView<const T> A) {
  fix_eigen_blocking();
  const Eigen::internal::UpperBidiagonalization<EigenMatrix<T>> form(as_eigen(A));
  const auto& diagonals = form.bidiagonal().coeffs();  // The upper one is stored first.
  Eigen::VectorXd entries(2 * A.cols - 1);
  for (Index i = 0; i < entries.size(); ++i) entries(i) = diagonals(i % 2 == 0 ? 1 : 0, (i + 1) / 2);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::VectorXd::Zero(2 * A.cols), entries, Eigen::EigenvaluesOnly);
  std::vector<double> values;
  for (const double x : solver.eigenvalues().tail(A.cols)) values.push_back(std::abs(x));
  return values;
}

PIVOTLAB_FACTORIZATIONS(double)
PIVOTLAB_FACTORIZATIONS(std::complex<double>)
template class PartialLU<std::complex<double>>;
PIVOTLAB_SCHUR(std::complex<double>)
template std::vector<double> singular_values(MatrixView<const double>);
template std::vector<double> singular_values(MatrixView<const std::complex<double>>);

}  // namespace pivotlab
