// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed GSVD in extended precision, and the verdict on it.
#pragma once

#include <array>
#include <experiments/engine/section.hpp>
#include <experiments/gsvd/gsvd_probes.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/pair.hpp>
#include <string>

namespace pivotlab::experiments {

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged. All bounds follow
/// from one requirement: the columns u_j, v_j, z_j and σ_j are exact for a pair whose columns each differ from the
/// given ones by a relative η ≤ tolerance,
///
///   tolerance(A) = 20·max(m, n)·2⁻⁵²,    A of size m × n; LAPACK's threshold for its GSVD tests is the same 20.
///
/// With e_j = F·z_j − σ_F,j·u_j this gives ‖e_j‖ ≤ η·Σ_i ‖f_i‖|z_ij|, hence ‖FZ − UΣ_F‖_F ≤ η‖F‖_F‖Z‖_F, and, as F −
/// UΣ_F·X = Σ_j e_j·x_jᵀ for X = Z⁻¹ with the rows x_jᵀ, ‖F − UΣ_F·X‖_F ≤ η·growth_f·‖F‖_F with
///
///   growth_f = Σ_j ‖x_j‖·Σ_i ‖f_i‖|z_ij| / ‖F‖_F ≥ 1,   1 for F = 0,
///
/// which does not depend on how the columns of Z are scaled.
struct GsvdBounds {
  double residual_f = 0, residual_g = 0;
  double residual_fz = 0, residual_gz = 0;
  double backward_f = 0, backward_g = 0;
  double orthogonality_u = 0, orthogonality_v = 0;
  double sigma_sum = 0, sigma_ratio = 0, sigma_backward = 0;
  double growth_f = 0, growth_g = 0;  ///< not bounds, but factors of residual_f and residual_g
};

/// The ranks that a reduction of the pair has found, and the tolerances and pivots that decided them. Pivots are the
/// moduli of the diagonal elements of R of the pivoted QR factorizations.
struct ReductionFacts {
  Index k = 0, l = 0, r = 0;
  /// The tolerances, the least pivots above them and the largest others; none where the routine does not tell them or
  /// there are no such pivots.
  std::optional<double> tolerance_f = {}, accepted_f = {}, rejected_f = {};
  std::optional<double> tolerance_g = {}, accepted_g = {}, rejected_g = {};
  std::string core_fallback = {};
};
const Rows<ReductionFacts>& reduction_rows();

/// Vector norms ‖·‖ are 2-norms, 0/0 is 0. A number that does not exist (Z singular, NaN in the result) is NaN.
struct GsvdMetrics : JudgeReport {
  /// ‖F − U·Σ_F·X‖_F/‖F‖_F and the same for G; X = Z⁻¹ by LU with complete pivoting (section 5), in the precision of
  /// the judgement and after scaling rows and columns of Z by powers of two.
  double residual_f = not_a_number, residual_g = not_a_number;
  /// ‖F·Z − U·Σ_F‖_F/(‖F‖_F‖Z‖_F) and the same for G.
  double residual_fz = not_a_number, residual_gz = not_a_number;
  /// max_j ‖F·z_j − σ_F,j·u_j‖/Σ_i ‖f_i‖|z_ij|: the least relative change of the columns of F that makes u_j, z_j,
  /// σ_F,j exact. Unlike the two metrics above, it detects errors in small columns of graded pairs and of Z.
  double backward_f = not_a_number, backward_g = not_a_number;
  /// ‖UᴴU − I‖_F, ‖VᴴV − I‖_F. A column that is zero because its σ is zero counts as orthonormal.
  double orthogonality_u = not_a_number, orthogonality_v = not_a_number;
  /// max |σ_F² + σ_G² − 1|.
  double sigma_sum = not_a_number;
  /// max |σ − σ_F/σ_G|/(σ_F/σ_G).
  double sigma_ratio = not_a_number;
  /// The largest relative error of a σ against the truth, both sorted; none if the truth is unknown. Values whose truth
  /// is 0 have no relative error; sigma_backward covers them. None if there are not as many σ, or infinite ones, as
  /// true ones: the ranks then were decided differently.
  std::optional<double> sigma_error;
  /// max_j |σ_j − truth_j|/κ_j, κ_j = (|u_j|ᵀ|F||z_j| + σ_j·|v_j|ᵀ|G||z_j|)/σ_G,j: the error of σ_j relative to the
  /// first-order change of σ_j that relative changes of the entries of F and G, such as rounding, cause.
  std::optional<double> sigma_backward;
  std::optional<Reference> reference;  ///< what true σ are; nothing without any
  std::optional<Index> known;          ///< σ with a relative error that are compared
  /// The test ratios of LAPACK's DGSVTS3 (ulp = 2⁻⁵²), applied to this factorization. X = R·Qᴴ with R upper triangular
  /// and Q unitary transforms it to LAPACK's form, UᴴFQ = Σ_F·R and VᴴGQ = Σ_G·R:
  ///   [0] ‖FQ − UΣ_F·R‖₁/(max(m_F, n)·‖F‖₁·ulp); U has n columns, so it is not applied from the left: that would hide
  ///       what of F lies outside of its range     [1] the same for G
  ///   [2] ‖I − UᴴU‖₁/(m_F·ulp)   [3] ‖I − VᴴV‖₁/(m_G·ulp)   [4] ‖I − QᴴQ‖₁/(n·ulp), Q being made here, in double
  ///   [5] 0 if σ descends in the order of the columns, else 1/ulp.
  /// LAPACK calls ratios above 20 suspicious.
  std::array<double, 6> dgsvts3{not_a_number, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number};

