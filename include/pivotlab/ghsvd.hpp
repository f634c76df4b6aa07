// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic singular value decomposition of (F, G; J), J = diag(±1) on the rows of F:
//
//   F·Z = U·Σ_F,   U*·J·U = J',   G·Z = V·Σ_G,   V*V = I,   Σ_F² + Σ_G² = I,   λ = J'·Σ_F²·Σ_G⁻²,
//
// where λ are the eigenvalues of (F*JF, G*G): F*JF·z = λ·G*G·z. J = I is the generalized singular value decomposition,
// λ = σ². Tangent reduction (recommended):
//
//   G = Q·R with scaled and ordered columns and sorted rows,   B = F·R⁻¹,   T = B*JB = G_T·J'·G_T*,
//   G_T·W = X·Σ by the hyperbolic SVD,   λ = J'·Σ²,   Z = R⁻¹·X,   V = Q·X,   U = B·G_T⁻*·J'·W·J'.
//
// T and its factorization with complete pivoting are computed in double-double; otherwise rows of F of different sizes
// cost digits. The direct method applies the implicit Hari–Zimmermann algorithm to F and G; for graded columns
// of F it loses digits, because it eliminates without pivoting.
// Source: Drmač, "A tangent algorithm for computing the generalized singular value decomposition", SIAM J. Numer. Anal.
// 35 (1998), for the reduction; Singer, Di Napoli, Novaković & Čaklović, SIAM J. Sci. Comput. 42 (2020), for the direct
// method.
#pragma once

#include <pivotlab/jacobi.hpp>
#include <pivotlab/jacobi_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/symmetric.hpp>

#include <string>
#include <vector>

namespace pivotlab {

struct GhsvdOptions {
  GhsvdVariant variant = {};
  Backend backend = Backend::host;  ///< of all steps but T and its factorization in double-double: the host's
  int max_sweeps = 60;              ///< ≥ 1; limit of sweeps before not_converged
  int max_inner_sweeps = 30;        ///< ≥ 1; limit of sweeps of a tile with FB; BO does one sweep
  int threads = 0;                  ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// Bounds of the errors of a passed result, with m = max(m_F, m_G) and ε = 2⁻⁵², as in LAPACK's tests of the SVD and
/// of the generalized symmetric eigenproblem:
///   ‖(F*JF − λ_j·G*G)·z_j‖ ≤ 30·n·ε·(‖F‖_F² + |λ_j|·‖G‖_F²)·‖z_j‖,
///   ‖F·z_j − u_j·σ_Fj‖ ≤ 35·m·ε·‖F‖_F·‖z_j‖ (λ_j ≠ 0),   ‖G·z_j − v_j·σ_Gj‖ ≤ 35·m·ε·‖G‖_F·‖z_j‖,
///   ‖U*JU − J'‖_F ≤ 35·m·ε·max_j ‖u_j‖²,   ‖V*V − I‖_F ≤ 35·m·ε.
inline constexpr double ghsvd_residual_bound = 30, ghsvd_factor_bound = 35;

/// The largest (m_F + m_G)·n² for which a pair is decomposed in quadruple precision where double does not suffice: two
/// minutes on a core.
inline constexpr double ghsvd_quad_limit = 1e8;

/// All of a result but its matrices.
template <class Real>
struct GhsvdValues {
  /// passed: the equations hold within the bounds above, which is verified for pairs in double on the host;
  /// not_converged as in HsvdResult; incorrect if an equation does not hold, which the message names; failed if G is
  /// numerically not of full column rank: then there is no decomposition, and all members but status and message are
  /// empty
  Status status = Status::failed;
  std::string message;  ///< reason if not passed

  std::vector<Real> eigenvalues;  ///< length n: λ, descending
  std::vector<int> J;             ///< length n: the diagonal of J', the signs of λ; 0 for λ = 0
  std::vector<Real> sigma_f, sigma_g;
  /// Length n: estimated relative error of every λ, between 0 and 1. It includes rounding errors of all steps. The true
  /// error is at most ten times as large, with the direct method 30 times. For λ = 0 it is 0 where the nonzero rows and
  /// columns of F do not leave room for another value, else 1.
  std::vector<Real> estimate;
  /// Length n: whether 10·estimate ≥ 1, so that neither digits nor the sign of λ are determined.
  std::vector<bool> noise;
  Inertia inertia;  ///< signs of the eigenvalues

  Index rank = 0;  ///< number of λ ≠ 0: columns of G_T, or nonzero columns of F·Z with the direct method
  /// Significand of T and of its factorization: 106 (double-double), 113 where all was computed in quadruple precision,
  /// or that of the scalar; 0 if there is no T.
  int tangent_bits = 0;
  Backend factored_on = Backend::host;  ///< what has computed T and its factors; the host in double-double
  std::vector<HsvdSweep> sweeps;
  double reduction_seconds = 0;  ///< QR factorization of G, and B
  double factor_seconds = 0;     ///< T, and T = G_T·J'·G_T*
  double sweep_seconds = 0;      ///< the iteration
  double compute_seconds = 0;    ///< all of the algorithm, without checks of the input and copies to or from a GPU
};

template <class T>
struct GhsvdResult : GhsvdValues<RealOf<T>> {
  using Real = RealOf<T>;
  /// m_F × n; columns of λ = 0 are zero. F·z = 0 for these unless F*JF has a smaller rank than F: then F·Z = U·Σ_F does
  /// not hold for them.
  Matrix<T> U;
  Matrix<T> V;  ///< m_G × n
  Matrix<T> Z;  ///< n × n
};

/// Computes the decomposition of F (m_F × n), G (m_G × n, m_G ≥ n, of full column rank) and J, a vector of m_F signs
/// ±1; an empty J means J = I. m_F may be any number, also less than n, and F may have any rank. T is double, Quad or
/// std::complex of these. T and its factorization take a third of the time: 0.45 of 1.5 s for real n = 512, m = 1024 on
/// one core. Memory: about 4·(m_F + m_G)·n numbers, and about 2·n² twice as wide.
/// On the host the result has the same bits in every run and for any number of threads. On the backend cuda products
/// and solutions are those of cuBLAS, on the backend emulation those of LAPACK's BLAS; with the precision `extended`, B
/// goes to the host, which computes T and factors it, and G_T comes back.
/// The factors of a pair in double are verified, from F, G and J alone. Where an equation does not hold (GhsvdValues),
/// eigenvalues whose noise is set become 0, with J' = 0 and u = 0. Where that does not suffice, and where elements
/// differ so much that squares leave the range of double, the pair is decomposed in quadruple precision up to
/// ghsvd_quad_limit, and the result is rounded; tangent_bits is 113 then.
/// Throws InputError for m_G < n, F and G with different numbers of columns, NaN or Inf, a zero column of G, a J of
/// another length or with other elements, eigenvalues or columns of Z beyond the range of double, above
/// ghsvd_quad_limit columns of F that differ in size, relative to those of G, by more than a factor of 2^256, and
/// options out of range; NotSupported for what hsvd() lacks on the backend, for the
/// direct method on backends other than the host, without cuBLAS and cuSOLVER on the backend cuda, and in a build
/// without LAPACK on the backend emulation; std::bad_alloc if the memory does not suffice.
template <class T>
GhsvdResult<T> ghsvd(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J = {},
                     const GhsvdOptions& options = {});

}  // namespace pivotlab
