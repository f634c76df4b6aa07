// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed eigendecomposition of a Hermitian matrix in extended precision, and the verdict on it.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/eigh.hpp>
#include <pivotlab/symmetric.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Eigenvalues of a stored matrix in descending order.
struct EighTruth {
  std::vector<Quad> eigenvalues;  ///< empty: unknown
  std::vector<Quad> errors;       ///< bounds of their absolute errors
  std::vector<bool> determined;   ///< whether an eigenvalue has 20 correct digits, or enough for the error of a value
};

/// The largest order for which eigh_truth() computes them; it takes a few seconds then.
inline constexpr Index eigh_truth_order = 128;

/// Computes the eigenvalues of A by reduction to tridiagonal form in 113 bits, and if these do not determine all of
/// them, in 512 bits up to the order 128 and in 2304 bits up to 64, or half these orders if A is complex. Empty above
/// eigh_truth_order, or if A has NaN or Inf.
template <class T>
EighTruth eigh_truth(const Matrix<T>& A);

/// Computes those of A in double, whatever its order; 2^exponent is about its largest element.
template <class T>
EighTruth eigh_truth_in_double(const Matrix<T>& A, int exponent);

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged.
struct EighBounds {
  double residual_ratio = 30, orthogonality_ratio = 30, eigenvalue_ratio = 30;
  double error_per_estimate = 10;  ///< the solver's promise
  double wrong_signs = 0;
};

/// Matrix norms are ‖·‖_F. A number that does not exist is NaN. ulp = 2⁻⁵²; n·ulp stands for √n·2⁻¹⁰⁷⁴/‖A‖
/// where this is larger, because eigenvalues are multiples of 2⁻¹⁰⁷⁴.
struct EighMetrics : JudgeReport {
  std::optional<double> residual;        ///< ‖A·U − U·Λ‖/‖A‖; nothing without eigenvectors; 0 for A = 0
  std::optional<double> residual_ratio;  ///< the same over n·ulp
  std::optional<double> orthogonality;   ///< ‖U*U − I‖
  std::optional<double> orthogonality_ratio;  ///< the same over n·ulp
  double trace_error = not_a_number;          ///< |Σλ − tr A|/‖A‖
  // Errors of the eigenvalues, both in descending order, if the true ones are known, as far as these are exact.
  std::optional<double> eigenvalue_error;    ///< max|Δλ|/max|true λ|
  std::optional<double> eigenvalue_ratio;    ///< max|Δλ|/(‖A‖·n·ulp)
  std::optional<double> relative_error;      ///< max|Δλ|/|true λ| over true λ ≠ 0 that are determined
  std::optional<double> determined_error;    ///< the same over those with 10·estimate < 1
  std::optional<double> largest_estimate;    ///< of the relative errors; nothing for solvers without estimates
  std::optional<double> error_per_estimate;  ///< max relative error/estimate over those with 10·estimate < 1
  std::optional<Index> undetermined;  ///< eigenvalues of which the solver says that their signs are not determined
  /// Computed eigenvalues with another sign than the true one that the solver does not call undetermined.
  std::optional<double> wrong_signs;

  std::optional<Reference> reference;  ///< what true eigenvalues are; nothing without any
  std::optional<Index> known;          ///< eigenvalues whose relative errors the reference determines

  /// Random vectors from which residual and orthogonality are estimated; 0: they are computed.
  int probes = 0;
  EighBounds bounds;
};

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<EighMetrics>& eigh_metric_rows();

/// Judges an eigendecomposition by any solver, with eigenvalues in descending or ascending order; one without estimates
/// makes no promise about signs. Errors are computed in extended precision. Where `truth` is empty, Rayleigh quotients
/// stand for the true eigenvalues (metrics/residual_reference.hpp), unless random vectors estimate residuals.
/// Eigenvalues without U are compared with true ones, of double precision where `truth` is empty; beyond the order 2048
/// (1024 if A is complex) they are not judged. T is double or std::complex<double>. Throws std::invalid_argument if
/// shapes do not fit.
template <class T>
EighMetrics judge_eigh(const Matrix<T>& A, const EighTruth& truth, const EighResult<T>& result,
                       const JudgeOptions& options = {});

}  // namespace pivotlab::experiments
