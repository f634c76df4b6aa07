// SPDX-License-Identifier: BSD-3-Clause
// Approximate eigenvectors of a Hermitian matrix, for the spectral preconditioner.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <vector>

namespace pivotlab::jacobi {

/// Eigenvalues in ascending order and orthonormal eigenvectors.
template <class T>
struct ApproximateEigenvectors {
  std::vector<RealOf<T>> values;
  Matrix<T> vectors;
};

/// Computes them by LAPACK's xSYEVD or xHEEVD. Throws NotSupported in a build without LAPACK. T is double or
/// std::complex<double>. No values: the routine does not converge.
template <class T>
ApproximateEigenvectors<T> lapack_eigenvectors(MatrixView<const T> A, int threads);

}  // namespace pivotlab::jacobi
