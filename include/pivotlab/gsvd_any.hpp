// SPDX-License-Identifier: BSD-3-Clause
// The generalized singular value decomposition of a pair (F, G) of any shapes and ranks.
//
//   F·Z = U·Σ_F,   G·Z = V·Σ_G,   Σ_F² + Σ_G² = I,   F·N = 0,   G·N = 0,   [F; G] of rank r = k + l, l = rank G
//
// Pairs that gsvd() or gsvd_tangent() take are decomposed by them as they are. All others are reduced by rank-revealing
// orthogonal factorizations to a core pair of triangular matrices of order l, which the same solver decomposes.
// Source: LAPACK xGGSVP3 and xGGSVD3; Bai & Demmel, "Computing the generalized singular value decomposition" (1993).
#pragma once

#include <pivotlab/gsvd_tangent.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

struct AnyGsvdOptions {
  GsvdVariant variant = {};                    ///< of Hari–Zimmermann
  std::optional<TangentVariant> tangent = {};  ///< takes the tangent reduction in place of Hari–Zimmermann
  /// Takes automatic_variant(backend) for `tangent`, and `variant` where that is impossible or the memory or a library
  /// for it is missing; the result's `fallback` and `fallback_reason` tell.
  bool automatic = false;
  Backend backend = Backend::host;  ///< of the solver; the reduction itself is done by LAPACK on the host
  /// Pivots |r_jj| up to this size count as zero in the pivoted QR factorizations that decide k (of F) and l (of G).
  /// They refer to the matrices after the scaling of columns. Default: max(m, n)·‖A‖₁·2⁻⁵². A pair is always reduced if
  /// one of them is given. If none is given and `scale` is set, pivots are compared with norms of their own columns,
  /// and ranks of matrices of integers or of numbers of at most 26 bits are exact (dimensions up to 512).
  std::optional<double> tolerance_f = {}, tolerance_g = {};
  /// Scale the columns of F and G by the same powers of two before the reduction, so that those of F, or with a given
  /// tolerance those of [F; G], have norms in [1, 2): a rank is then decided relative to the columns, and columns of F
  /// of different size keep σ accurate. Neither σ nor U and V change.
  bool scale = true;
  bool compute_z = true;                 ///< after a reduction, Z is computed only if this is set
  bool compute_x = false;                ///< also X, R and Q
  bool estimate_errors = true;           ///< as TangentOptions
  bool hari_zimmermann_fallback = true;  ///< as TangentOptions
  int threads = 0;                       ///< of the host, 0: as OpenMP and the BLAS choose
};

/// The tangent variant of AnyGsvdOptions::automatic: with pivoting on the host, where it costs little and makes σ more
/// accurate.
TangentVariant automatic_variant(Backend backend);

/// The members of GsvdResult have r columns (X: rows) here: U is m_F × r, V is m_G × r, Z is n × r, X is r × n with
/// X·Z = I, F = U·Σ_F·X, G = V·Σ_G·X. Those of TangentResult are empty or `none` where Hari–Zimmermann solved.
/// sigma_error of a reduced pair is estimated from residuals of the whole path for every solver; it is infinite where
/// σ is 0 or infinite, which ranks have decided.
///
/// σ: k infinite ones with σ_F = 1, σ_G = 0, then the finite ones in descending order. The columns of U with σ_F = 0,
/// and those of V with σ_G = 0, complete the others to orthonormal ones as far as there are rows, and are zero beyond.
/// LAPACK's K, L are k, l; its α, β are σ_F, σ_G.
template <class T>
struct AnyGsvdResult : TangentResult<T> {
  Index k = 0, l = 0, r = 0;
  /// This is true if the pair was reduced. If not, the members above are those of the solver, except that U has been
  /// completed for a pair with m_F < n, and there are no tolerances and pivots.
  bool reduced = false;
  /// R is r × r, upper triangular, Q is n × n, unitary: X = [0 R]·Qᴴ. The first n − r columns of Q are N, an
  /// orthonormal basis of the common null space. Without a reduction they are computed only with X, and in a build with
  /// LAPACK.
  Matrix<T> R, Q;
  std::optional<double> tolerance_f, tolerance_g;  ///< that decided k and l
  std::vector<double> pivots_f, pivots_g;  ///< |r_jj| of the two pivoted QR factorizations, to compare with them
  /// Why the tangent reduction decomposed the core pair in place of Hari–Zimmermann; empty if it did not.
  std::string core_fallback;
};

/// GSVD of F (m_F × n) and G (m_G × n) for any m_F, m_G, n ≥ 0 and any ranks. T is double or std::complex<double>. The
/// reduction takes two pivoted QR and three RQ factorizations of matrices of at most max(m, n) × n. A square G of
/// deficient rank is only found out by the solver, whose time is then spent twice.
/// Bits: those of gsvd() without a reduction; with it they depend on LAPACK, its version and its threads.
/// Throws InputError for NaN and Inf in the input, different numbers of columns, a negative tolerance, a core pair that
/// no solver takes because a tolerance is too small, and elements of Z, X or R, or finite σ, beyond the range of
/// double; NotSupported if the backend cannot run the solver, and for a pair that must be reduced in a build without
/// LAPACK; std::bad_alloc as gsvd().
template <class T>
AnyGsvdResult<T> gsvd_any(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options = {});

/// Computes the same by LAPACK's xGGSVD3 (`name` is lapack:dggsvd3 or lapack:zggsvd3), in the same layout: σ is sorted,
/// U and V have r columns. Shapes, errors and threads are those of gsvd_any() and solve_gsvd_with_baseline(); other
/// names throw NotSupported. A pair that the routine cannot decompose gives status `failed` and a message.
template <class T>
AnyGsvdResult<T> solve_any_gsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                              int threads = 0);

/// Writes the file of write_gsvd() with R, Q, k, l and the tolerances. A file cannot hold empty matrices; they are left
/// out.
template <class T>
void write_gsvd(const std::filesystem::path& file, const AnyGsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

}  // namespace pivotlab
