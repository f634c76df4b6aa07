// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed generalized hyperbolic singular value decomposition in extended precision, and the verdict.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/ghsvd.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Eigenvalues of a stored (F, G; J) in descending order, to far more digits than double has, with what is proved of
/// them (ghsvd_truth.cpp).
struct GhsvdTruth {
  std::vector<Quad> eigenvalues;  ///< empty: unknown
  std::vector<int> signs;         ///< 0: the eigenvalue is zero, or its sign is not determined even here
  std::vector<bool> determined;   ///< whether an eigenvalue has 20 correct digits even here
  std::vector<Quad> reach;        ///< bounds of |λ|; 0 where λ = 0 is certain
};

/// The largest n for which ghsvd_truth() computes them; it takes a few seconds then.
inline constexpr Index ghsvd_truth_order = 64;

/// Computes enclosures of the eigenvalues of (F*JF, G*G) by Gershgorin's theorem, from vectors that are computed in
/// Quad; the enclosures hold for any vectors. Empty above ghsvd_truth_order, and where the vectors do not separate
/// anything, as for a G that does not have full column rank up to rounding errors of Quad. T is double or
/// std::complex<double>.
template <class T>
GhsvdTruth ghsvd_truth(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, int threads = 0);

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged.
struct GhsvdBounds {
  double residual_ratio = ghsvd_residual_bound, residual_f_ratio = ghsvd_factor_bound;
  double residual_g_ratio = ghsvd_factor_bound;
  double orthogonality_ratio = ghsvd_factor_bound, j_orthogonality_ratio = ghsvd_factor_bound;
  double normalization_ratio = 8;
  double error_per_estimate = 10;  ///< the solver's promise; 30 with the direct method
  double wrong_signs = 0;
};

/// Vector norms are ‖·‖₂, matrix norms ‖·‖_F. A number that does not exist is NaN; ulp = 2⁻⁵², m = max(m_F, m_G).
struct GhsvdMetrics : JudgeReport {
  double residual = not_a_number;  ///< max_j ‖(F*JF − λ_j·G*G)·z_j‖/((‖F‖² + |λ_j|·‖G‖²)·‖z_j‖)
  double residual_ratio = not_a_number;    ///< the same over n·ulp
  double residual_f = not_a_number;        ///< max_j ‖F·z_j − u_j·σ_Fj‖/(‖F‖·‖z_j‖) over λ_j ≠ 0
  double residual_f_ratio = not_a_number;  ///< the same over m·ulp
  double columnwise_f = not_a_number;  ///< max_j ‖F·z_j − u_j·σ_Fj‖/(‖|F|·|z_j|‖·ulp) over λ_j ≠ 0
  double residual_g = not_a_number;    ///< max_j ‖G·z_j − v_j·σ_Gj‖/(‖G‖·‖z_j‖)
  double residual_g_ratio = not_a_number;       ///< the same over m·ulp
  double orthogonality = not_a_number;          ///< ‖V*V − I‖
  double orthogonality_ratio = not_a_number;    ///< the same over m·ulp
  double j_orthogonality = not_a_number;        ///< ‖U*JU − J'‖/max‖u_j‖²
  double j_orthogonality_ratio = not_a_number;  ///< the same over m·ulp
  double normalization = not_a_number;  ///< max_j |σ_Fj² + σ_Gj² − 1| and |J'_j·σ_Fj² − λ_j·σ_Gj²|/(|λ_j|·σ_Gj²)
  double normalization_ratio = not_a_number;  ///< the same over ulp
  // Errors of the eigenvalues, if the true ones are known.
  std::optional<double> eigenvalue_error;    ///< max|Δλ|/max|true λ|
  std::optional<double> relative_error;      ///< max|Δλ|/|true λ| over true λ that are determined
  std::optional<double> determined_error;    ///< the same over those that the solver does not call undetermined
  std::optional<double> largest_estimate;    ///< of the relative errors; nothing for solvers without estimates
  std::optional<double> error_per_estimate;  ///< max|Δλ|/(|true λ|·estimate) over those
  std::optional<Index> undetermined;         ///< λ that the solver calls noise
  std::optional<double> wrong_signs;         ///< number of other λ whose sign is not that of the true λ
  GhsvdBounds bounds;
};

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<GhsvdMetrics>& ghsvd_metric_rows();

/// Judges a decomposition of F (m_F × n), G (m_G × n) and J (m_F signs) by any solver. Errors are computed in extended
/// precision. T is double or std::complex<double>. Throws std::invalid_argument if shapes do not fit. A result with NaN
/// or Inf, values out of order, estimates that are no numbers between 0 and 1, and signs or an inertia that are not
/// those of the eigenvalues is incorrect. Without estimates these and the signs are not judged.
template <class T>
GhsvdMetrics judge_ghsvd(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, const GhsvdTruth& truth,
                         const GhsvdResult<T>& result, const JudgeOptions& options = {});

}  // namespace pivotlab::experiments
