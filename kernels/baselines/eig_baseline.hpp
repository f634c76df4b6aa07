// A baseline of the eigendecomposition, and tables of baselines: lapack_eig.cpp has LAPACK's table, no_lapack.cpp
// replaces it in a build without LAPACK; cuSOLVER's is in eig_baselines.cpp.
#pragma once

#include <pivotlab/baselines.hpp>
#include <span>

namespace pivotlab::baselines {

template <class T>
struct EigBaseline {
  std::string_view name, summary;
  /// Decomposes a finite A of order n ≥ 1: fills eigenvalues and V, and W if `left`, in any order, and compute_seconds.
  /// Returns false if the routine does not converge.
  bool (*solve)(MatrixView<const T> A, bool left, EigResult<double>& result);
};

/// Converts the eigenvectors of a real matrix from the form of xGEEV: for a conjugate pair, real and imaginary part as
/// two columns.
inline Matrix<std::complex<double>> unpacked_vectors(const Matrix<double>& X,
                                                     const std::vector<std::complex<double>>& eigenvalues) {
  Matrix<std::complex<double>> V(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    const bool pair = eigenvalues[static_cast<std::size_t>(j)].imag() != 0 && j + 1 < X.cols();
    for (Index i = 0; i < X.rows(); ++i) {
      V(i, j) = {X(i, j), pair ? X(i, j + 1) : 0.0};
      if (pair) V(i, j + 1) = std::conj(V(i, j));
    }
    j += pair;
  }
  return V;
}

/// Returns LAPACK's table; empty in a build without LAPACK.
template <class T>
std::span<const EigBaseline<T>> lapack_eig_baselines();
template <>
std::span<const EigBaseline<double>> lapack_eig_baselines();
template <>
std::span<const EigBaseline<std::complex<double>>> lapack_eig_baselines();

}  // namespace pivotlab::baselines
