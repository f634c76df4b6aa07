// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a Hermitian matrix, A = U·Λ·U*, accurate also for small eigenvalues of graded matrices:
//
//   A = G·J·G*  by the symmetric indefinite factorization with complete or rook pivoting,
//   G·V = U·Σ,  V*JV = J'  by the hyperbolic SVD,   Λ = J'·Σ².
//
// The relative error of every eigenvalue is about n·ε·(κ(B) + κ(C)), where B is G with unit columns and C is G with
// unit rows; both are small for A = D·R·D with any diagonal D and well-conditioned R, and for quasi-definite and
// saddle-point matrices. Every eigenvalue has an estimate of its error, which says where this is not so.
// Source: Slapničar, "Highly accurate symmetric eigenvalue decomposition and hyperbolic SVD" (2003).
#pragma once

#include <pivotlab/jacobi.hpp>
#include <pivotlab/jacobi_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/refine_report.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/symmetric.hpp>

#include <limits>
#include <string>
#include <vector>

namespace pivotlab {

/// Selects the eigenvalues whose vectors are computed; the values are all computed. HEV-2STAGE takes less time for
/// fewer vectors.
struct EighSubset {
  Index first = 0, count = -1;  ///< in descending order: first, …, first + count − 1; count = −1: up to the last
  double above = -std::numeric_limits<double>::infinity();  ///< of these, those of λ: above < λ ≤ most
  double most = std::numeric_limits<double>::infinity();

  friend bool operator==(const EighSubset&, const EighSubset&) = default;
};

struct EighOptions {
  EighVariant variant = {};
  Backend backend = Backend::host;
  bool vectors = true;        ///< also computes U
  EighSubset subset = {};     ///< of the columns of U; refinement computes all
  int max_sweeps = 60;        ///< ≥ 1; limit of sweeps before not_converged
  int max_inner_sweeps = 30;  ///< ≥ 1; limit of sweeps of a tile with FB; BO does one sweep
  int threads = 0;            ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// The preconditioner of variants with `spectral`.
struct SpectralReport {
  bool used = false;    ///< false without `spectral`, too
  std::string refusal;  ///< why it was not used; empty if it was, or was not selected
  double defect = 0;    ///< max|V₀*JV₀ − J'| of the first V₀
  int newton_steps = 0;
};

template <class T>
struct EighResult {
  using Real = RealOf<T>;
  Status status = Status::failed;  ///< passed, or not_converged as in HsvdResult
  std::string message;             ///< reason if not passed, or why a passed result is not refined

  std::vector<Real> eigenvalues;  ///< length n, descending
  Matrix<T> U;  ///< n × n, eigenvectors in this order, or those of the subset; empty unless requested
  /// Length n: estimated relative error of every eigenvalue, between 0 and 1; 0 for the eigenvalues 0 of zero rows of
  /// A, 1 for others. The true error has been at most ten times as large.
  std::vector<Real> estimate;
  /// Length n: whether 10·estimate ≥ 1, so that neither digits nor the sign of the eigenvalue are determined.
  std::vector<bool> noise;
  Inertia inertia;  ///< signs of the eigenvalues; zero counts those that the factorization or the sweeps found zero

  Index rank = 0;           ///< columns of G; 0 for HEV-2STAGE
  SpectralReport spectral;  ///< the preconditioner
  RefineReport refinement;  ///< of a variant with `refine`
  std::vector<HsvdSweep> sweeps;
  double factor_seconds = 0;  ///< A = G·J·G*
  double spectral_seconds = 0;
  double sweep_seconds = 0;    ///< the hyperbolic SVD
  double compute_seconds = 0;  ///< all of the algorithm, without checks of the input and copies between host and GPU
};

/// Computes eigenvalues and eigenvectors of A (n × n, n ≥ 0, both triangles). T is double, long double, Quad or
/// std::complex of these. 4^k·A gives the same bits as A, times 4^k, for all k that keep A and its eigenvalues in
/// range. The result has the same bits in every run and for any number of threads; variants with `spectral` are an
/// exception: they use xSYEVD or xHEEVD of LAPACK, on the backend cuda those of cuSOLVER or, for orders of 64 to 16896
/// but 1281 to 3071 of complex matrices, an own solver with products of cuBLAS. They do without the preconditioner
/// where it cannot be made J-unitary, or the library finds another inertia; `spectral` says why. The backends cuda and
/// emulation, which have the same bits as each other, do the sweeps as hsvd() does, and factor and estimate errors by
/// kernels, too; G and U stay in the memory of the GPU. Only the G of a matrix whose pivots the rank test sets to zero
/// is made on the host, and so is the preconditioner of the emulation.
/// HEV-2STAGE computes on the backends cuda and emulation only, for n ≤ 16896 (n ≤ 128 times the multiprocessors of a
/// GPU with fewer than 132), with products of cuBLAS or BLAS, whose bits it has. Errors of its eigenvalues have been at
/// most half of 2·(n + 4)·2⁻⁵³·‖A‖₂, of which the estimates are made: in graded matrices small ones are noise. Last
/// bits of values depend on `vectors`, those of U on the subset. With `refine`, which has the scalars double and
/// std::complex<double>, refine_eigh() follows, on the GPU with the backend cuda, where its bits are those of products
/// of cuBLAS too, on the host with the others. Throws InputError for A as ldlt() does, for eigenvalues that overflow,
/// and for options out of range; NotSupported for what hsvd() lacks on the backend, and for variants with `spectral`
/// without the libraries or for scalars other than double and std::complex<double>; std::bad_alloc if the memory does
/// not suffice.
template <class T>
EighResult<T> eigh(MatrixView<const T> A, const EighOptions& options = {});

}  // namespace pivotlab
