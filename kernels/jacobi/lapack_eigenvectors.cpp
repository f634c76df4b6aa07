// SPDX-License-Identifier: BSD-3-Clause
// Approximate eigenvectors by LAPACK.
#include <kernels/jacobi/lapack_eigenvectors.hpp>
#include <kernels/libraries/blas.hpp>
#include <kernels/libraries/lapack.hpp>

namespace pivotlab::jacobi {

template <class T>
ApproximateEigenvectors<T> lapack_eigenvectors(MatrixView<const T> A, int threads) {
  lapack::require("a variant with spectral");
  const lapack::BlasThreads scope(threads);
  ApproximateEigenvectors<T> result{std::vector<double>(A.rows), Matrix<T>(A)};
  if (lapack::heevd<T>(Triangle::upper, result.vectors, result.values.data()) != 0) return {};
  return result;
}

using Complex = std::complex<double>;
template ApproximateEigenvectors<double> lapack_eigenvectors(MatrixView<const double>, int);
template ApproximateEigenvectors<Complex> lapack_eigenvectors(MatrixView<const Complex>, int);

}  // namespace pivotlab::jacobi
