// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic singular value decomposition of (G, J) by a one-sided Jacobi iteration:
//
//   G·V = U·Σ,   V*·J·V = J',   U*U = I,   Σ ≥ 0 diagonal,   J, J' = diag(±1) with the same number of +1.
//
// J'·Σ² are the nonzero eigenvalues of G·J·G*, and U has their eigenvectors; J = I is the singular value decomposition.
// Relative errors of all σ are about ε·κ(B), B = G with unit columns, however much the norms of columns differ.
// Source: Veselić, "A Jacobi eigenreduction algorithm for definite matrix pairs" (1993); Slapničar, "Highly accurate
// symmetric eigenvalue decomposition and hyperbolic SVD" (2003); Hari, Singer & Singer (2010, 2014) for the blocks.
#pragma once

#include <pivotlab/jacobi_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/refine_report.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/variant.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pivotlab {

struct HsvdOptions {
  HsvdVariant variant = {};
  Backend backend = Backend::host;
  bool compute_v = false;     ///< also accumulates V
  int max_sweeps = 60;        ///< ≥ 1; limit of sweeps before not_converged
  int max_inner_sweeps = 30;  ///< ≥ 1; limit of sweeps of a tile with FB; BO does one sweep
  int threads = 0;            ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// Counters of one sweep.
struct HsvdSweep {
  std::uint64_t transformations = 0;  ///< all 2×2 transformations
  std::uint64_t big = 0;              ///< big transformations: |cos(g_p, g_q)| > √u
  std::uint64_t hyperbolic = 0;       ///< transformations of a pair with different signs in J
  std::uint64_t clamped = 0;          ///< hyperbolic ones of nearly parallel columns, whose |tanh φ| was limited
  std::uint64_t skipped_tiles = 0;    ///< tiles without transformations, whose columns were not multiplied
  std::uint64_t qr_tiles = 0;         ///< tiles of which Cholesky lost a pivot, so that QR factors them, now or next
  std::uint64_t null_columns = 0;     ///< columns set to zero after the sweep because they were rounding noise
  int max_inner_sweeps = 0;           ///< the most inner sweeps that a tile needed
  double largest_cosine = 0;          ///< largest |cos(g_p, g_q)| of a transformed pair
  double largest_tan = 0;             ///< largest |tan φ| of a unitary transformation, at most 1
  double largest_tanh = 0;            ///< largest |tanh φ| of a hyperbolic transformation
  double seconds = 0;
};

template <class T>
struct HsvdResult {
  using Real = RealOf<T>;
  /// passed; not_converged if columns of U are not orthogonal, if the last sweep had clamped transformations, or if V
  /// was requested for a J with both signs and residual or J-orthogonality are larger than rounding errors
  Status status = Status::failed;
  std::string message;  ///< reason if not passed, or why a passed result is not refined

  Matrix<T> U;              ///< m × k, k = min(m, n); columns of σ = 0 are arbitrary orthonormal ones
  std::vector<Real> sigma;  ///< length k; J'·σ² descends: those of J' = +1 descend, those of J' = −1 ascend
  std::vector<int> J;       ///< length k: the diagonal of J', all +1 before all −1
  /// Length k: estimated relative error of σ_j², from rounding errors of the sweeps, of the factorizations of a variant
  /// with `qrp`, of the products of one with `exact`, and of a σ_j that is no normal number; of a refined σ_j its
  /// bound. For σ_j = 0 it is 0 if a zero column of G (a zero row if m < n) determines it, else 1.
  std::vector<Real> estimate;
  Matrix<T> V;  ///< n × k if requested, otherwise empty

  RefineReport refinement;  ///< of a variant with `refine`
  std::vector<HsvdSweep> sweeps;
  double compute_seconds = 0;  ///< the algorithm alone, without copies and checks of the input
};

/// Computes the hyperbolic SVD of G (m × n) and J, a vector of n signs ±1; an empty J means J = I. T is double, long
/// double, Quad or std::complex of these. Columns that are linearly dependent up to rounding errors give σ = 0, or a σ
/// of the size of rounding errors whose estimate is near 1. For m < n, J must be ±I, and the adjoint is decomposed:
/// G*·U = V·Σ. Columns of double that are more than 2^416 apart are decomposed in long double on the host.
/// For a J with both signs and with V, errors of V and of the residual that nearly parallel columns of different signs
/// have multiplied are removed by another iteration on G·V.
/// The iteration ends when no cosine between columns is above √m·ε, or (8 + m)·ε after a sweep without big
/// transformations and with largest_cosine·largest_tan ≤ (8 + m)·ε.
/// With `exact`, which has the scalars double and std::complex<double> and J = ±I, relative errors of σ of any matrix
/// are of size ε as long as the elements of a row, and those of a column, are not about 2^90 apart; elsewhere the
/// estimates say what is lost. It takes a second iteration, seldom a third one, and exact products
/// (pivotlab/exact.hpp), which the host computes for the other backends, too. With `exact;spectral` and J = I there are
/// no sweeps: eigenvectors of G*G are improved by rotations of all pairs at once; the iteration follows only if that
/// fails. With `refine`, which has the same scalars and J = I, refine_svd() follows, on the GPU with the backend cuda,
/// on the host with the others; its bits are then those of products of cuBLAS. But for `spectral`, the result has the
/// same bits in every run and for any number of threads. The backends cuda and emulation have the same bits as each
/// other, the host has others; they have the forms FB and BO without `qrp`, the scalars double and
/// std::complex<double>, and w = 16, 32 or, for double, 64: blocks of two halves, whose pairs they transform in turn.
/// Throws InputError for a J with both signs and m < n or a variant with `qrp` or `exact`, a J with a sign −1 and a
/// variant with `refine`, for NaN or Inf in G, a J of another length or with other elements, σ beyond the range of T,
/// on the backends cuda and emulation nonzero columns of G whose largest elements differ by more than a factor of
/// 2^416, and options out of range; NotSupported for what a backend does not have, and for cuda without a GPU or in a
/// build without it; std::bad_alloc if the memory does not suffice.
template <class T>
HsvdResult<T> hsvd(MatrixView<const T> G, const std::vector<int>& J = {}, const HsvdOptions& options = {});

/// Returns the variant that keeps the digits of (G, J): HSVD-ME-BO, or HSVD-ME-BO;qrp where rows of G with unit columns
/// (of G* for m < n) differ by more than four bits in size, for J = ±I and the backend host. G = B·D needs no
/// preconditioner for any diagonal D, but G = D·B and G = D·B·D' do. T is double or std::complex<double>. Throws
/// InputError for NaN and Inf in G.
template <class T>
HsvdVariant choose_hsvd_variant(MatrixView<const T> G, const std::vector<int>& J = {}, Backend backend = Backend::host,
                                int threads = 0);

}  // namespace pivotlab
