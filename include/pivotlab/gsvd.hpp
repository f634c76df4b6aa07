// SPDX-License-Identifier: BSD-3-Clause
// The generalized singular value decomposition of a pair (F, G) by the implicit, blocked Hari–Zimmermann method:
//
//   F·Z = U·Σ_F,   G·Z = V·Σ_G,   UᴴU = VᴴV = I,   Σ_F² + Σ_G² = I,   Σ = Σ_F·Σ_G⁻¹.
//
// Source: Novaković & Singer, "An implicit Hari–Zimmermann algorithm for the generalized SVD on the GPUs", sections
// 2, 3.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/refine_report.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/variant.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pivotlab {

struct GsvdOptions {
  GsvdVariant variant;
  Backend backend = Backend::host;
  int max_outer_sweeps = 30;
  int max_inner_sweeps = 30;  ///< limit of sweeps of a tile with FB; BO does one sweep
  bool compute_x = false;     ///< also computes X = Z⁻¹, the right generalized singular vectors
  int threads = 0;            ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// Counters of one outer sweep or, with `mixed`, of one correction of all columns at once, which has no inner sweeps.
struct SweepCounters {
  std::uint64_t transformations = 0;  ///< all non-trivial 2×2 transformations
  std::uint64_t big = 0;              ///< big transformations: not close to a multiple of the identity (section 2.5); 0
                                      ///< ends the iteration
  std::uint64_t swaps = 0;            ///< column swaps by sorting
  std::uint64_t skipped_tiles = 0;    ///< tiles without transformations, whose columns were not multiplied
  std::uint64_t qr_tiles = 0;         ///< tiles factored by QR because Cholesky met a non-positive pivot
  int max_inner_sweeps = 0;           ///< the most inner sweeps that a tile needed
  double seconds = 0;
  bool in_single = false;  ///< with `mixed`: F, G and Z were stored in single precision
};

template <class T>
struct GsvdResult {
  using Real = RealOf<T>;
  Status status = Status::failed;  ///< passed, incorrect (backward errors), not_converged
  std::string message;             ///< reason if not passed, or why a passed result is not refined

  Matrix<T> U;                                ///< m_F × n; columns of σ_F = 0 are arbitrary orthonormal ones
  Matrix<T> V;                                ///< m_G × n
  Matrix<T> Z;                                ///< n × n
  Matrix<T> X;                                ///< n × n, Z⁻¹ if requested, otherwise empty
  std::vector<Real> sigma_f, sigma_g, sigma;  ///< length n, in the order of the columns of U, V, Z

  RefineReport refinement;  ///< of a variant with `refine`
  std::vector<SweepCounters> sweeps;
  double compute_seconds = 0;  ///< the algorithm alone, without copies and checks of the input
};

/// Computes the GSVD of F (m_F × n) and G (m_G × n), m_F, m_G ≥ n ≥ 1, G of full column rank. n may be any order: the
/// pair is bordered internally as in section 3.1. T is double, long double, Quad or std::complex of these. F of
/// deficient rank is accepted, too, and gives exact σ = 0.
/// If all σ are equal up to rounding, as for F = c·G, rounding errors would determine the transformations: then F is
/// weighted by rows, and the pair that comes out is decomposed again without weights; `sweeps` has those of both runs.
/// With `refine`, which has the scalars double and std::complex<double>, refine_gsvd() follows, on the GPU with the
/// backend cuda, on the host with the others; σ then descends.
/// The result has the same bits in every run and for any number of threads; emulation and cuda give the same bits as
/// each other, but not as host.
/// Throws InputError for m < n, n = 0, NaN or Inf in the input, G numerically not of full column rank, and nonzero
/// columns of F whose sizes relative to those of G differ by more than a factor of 2^256 (double), for elements of Z
/// that overflow, and for σ > 0 outside the range of normal numbers (of F = c·G: of all numbers); NotSupported if the
/// backend cannot run it: cuda without a GPU, emulation and cuda for scalars other than double and
/// std::complex<double>, variants with `mixed` on a GPU without cuBLAS; std::bad_alloc if the memory of the host or the
/// GPU does not suffice.
template <class T>
GsvdResult<T> gsvd(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options = {});

/// Computes the same by the pointwise algorithm on whole columns, single-threaded and always on the host: the reference
/// for the blocked algorithm. It uses only the ID, the outer strategy and the sorting of the variant.
template <class T>
GsvdResult<T> gsvd_pointwise(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options = {});

/// Computes the same as gsvd() in place: F is overwritten with U and G with V, and result.U, result.V stay empty.
/// On the host backward errors are checked then only of columns of extreme sizes, whose Z may underflow.
template <class T>
GsvdResult<T> gsvd_in_place(MatrixView<T> F, MatrixView<T> G, const GsvdOptions& options = {});

}  // namespace pivotlab
