// SPDX-License-Identifier: BSD-3-Clause
// Baselines: library routines for the same decompositions, with the result types of our solvers, so that
// one experiment compares all of them by the same metrics.
#pragma once

#include <pivotlab/eig.hpp>
#include <pivotlab/eigh.hpp>
#include <pivotlab/ghsvd.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/jacobi.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

struct BaselineInfo {
  std::string name;     ///< "lapack:dggsvd3"
  std::string summary;  ///< one sentence
};

/// Lists the baselines of a scalar type: LAPACK's in a build with LAPACK, and cuSOLVER's in every build.
std::vector<BaselineInfo> list_gsvd_baselines(ScalarType type);

/// Computes the GSVD of F (m_F × n) and G (m_G × n), m_F, m_G ≥ n ≥ 1, by a baseline: U, V, Z, σ_F, σ_G, σ in the
/// library's normalization F·Z = U·Σ_F, G·Z = V·Σ_G, Σ_F² + Σ_G² = I, with σ in descending order. `threads` is the
/// number of threads of the host's BLAS; 0 leaves it unchanged. compute_seconds covers the calls of the routine and the
/// scaling; on the GPU it is measured by events, without the copies of F, G, U, V, Z.
///
/// A pair that the routine cannot decompose (no convergence, GᴴG numerically not positive definite, G numerically not
/// of full column rank) gives status `failed`, a message and no factors. T is double or std::complex<double>.
/// Throws InputError for an unknown baseline (with the nearest), m < n, n = 0, NaN or Inf in the input, and a zero
/// column of G; NotSupported for lapack: in a build without LAPACK, for cusolver: without CUDA, a GPU, cuBLAS or
/// cuSOLVER; std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
GsvdResult<T> solve_gsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                       int threads = 0);

/// P·A·Pᵀ = M·D·M* by a baseline (* as in ldlt.hpp), and the solution of one system from its factors.
template <class T>
struct LdltBaselineResult {
  Matrix<T> M;                     ///< n × n, unit lower triangular, zeros above
  std::vector<T> diagonal;         ///< diagonal of D, length n
  std::vector<T> subdiagonal;      ///< subdiagonal of D, length n; element i is D(i+1, i), the last one 0
  std::vector<Index> permutation;  ///< row i of P·A·Pᵀ is row permutation[i] of A
  /// as in LdltFactorization; empty if D is tridiagonal
  std::vector<Index> interchanges;
  bool tridiagonal = false;  ///< D is not block diagonal: Aasen's algorithm
  /// s of the matrix S·A·S that was factored, S = diag(2^s), all s equal, if D would exceed the range of double;
  /// otherwise empty
  std::vector<int> scaling;
  Matrix<T> X;                 ///< A·X ≈ B, by the routine's own solver; empty if that found D singular
  double compute_seconds = 0;  ///< the factorization alone
};

/// Lists the baselines for a symmetry: LAPACK's in a build with LAPACK, and cuSOLVER's in every build. A real matrix is
/// symmetric.
std::vector<BaselineInfo> list_ldlt_baselines(ScalarType type, Symmetry symmetry = Symmetry::hermitian);

/// Factors A (n × n, n ≥ 0, both triangles) by a baseline and solves for B (n × any). Extreme matrices are scaled to
/// about 1 by a power of two, and elements below 2⁻⁴⁰⁰·max|A| are replaced by zero, because the routines compute
/// reciprocals of pivots, which overflow for denormal ones. `threads` is the number of
/// threads of the host's BLAS; 0 leaves it unchanged. compute_seconds is measured by events on the GPU. T is double or
/// std::complex<double>. Throws InputError for an unknown baseline (with the nearest), for A as ldlt() does, and for a
/// B that does not have n rows; NotSupported and std::bad_alloc as solve_gsvd_with_baseline() does.
template <class T>
LdltBaselineResult<T> factor_with_baseline(std::string_view name, MatrixView<const T> A, MatrixView<const T> B,
                                           Symmetry symmetry = Symmetry::hermitian, int threads = 0);

/// Lists LAPACK's xGEEV in a build with LAPACK, and cuSOLVER's Xgeev in every build.
std::vector<BaselineInfo> list_eig_baselines(ScalarType type);

/// Computes the eigendecomposition of A (n × n, n ≥ 0) by a baseline: eigenvalues in the order of eig(), V, and W if
/// `left`, with unit columns. `threads` and compute_seconds are as in solve_gsvd_with_baseline(). Without convergence
/// the status is not_converged, with a message and no factors. T is double or std::complex<double>. Throws InputError
/// for an unknown baseline (with the nearest) and for A as eig() does; NotSupported and std::bad_alloc as
/// solve_gsvd_with_baseline() does, and NotSupported for left eigenvectors from cuSOLVER, which does not compute them.
template <class T>
EigResult<double> solve_eig_with_baseline(std::string_view name, MatrixView<const T> A, bool left = false,
                                          int threads = 0);

/// Lists the eigensolvers for Hermitian matrices: LAPACK's in a build with LAPACK, and cuSOLVER's in every build.
std::vector<BaselineInfo> list_eigh_baselines(ScalarType type);

/// Computes the eigendecomposition of a Hermitian A (n × n, n ≥ 0; the upper triangle is read) by a baseline:
/// eigenvalues in descending order, U (empty from routines that compute no vectors), inertia by their signs; no
/// estimates. `threads`, compute_seconds and errors are as in solve_eig_with_baseline(). T is double or
/// std::complex<double>.
template <class T>
EighResult<T> solve_eigh_with_baseline(std::string_view name, MatrixView<const T> A, int threads = 0);

/// Lists the singular value decompositions: LAPACK's in a build with LAPACK, and cuSOLVER's in every build.
std::vector<BaselineInfo> list_svd_baselines(ScalarType type);

/// Computes the singular value decomposition of G (m × n, m ≥ n) by a baseline: U, σ in descending order and V of
/// hsvd() with J = I; no estimates. `threads`, compute_seconds and errors are as in solve_eig_with_baseline(); also
/// InputError for m < n. T is double or std::complex<double>.
template <class T>
HsvdResult<T> solve_svd_with_baseline(std::string_view name, MatrixView<const T> G, int threads = 0);

/// Lists the solvers of generalized Hermitian eigenproblems (F*JF, G*G): LAPACK's in a build with LAPACK.
std::vector<BaselineInfo> list_ghsvd_baselines(ScalarType type);

/// Computes the decomposition of ghsvd() by a baseline, without estimates; F, G and J are as there. A G*G that is
/// numerically not positive definite gives status `failed`, a message and no factors. `threads`, compute_seconds and
/// errors are as in solve_gsvd_with_baseline(), but F may have any number of rows. T is double or std::complex<double>.
template <class T>
GhsvdResult<T> solve_ghsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                         const std::vector<int>& J = {}, int threads = 0);

/// Returns one line: BLAS and LAPACK of this process with their versions and kernels; empty in a build without LAPACK.
std::string blas_version();

}  // namespace pivotlab
