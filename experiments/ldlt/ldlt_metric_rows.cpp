// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/ldlt/ldlt_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

using enum NumberFormat;

Rows<Inertia> inertia_rows(const std::string& whose, const std::string& where) {
  using I = Inertia;
  return {row(&I::positive, "positive", whose + "+", plain, "Positive eigenvalues " + where).at_least(0),
          row(&I::negative, "negative", whose + "-", plain, "Negative eigenvalues " + where).at_least(0),
          row(&I::zero, "zero", whose + "0", plain, "Zero eigenvalues " + where).at_least(0)};
}

const Rows<LdltMetrics>& ldlt_metric_rows() {
  const std::string of_pivoting =
      "Complete and rook pivoting with α; 1e-13 allows for rounding. None (null) for partial pivoting, without a "
      "search "
      "and for baselines other than real rook pivoting";
  using M = LdltMetrics;
  using B = LdltBounds;
  static const Rows<M> rows = {
      row(&M::rank, "rank", "rank", plain,
          "Number of singular values of D above zero_below, of complete pivoting above 0; the result is incorrect "
          "where "
          "the solver states another rank")
          .shown()
          .precision("quad"),
      object_row<M>(
          &M::inertia, inertia_rows("", "of D, zeros as for rank"), "inertia",
          "Inertia of D; the result is incorrect where the solver states another or, by Weyl's theorem, known "
          "eigenvalues contradict it"),
      row(&M::inertia_agrees, "inertia_agrees", "inertia", plain,
          "Whether the inertia is the known one: that of the certificate where there is one, otherwise that of D; of a "
          "solver of your own that of D, compared with the certificate where none is known")
          .shown(),
      row(&M::pivots_1x1, "pivots_1x1", "1x1", plain, "Number of 1×1 pivots; none where D is tridiagonal (Aasen)")
          .shown()
          .source("Kruchinina, section 3.3"),
      row(&M::pivots_2x2, "pivots_2x2", "2x2", plain, "Number of 2×2 pivots; none where D is tridiagonal (Aasen)")
          .shown()
          .source("Kruchinina, section 3.3"),
      row(&M::max_multiplier, "max_multiplier", "max |M|", scientific, "max_{i>j} |m_ij|")
          .shown()
          .precision("double")
          .source("LAPACK dchksy_rook")
          .bounded(&B::max_multiplier, "max(1/α, 1/(1 − α))·(1 + 1e-13)", of_pivoting),
      row(&M::max_condition, "max_condition", "2x2 cond", scientific,
          "max κ₂(D_k) over the 2×2 pivots D_k; 1 without one")
          .precision("quad")
          .source("LAPACK dchksy_rook")
          .bounded(&B::max_condition, "(1 + α)/(1 − α)·(1 + 1e-13)", of_pivoting),
      row(&M::residual, "residual", "rel err", scientific,
          "‖A − S⁻¹·Pᵀ·U·M·D·M*·Uᵀ·P·S⁻¹‖∞/‖A‖∞, S being the equilibration, or I, and U the butterfly, or I")
          .compared()
          .precision(judged_precision)
          .source("Kruchinina, section 3.3"),
      row(&M::dsyt01, "dsyt01", "dsyt01", scientific, "‖A − S⁻¹·Pᵀ·U·M·D·M*·Uᵀ·P·S⁻¹‖∞/(‖A‖∞·n·2⁻⁵³)")
          .precision(judged_precision)
          .source("LAPACK dsyt01")
          .bounded(&B::dsyt01, "30", "LAPACK's threshold in its tests of xSYTRF"),
      row(&M::dpot02, "dpot02", "dpot02", scientific,
          "max_j ‖b_j − A·x_j‖₁/(‖A‖₁·‖x_j‖₁·2⁻⁵³), A·x_j = b_j solved without refinement for true x_j of small "
          "integers")
          .precision(judged_precision)
          .source("LAPACK dpot02")
          .bounded(&B::dpot02, "30·n", "The bound of dsyt01: ‖b − A·x‖₁ ≤ ‖E‖₁·‖x‖₁ for factors of A + E"),
      row(&M::solve_error, "solve_error", "x err", scientific,
          "max_j ‖x_j − true x_j‖∞/‖true x_j‖∞ of the same systems; none where D is singular")
          .precision("double"),
      precision_row<M>(),
      device_row<M>(),
      proof_row<M>("residual")};
  return rows;
}

}  // namespace pivotlab::experiments
