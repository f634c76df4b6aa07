// SPDX-License-Identifier: BSD-3-Clause
// The generalized singular value decomposition by tangent reduction: QR factorizations, Gram matrices and Newton steps.
//
//   F·Z = U·Σ_F,   G·Z = V·Σ_G,   UᴴU = VᴴV = I,   Σ_F² + Σ_G² = I,   X = Z⁻¹
//
// G = Q_G·R with scaled columns and sorted rows, B = F·R⁻¹ (Drmač's reduction), B·P = Q₁·R₁ and, where R₁ is graded,
// R₁ᴴ = Q₂·Lᴴ. The singular values of M = R₁ or L are those of the pair: a first set of right vectors comes from Gram
// matrices, and steps of products make the columns of A = M·V orthogonal. Nearly all work is in BLAS-3 routines of a
// library: LAPACK on the host, cuBLAS and cuSOLVER on a GPU.
#pragma once

#include <pivotlab/gsvd.hpp>
#include <pivotlab/tangent_report.hpp>
#include <pivotlab/tangent_variant.hpp>

#include <string>
#include <vector>

namespace pivotlab {

struct TangentOptions {
  TangentVariant variant;
  /// emulation runs the kernels of the GPU on the host, with LAPACK in place of cuBLAS and cuSOLVER.
  Backend backend = Backend::host;
  bool compute_x = false;       ///< compute also X = Z⁻¹
  bool estimate_errors = true;  ///< estimate the error of every σ, by five more products of matrices
  /// Decompose by gsvd() where tangent reduction is impossible; otherwise the status is then `failed`.
  bool hari_zimmermann_fallback = true;
  int threads = 0;  ///< threads of the host; 0: as OpenMP and the BLAS choose
};

/// The way that was taken where the reduction is not possible.
enum class TangentFallback {
  none,
  swapped,          ///< the tangent path of (G, F), because R is singular or B = F·R⁻¹ overflows
  hari_zimmermann,  ///< gsvd() of the pair, because (G, F) cannot be reduced either, the steps do not converge, or the
                    ///< result is not accurate: F·Z − U·Σ_F is too large for rounding errors of F
};

std::string_view to_string(TangentFallback fallback);

/// The members of GsvdResult, of which `sweeps` is empty without the fall-back on Hari–Zimmermann; compute_seconds is
/// the time of all attempts, by events on the GPU.
template <class T>
struct TangentResult : GsvdResult<T> {
  TangentFallback fallback = TangentFallback::none;
  std::string fallback_reason;  ///< why tangent reduction of (G, F) or Hari–Zimmermann was needed; otherwise empty
  /// Describes the decomposition that is returned; empty with the fall-back on Hari–Zimmermann.
  TangentReport report;
  /// Estimates of the relative errors of σ, length n, if asked for and without the fall-back on Hari–Zimmermann:
  ///   e_j = |u_j|ᵀ·|F − UΣ_F·X|·|z_j|/σ_F,j + |v_j|ᵀ·|G − VΣ_G·X|·|z_j|/σ_G,j + n·2⁻⁵³, in double precision.
  /// Infinite where σ_F,j or σ_G,j is 0. If the largest one is 0.1 or more, none is reliable.
  std::vector<double> sigma_error;
};

/// GSVD of F (m_F × n) and G (m_G × n), m_F, m_G ≥ n ≥ 1. F may have any rank; a G of deficient rank is served by
/// swapping the roles, and its σ may be infinite. T is double or std::complex<double>.
/// Takes 16 to 27 n³ flops of products and a Hermitian eigenproblem of order n or several smaller ones.
/// The bits are those of the libraries that are called and depend on their versions and threads.
/// Throws InputError for m < n, n = 0 and NaN or Inf in the input; after the fall-back on Hari–Zimmermann, as gsvd();
/// NotSupported for host and emulation in a build without LAPACK, for cuda without a GPU, cuBLAS or cuSOLVER;
/// std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
TangentResult<T> gsvd_tangent(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options = {});

}  // namespace pivotlab
