// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

using enum NumberFormat;

const Rows<EigMetrics>& eig_metric_rows() {
  const std::string get22_of_lapack = "LAPACK xGET22, which has 1-norms and ‖V‖₁ in place of n",
                    allowance =
                        "Backward error of 30·n·2⁻⁵², and the rounding of subnormal eigenvalues; LAPACK's tests of "
                        "xGEEV allow 20 in xGET22",
                    of_length = "LAPACK's tests of xGEEV allow 20";
  using M = EigMetrics;
  using B = EigBounds;
  static const Rows<M> rows = {
      row(&M::residual, "residual", "residual", scientific, "‖A·V − V·Λ‖_F/‖A‖_F")
          .compared()
          .precision(judged_precision),
      row(&M::get22, "get22", "get22", scientific, "‖A·V − V·Λ‖_F/(‖A‖_F·n·2⁻⁵²)")
          .precision(judged_precision)
          .source(get22_of_lapack)
          .bounded(&B::get22, "30", allowance),
      row(&M::backward_error, "backward_error", "backward", scientific,
          "max_j ‖A·v_j − λ_j·v_j‖₂/(‖A‖₂·‖v_j‖₂): least ‖δA‖₂/‖A‖₂ for which the pair (λ_j, v_j) is one of "
          "A + δA")
          .precision("quad or double-double, ‖A‖₂ in double")
          .source("Wilkinson, The Algebraic Eigenvalue Problem")
          .optional(),
      row(&M::left_residual, "left_residual", "left res", scientific,
          "‖Wᴴ·A − Λ·Wᴴ‖_F/‖A‖_F; none without left eigenvectors")
          .precision(judged_precision),
      row(&M::left_get22, "left_get22", "left get22", scientific, "‖Wᴴ·A − Λ·Wᴴ‖_F/(‖A‖_F·n·2⁻⁵²)")
          .precision(judged_precision)
          .source(get22_of_lapack)
          .bounded(&B::left_get22, "30", allowance),
      row(&M::similarity, "similarity", "similarity", scientific,
          "‖A·E − E·T‖_F/(‖A‖_F·‖E‖_F·n·2⁻⁵²), T the last iterate or a Schur form; none where there is no T")
          .precision(judged_precision)
          .bounded(&B::similarity, "30", allowance),
      row(&M::normalization, "normalization", "|v| - 1", scientific,
          "max_j |‖v_j‖₂ − 1|/2⁻⁵² of all right and left eigenvectors")
          .precision("long double")
          .source("LAPACK xDRVEV")
          .bounded(&B::normalization, "30", of_length),
      row(&M::eigenvalue_error, "eigenvalue_error", "eig err", scientific,
          "max_j |λ_j − true λ_j|/‖A‖₂, matched for the least Σ_j |λ_j − true λ_j| (Hungarian method); none where the "
          "true ones are unknown")
          .compared()
          .precision("differences in quad, ‖A‖₂ in double")
          .bounded(&B::eigenvalue_error,
                   "(2n − 1)·(‖V⁻¹‖_F·‖A·V − V·Λ‖_F + ‖V‖_F·‖V⁻¹‖_F·2⁻⁵³·‖A‖_F)/‖A‖₂; none where vector_condition "
                   "exceeds 1e14",
                   "Bauer & Fike, with Ostrowski's 2n − 1 for a matching; the second term is the rounding of A as made "
                   "from the true eigenvalues"),
      row(&M::relative_error, "relative_error", "rel err", scientific,
          "max_j |λ_j − true λ_j|/|true λ_j|, matched for the least Σ_j |λ_j − true λ_j|/max(|λ_j|, |true λ_j|)")
          .precision("differences in quad"),
      row(&M::error_over_condition, "error_over_condition", "err/cond", scientific,
          "max_j |λ_j − true λ_j|/(‖A‖₂·κ(λ_j)), matched as for eigenvalue_error, κ as for largest_condition")
          .shown()
          .precision("differences in quad, ‖A‖₂ and κ in double"),
      row(&M::departure, "departure", "departure", scientific,
          "Departure from normality √(‖A‖_F² − Σ_j |λ_j|²)/‖A‖_F, λ_j as computed")
          .shown()
          .precision(judged_precision)
          .source("Henrici"),
      row(&M::vector_condition, "vector_condition", "cond V", scientific, "‖V‖_F·‖V⁻¹‖_F/n; none beyond 1e14")
          .precision("double"),
      row(&M::largest_condition, "largest_condition", "max cond", scientific,
          "max_j κ(λ_j), κ(λ_j) = ‖row j of V⁻¹‖₂ for unit columns of V; none where vector_condition exceeds 1e14")
          .precision("double"),
      row(&M::norm_2, "norm_2", "norm2 A", scientific, "‖A‖₂ by Lanczos' method, six digits").precision("double"),
      row(&M::trace_error, "trace_error", "trace err", scientific, "|Σ_j λ_j − tr A|/‖A‖_F")
          .precision(judged_precision)
          .bounded(&B::trace_error,
                   "max(30·n·√n·2⁻⁵², ‖V⁻¹‖_F·‖A·V − V·Λ‖_F/‖A‖_F); only the first where vector_condition exceeds 1e14",
                   "|tr δA| ≤ √n·‖δA‖_F with the bound of get22 for δA; pairs that were refined one by one obey "
                   "tr A − Σ_j λ_j = −tr V⁻¹·(A·V − V·Λ)"),
      row(&M::squares_error, "squares_error", "squares err", scientific, "|Σ_j λ_j² − tr A²|/‖A‖_F²")
          .precision(judged_precision)
          .bounded(&B::squares_error, "(2 + 3·c)·c, c = max(30·n·2⁻⁵², ‖V⁻¹‖_F·‖A·V − V·Λ‖_F/‖A‖_F) as for trace_error",
                   "|tr (A + δA)² − tr A²| ≤ 2‖A‖_F·‖δA‖_F + ‖δA‖_F²; with trace_error it shows that no eigenvalue is "
                   "given twice in place of another one where V is singular to working precision")
          .optional(),
      precision_row<M>(),
      device_row<M>(),
      proof_row<M>("residual and left_residual, the larger one")};
  return rows;
}

}  // namespace pivotlab::experiments
