// SPDX-License-Identifier: BSD-3-Clause
// The Schur form of dense.hpp, by Eigen for all scalars, and the macros of the sources that instantiate its functions.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/householder.hpp"

#include <Eigen/Eigenvalues>
#include <complex>
#include <type_traits>

namespace pivotlab {

namespace detail {

/// Computes the Hessenberg form A = Q·H·Qᴴ: H overwrites A. Returns Qᴴ. Eigen's reduction of extended scalars would
/// take the compiler half of the time of eig_extended.cpp.
template <class T>
Matrix<T> to_hessenberg(Matrix<T>& A) {
  const Index n = A.rows();
  auto adjoint_of_q = Matrix<T>::identity(n);
  for (Index k = 0; k + 2 < n; ++k) {
    const auto below = static_cast<std::size_t>(k) + 1;
    const std::span<T> column = A.col(k).subspan(below);
    std::vector<T> v(column.begin(), column.end());
    const Reflector<T> reflector(std::span<T>{v});
    std::ranges::fill(column, T(0));
    column[0] = reflector.image;
    for (Index j = k + 1; j < n; ++j) reflect<T>(v, reflector.tau, A.col(j).subspan(below));
    for (Index j = 0; j < n; ++j) reflect<T>(v, reflector.tau, adjoint_of_q.col(j).subspan(below));
    for (Index i = 0; i < n; ++i) {
      T dot(0);
      for (std::size_t l = 0; l < v.size(); ++l) dot += times(A(i, k + 1 + static_cast<Index>(l)), v[l]);
      dot *= reflector.tau;
      for (std::size_t l = 0; l < v.size(); ++l) A(i, k + 1 + static_cast<Index>(l)) -= times(dot, conjugate(v[l]));
    }
  }
  return adjoint_of_q;
}

}  // namespace detail

template <class T>
bool complex_schur(Matrix<T>& A, Matrix<T>& U) {
  fix_eigen_blocking();
  EigenMatrix<T> a = as_eigen(A.view());
  Eigen::ComplexSchur<EigenMatrix<T>> schur(A.rows());
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    schur.compute(a);
  } else {
    Matrix<T> H = A;
    const Matrix<T> adjoint_of_q = detail::to_hessenberg(H);
    a = as_eigen(H.view());
    schur.computeFromHessenberg(a, as_eigen(adjoint_of_q.view()).adjoint());
  }
  if (schur.info() != Eigen::Success) return false;
  as_eigen(A.view()) = schur.matrixT();
  U = Matrix<T>(A.rows(), A.cols());
  as_eigen(U.view()) = schur.matrixU();
  return true;
}

#define PIVOTLAB_PRODUCTS(T)                                                                                    \
  template void detail::accumulate<T>(MatrixView<T>, const RealOf<T>&, const FactorOf<T>&, const FactorOf<T>&); \
  template void add_gram<T>(MatrixView<T>, const FactorOf<T>&);
#define PIVOTLAB_SUBSTITUTIONS(T)                                        \
  template void substitute_upper<T>(MatrixView<const T>, MatrixView<T>); \
  template void divide_by_upper<T>(MatrixView<T>, MatrixView<const T>);  \
  template void substitute_unit_lower<T>(Op, MatrixView<const T>, MatrixView<T>);
#define PIVOTLAB_FACTORIZATIONS(T)                                  \
  template QrFactors<T> qr_factors<T>(MatrixView<const T>);         \
  template QrFactors<T> pivoted_qr_factors<T>(MatrixView<const T>); \
  template void multiply_by_q<T>(const QrFactors<T>&, MatrixView<T>);
#define PIVOTLAB_SCHUR(T) template bool complex_schur<T>(Matrix<T>&, Matrix<T>&);

}  // namespace pivotlab
