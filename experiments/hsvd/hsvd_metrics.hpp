// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed hyperbolic or ordinary singular value decomposition in extended precision, and the verdict.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/jacobi.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Singular values of a stored (G, J), in the order of HsvdResult, to far more digits than double has.
struct HsvdTruth {
  std::vector<Quad> sigma;       ///< empty: unknown
  std::vector<bool> determined;  ///< whether a singular value has 20 correct digits, or enough for the error of a value
  std::vector<Quad> errors = {};  ///< bounds of their absolute errors; empty: far below those that are measured
};

/// The largest number of rows and columns for which hsvd_truth() computes them; it takes a few seconds then.
inline constexpr Index hsvd_truth_rows = 128;

/// Computes the singular values of (G, J) to twenty digits or more, and proves them: from any V, here that of an
/// iteration in Quad, Gershgorin's theorem gives enclosures of the eigenvalues of (V*G*GV, V*JV), and with them says
/// which values are determined. Empty above hsvd_truth_rows, where the decomposition does not exist, and for J with
/// both signs and fewer rows than columns.
template <class T>
HsvdTruth hsvd_truth(const Matrix<T>& G, const std::vector<int>& J, int threads = 0);

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged.
struct HsvdBounds {
  double residual_ratio = 35, orthogonality_ratio = 35, j_orthogonality_ratio = 35;
  double error_per_estimate = 10;  ///< the solver's promise
};

/// Matrix norms are ‖·‖_F. A number that does not exist is NaN; ulp = 2⁻⁵².
struct HsvdMetrics : JudgeReport {
  double residual = not_a_number;        ///< ‖(G·V − U·Σ)·D⁻¹‖/‖G‖, D = diag(‖v_j‖); 0 for G = 0
  double residual_ratio = not_a_number;  ///< the same over m·ulp
  double orthogonality = not_a_number;   ///< ‖U*U − I‖
  double orthogonality_ratio = not_a_number;    ///< the same over m·ulp
  double j_orthogonality = not_a_number;        ///< ‖V*JV − J'‖/max‖v_j‖²
  double j_orthogonality_ratio = not_a_number;  ///< the same over n·ulp
  std::optional<double> drift;                  ///< |mean(J'_j·v_j*Jv_j − 1)|/max‖v_j‖²
  // Errors of the singular values, if the true ones are known.
  std::optional<double> sigma_error;         ///< max|Δσ|/max true σ
  std::optional<double> relative_error;      ///< max|Δσ|/true σ over true σ ≠ 0 that are determined
  std::optional<double> largest_estimate;    ///< of the relative errors of σ²; nothing for solvers without estimates
  std::optional<double> error_per_estimate;  ///< max|Δσ²|/(true σ²·estimate) over estimates below 0.1
  std::optional<Index> undetermined;         ///< σ whose estimates are 0.1 or more

  std::optional<Reference> reference;  ///< what true singular values are; nothing without any
  std::optional<Index> known;          ///< singular values whose relative errors the reference determines

  /// Random vectors from which the residual and the orthogonalities are estimated, without the drift; 0: all are
  /// computed.
  int probes = 0;
  HsvdBounds bounds;
};

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<HsvdMetrics>& hsvd_metric_rows();

/// Judges a decomposition of G (m × n) and J (n signs) with U and V by any solver. Errors are computed in extended
/// precision. T is double or std::complex<double>. Throws InputError if shapes do not fit, and for m < n with both
/// signs. The verdict proves G·V = U·Σ (for m < n: G*·U = V·Σ), V*JV = J' and U*U = I up to rounding errors, and
/// estimates where the truth is known; where `truth` is empty and J = I, Rayleigh quotients stand for true values
/// (metrics/residual_reference.hpp), unless random vectors estimate residuals. It does not prove digits of σ below
/// rounding errors of the largest one without a truth. A column of U that is zero where σ = 0 counts as not given, and
/// is not judged. A V with ‖V*JV − J'‖ ≥ ½ has not proved signs.
template <class T>
HsvdMetrics judge_hsvd(const Matrix<T>& G, const std::vector<int>& J, const HsvdTruth& truth,
                       const HsvdResult<T>& result, const JudgeOptions& options = {});

}  // namespace pivotlab::experiments
