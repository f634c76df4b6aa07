// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed eigendecomposition in extended precision, and the verdict on it.
#pragma once

#include <complex>
#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/general.hpp>
#include <vector>

namespace pivotlab::experiments {

/// The factors of any solver: A·V = V·Λ, Wᴴ·A = Λ·Wᴴ, A·E = E·T.
struct EigFactors {
  using Complex = std::complex<double>;
  const std::vector<Complex>& eigenvalues;          ///< length n
  const Matrix<Complex>& V;                         ///< n × n, unit columns; empty if there are none
  const Matrix<Complex>* W = nullptr;               ///< n × n, unit columns; null without left eigenvectors
  const Matrix<Complex>*T = nullptr, *E = nullptr;  ///< n × n, both or neither; T upper triangular
  const std::vector<double>* conditions = nullptr;  ///< length n, 1/|wᴴv|, judged where there are left eigenvectors
};

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged. All of them allow
/// for the rounding of subnormal eigenvalues.
struct EigBounds {
  /// Bounds of ‖A·V − V·Λ‖/(n·ulp·‖A‖) and the same for W and E. LAPACK's tests of xGEEV allow 20 of ‖A·V −
  /// V·Λ‖₁/(‖V‖₁·ulp·‖A‖₁).
  double get22 = 30, left_get22 = 30, similarity = 30;
  /// Bound of |‖v‖ − 1| in units of ulp; LAPACK allows 20 (xDRVEV).
  double normalization = 30;
  /// Λ is the diagonal of a matrix similar to A + δA, and |tr δA| ≤ √n·‖δA‖_F, ‖δA‖_F ≤ 30·n·ulp·‖A‖_F. This does not
  /// hold for eigenpairs that were refined one by one: then |tr A − Σλ| = |tr V⁻¹·R| ≤ ‖V⁻¹‖_F·‖R‖_F, if κ(V) can be
  /// computed. The bound is the larger of the two.
  double trace_error = 0;
  /// |tr (A + δA)² − tr A²| ≤ 2‖A‖_F·‖δA‖_F + ‖δA‖_F² with the same δA, or with S = V⁻¹·R: tr A² = tr (Λ + S)². With
  /// trace_error it finds eigenvalues that are given twice in place of others where V cannot.
  double squares_error = 0;
  /// V⁻¹·A·V = Λ + V⁻¹·R, so that eigenvalues can be matched within (2n−1)·‖V⁻¹·R‖₂ (Bauer & Fike; Ostrowski), and
  /// those that the matrix was made from within (2n−1)·κ(V)·2⁻⁵³·‖A‖_F more. The metric is not judged if κ(V) > 1e14.
  double eigenvalue_error = 0;
};

/// Matrix norms are ‖·‖_F unless another one is named. A number that does not exist is NaN; ulp = 2⁻⁵².
struct EigMetrics : JudgeReport {
  double residual = not_a_number;        ///< ‖A·V − V·Λ‖/‖A‖; 0 for the zero matrix, as all such ratios
  double get22 = not_a_number;           ///< the same over n·ulp
  std::optional<double> left_residual;   ///< ‖Wᴴ·A − Λ·Wᴴ‖/‖A‖
  std::optional<double> left_get22;      ///< the same over n·ulp
  std::optional<double> similarity;      ///< ‖A·E − E·T‖/(‖A‖·‖E‖·n·ulp)
  double normalization = not_a_number;   ///< max|‖v‖₂ − 1|/ulp of the columns of V and W
  double trace_error = not_a_number;     ///< |Σλ − tr A|/‖A‖
  double squares_error = not_a_number;   ///< |Σλ² − tr A²|/‖A‖²
  double backward_error = not_a_number;  ///< max‖A·v − λ·v‖₂/(‖A‖₂·‖v‖₂) of the right eigenpairs
  double departure = not_a_number;  ///< departure from normality √(‖A‖² − Σ|λ|²)/‖A‖ with the λ computed (Henrici)
  double vector_condition = not_a_number;   ///< κ(V) = ‖V‖·‖V⁻¹‖/n ≥ 1; NaN where V is singular
  double largest_condition = not_a_number;  ///< max of ‖row of V⁻¹‖₂·‖v‖₂
  double norm_2 = not_a_number;             ///< ‖A‖₂, six digits
  // Errors of the eigenvalues, if the true ones are known. Computed and true eigenvalues are matched so that Σ|Δλ|, or
  // Σ|Δλ|/max(|λ|, |λ_true|) for the relative error, is least (the Hungarian method for every n).
  std::optional<double> eigenvalue_error;      ///< max|Δλ|/‖A‖₂
  std::optional<double> relative_error;        ///< max|Δλ|/|λ_true|, 0/0 is 0
  std::optional<double> error_over_condition;  ///< max|Δλ|/(‖A‖₂·the eigenvalue's condition)
  EigBounds bounds;
};

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<EigMetrics>& eig_metric_rows();

/// Judges an eigendecomposition by residuals, which share nothing with a solver. A passed verdict proves that every
/// pair (λ, v) is one of a matrix A + δA, ‖δA‖_F ≤ 30·n·2⁻⁵²·‖A‖_F, and, where κ(V) ≤ 1e14, that the eigenvalues can be
/// matched with those of A within (2n−1)·‖V⁻¹·R‖₂, so that none is missing. Where V is singular to working precision,
/// sums of λ and of λ² alone show this, and without V the verdict is `skipped`. It does not prove relative accuracy of
/// eigenvalues far below ‖A‖. Errors are computed in extended precision; κ(V) and the conditions of the eigenvalues,
/// for which two digits are enough, from an inverse in double. T is double or std::complex<double>. Throws
/// std::invalid_argument if shapes do not fit.
template <class T>
EigMetrics judge_eig(const GeneralMatrix<T>& matrix, const EigFactors& factors, const JudgeOptions& options = {});

}  // namespace pivotlab::experiments
