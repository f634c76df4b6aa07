// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/dense_instances.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

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
void detail::accumulate(MatrixView<T> C, const RealOf<T>& factor, const FactorOf<T>& A, const FactorOf<T>& B) {
  fix_eigen_blocking();
  const auto add = [&](const auto& a, const auto& b) { as_eigen(C).noalias() += T(factor) * a * b; };
  const auto a = as_eigen(A.matrix), b = as_eigen(B.matrix);
  const bool conjugates = is_complex<T> && (A.op == Op::adjoint || B.op == Op::adjoint);
  if (A.op == Op::none && B.op == Op::none)
    add(a, b);
  else if (B.op == Op::none)
    conjugates ? add(a.adjoint(), b) : add(a.transpose(), b);
  else
    conjugates ? add(a, b.adjoint()) : add(a, b.transpose());
}

template <class T>
void add_gram(MatrixView<T> C, const FactorOf<T>& A) {
  fix_eigen_blocking();
  auto c = as_eigen(C);
  auto lower = c.template selfadjointView<Eigen::Lower>();
  if (A.op == Op::none)
    lower.rankUpdate(as_eigen(A.matrix));
  else
    lower.rankUpdate(as_eigen(A.matrix).adjoint());
}

template <class T>
void substitute_upper(MatrixView<const T> R, MatrixView<std::type_identity_t<T>> X) {
  fix_eigen_blocking();
  auto x = as_eigen(X);
  as_eigen(R).template triangularView<Eigen::Upper>().solveInPlace(x);
}

template <class T>
void divide_by_upper(MatrixView<T> X, MatrixView<const std::type_identity_t<T>> R) {
  fix_eigen_blocking();
  auto x = as_eigen(X);
  as_eigen(R).template triangularView<Eigen::Upper>().template solveInPlace<Eigen::OnTheRight>(x);
}

template <class T>
void substitute_unit_lower(Op op, MatrixView<const T> M, MatrixView<std::type_identity_t<T>> X) {
  fix_eigen_blocking();
  auto x = as_eigen(X);
  const auto m = as_eigen(M).template triangularView<Eigen::UnitLower>();
  if (op == Op::none)
    m.solveInPlace(x);
  else if (is_complex<T> && op == Op::adjoint)
    m.adjoint().solveInPlace(x);
  else
    m.transpose().solveInPlace(x);
}

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

PIVOTLAB_PRODUCTS(float)
PIVOTLAB_DENSE(double)
PIVOTLAB_COMPLEX_DENSE(std::complex<double>)

}  // namespace pivotlab