  /// Number of random vectors from which the residuals with Z and the orthogonality are estimated; 0: they are
  /// computed. With probes, metrics that need other products of matrices or Z⁻¹ do not exist, and their bounds are
  /// infinite.
  int probes = 0;
  std::optional<ReductionFacts> reduction;  ///< only for reduced pairs
  GsvdBounds bounds;
};

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<GsvdMetrics>& gsvd_metric_rows();

/// Returns the largest dimension up to which this pair is judged in full: if Σ is known, the limit that the memory of a
/// GPU sets.
template <class T>
Index full_judgement_limit_of(const Pair<T>& pair);

/// Judges a decomposition of the pair; pair.sigma is the truth, if it is known. If not, and the solver has not refined
/// its result, refine_gsvd() proves values from its vectors, up to quad_judgement_limit and on GPUs; those that are not
/// determined are not compared. Without U, V or Z only σ is judged, and
/// the verdict is `skipped` unless σ is wrong. T is double or std::complex<double>.
/// Throws std::invalid_argument if the factors' shapes do not fit the pair.
template <class T>
GsvdMetrics judge_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, const JudgeOptions& options = {});

/// Judges a decomposition of any pair. If it has R and Q, the metrics are those of its r columns with X = [0 R]·Qᴴ in
/// place of Z⁻¹, its own Q in the ratios of DGSVTS3, and ‖F·S‖_F‖S⁻¹z_j‖ in place of Σ_i ‖f_i‖|z_ij| and of
/// |u_j|ᵀ|F||z_j| (S scales the columns of F and G together), always in full and on the host. An infinite σ counts as
/// right where σ_G = 0. Estimates that are NaN or negative are incorrect. Throws std::invalid_argument if the factors'
/// shapes do not fit.
template <class T>
GsvdMetrics judge_gsvd(const Pair<T>& pair, const AnyGsvdResult<T>& result, const JudgeOptions& options = {});

/// Judges with Z⁻¹ in place of [0 R]·Qᴴ, also where the result has R and Q, unless the pair was reduced.
template <class T>
GsvdMetrics judge_gsvd_by_z(const Pair<T>& pair, const AnyGsvdResult<T>& result, const JudgeOptions& options = {});

/// Judges a decomposition over ranks by random vectors, for any size. All ranks call it and get the same result.
/// pair.columns.sigma is the truth, if it is known.
template <class T>
GsvdMetrics judge_gsvd(Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& result, int threads = 0);

}  // namespace pivotlab::experiments
