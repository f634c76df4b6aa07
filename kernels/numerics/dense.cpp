// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/dense_instances.hpp"

namespace pivotlab {

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

PIVOTLAB_PRODUCTS(float)
PIVOTLAB_PRODUCTS(double)
PIVOTLAB_PRODUCTS(std::complex<double>)
PIVOTLAB_SUBSTITUTIONS(double)
PIVOTLAB_SUBSTITUTIONS(std::complex<double>)

}  // namespace pivotlab
