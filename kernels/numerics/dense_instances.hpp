// SPDX-License-Identifier: BSD-3-Clause
// The Schur form of dense.hpp, by Eigen for all scalars, and the macros of the sources that instantiate its functions.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"

#include <Eigen/Eigenvalues>
#include <complex>

namespace pivotlab {

template <class T>
bool complex_schur(Matrix<T>& A, Matrix<T>& U) {
  fix_eigen_blocking();
  const EigenMatrix<T> a = as_eigen(A.view());
  const Eigen::ComplexSchur<EigenMatrix<T>> schur(a);
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
#define PIVOTLAB_FACTORIZATIONS(T)                                    \
  template QrFactors<T> qr_factors<T>(MatrixView<const T>);           \
  template QrFactors<T> pivoted_qr_factors<T>(MatrixView<const T>);   \
  template void multiply_by_q<T>(const QrFactors<T>&, MatrixView<T>); \
  template class PartialLU<T>;
#define PIVOTLAB_SCHUR(T) template bool complex_schur<T>(Matrix<T>&, Matrix<T>&);

}  // namespace pivotlab
