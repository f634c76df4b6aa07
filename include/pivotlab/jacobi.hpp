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
  /// passed; not_converged if columns of U are not orthogonal, or the last sweep had clamped transformations
  Status status = Status::failed;
  std::string message;  ///< reason if not passed

  Matrix<T> U;              ///< m × n; columns of σ = 0 are arbitrary orthonormal ones
  std::vector<Real> sigma;  ///< length n; J'·σ² descends: those of J' = +1 descend, those of J' = −1 ascend
  std::vector<int> J;       ///< length n: the diagonal of J', all +1 before all −1
  /// Length n: estimated relative error of σ_j², from rounding errors of the sweeps, and of the factorizations of a
  /// variant with `qrp`; 1 for σ_j = 0.
  std::vector<Real> estimate;
  Matrix<T> V;  ///< n × n if requested, otherwise empty

  std::vector<HsvdSweep> sweeps;
  double compute_seconds = 0;  ///< the algorithm alone, without copies and checks of the input
};

/// Computes the hyperbolic SVD of G (m × n, m ≥ n) and J, a vector of n signs ±1; an empty J means J = I. T is double,
/// long double, Quad or std::complex of these. Columns that are linearly dependent up to rounding errors give σ = 0, or
/// a σ of the size of rounding errors whose estimate is near 1.
/// The iteration ends when no cosine between columns is above √m·ε, or (8 + m)·ε after a sweep without big
/// transformations and with largest_cosine·largest_tan ≤ (8 + m)·ε.
/// The result has the same bits in every run and for any number of threads. The backends cuda and emulation have the
/// same bits as each other, the host has others; they have the forms FB and BO without `qrp`, the scalars double and
/// std::complex<double>, and w = 16, 32 or, for double, 64: blocks of two halves, whose pairs they transform in turn.
/// Throws InputError for m < n, NaN or Inf in G, a J of another length or with other elements, a J with both signs for
/// a variant with `qrp`, nonzero columns of G whose largest elements differ by more than a factor of 2^480 (double),
/// and options out of range; NotSupported for what a backend does not have, and for cuda without a GPU or in a build
/// without it; std::bad_alloc if the memory does not suffice.
template <class T>
HsvdResult<T> hsvd(MatrixView<const T> G, const std::vector<int>& J = {}, const HsvdOptions& options = {});

}  // namespace pivotlab
