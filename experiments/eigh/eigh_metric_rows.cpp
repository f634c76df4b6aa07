// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

using enum NumberFormat;

const Rows<EighMetrics>& eigh_metric_rows() {
  const std::string over_true =
      "; true λ by Householder's reduction to tridiagonal form, up to n = 128 in 113 bits, where these are too few in "
      "512 (n ≤ 128) and 2304 (n ≤ 64; half the orders if A is complex), and only those that have 20 digits; above by "
      "Rayleigh quotients (reference), and only errors that these determine";
  using M = EighMetrics;
  using B = EighBounds;
  static const Rows<M> rows = joined<M>(
      {{row(&M::residual, "residual", "residual", scientific, "‖A·U − U·Λ‖_F/‖A‖_F; none without eigenvectors")
            .compared()
            .precision(judged_precision),
        row(&M::residual_ratio, "residual_ratio", "res ratio", scientific, "‖A·U − U·Λ‖_F/(‖A‖_F·n·2⁻⁵²)")
            .precision(judged_precision)
            .bounded(&B::residual_ratio, "30", "Backward error of 30·n·2⁻⁵², as for xSYT21 of LAPACK's tests"),
        row(&M::orthogonality, "orthogonality", "orth U", scientific, "‖U*·U − I‖_F")
            .compared()
            .precision(judged_precision),
        row(&M::orthogonality_ratio, "orthogonality_ratio", "orth ratio", scientific, "‖U*·U − I‖_F/(n·2⁻⁵²)")
            .precision(judged_precision)
            .bounded(&B::orthogonality_ratio, "30", "LAPACK's threshold in its tests of xSYEV"),
        row(&M::trace_error, "trace_error", "trace err", scientific, "|Σ_j λ_j − tr A|/‖A‖_F").precision("quad")},
       eigenvalue_error_rows<M>(over_true),
       {row(&M::eigenvalue_ratio, "eigenvalue_ratio", "eig ratio", scientific, "max_j |λ_j − true λ_j|/(‖A‖_F·n·2⁻⁵²)")
            .precision("quad")
            .bounded(&B::eigenvalue_ratio, "30", "The bound of residual_ratio, by Weyl's theorem")
            .optional(),
        row(&M::error_per_estimate, "error_per_estimate", "err/est", scientific,
            "max_j |λ_j − true λ_j|/(|true λ_j|·estimate_j) over estimates below 0.1, "
            "the least that the error bound of the true λ_j allows, also for those without 20 digits" +
                over_true)
            .precision("quad")
            .bounded(&B::error_per_estimate, "10; none for solvers without estimates", "The promise of the estimates"),
        row(&M::undetermined, "undetermined", "noise", plain,
            "Eigenvalues whose signs are not determined, by their estimates"),
        row(&M::wrong_signs, "wrong_signs", "wrong signs", plain,
            "Eigenvalues with another sign than the true one that the solver does not call undetermined")
            .precision("quad")
            .bounded(&B::wrong_signs, "0; none for solvers without estimates", "The promise of the estimates"),
        probes_row<M>("n = 2048"), precision_row<M>(), device_row<M>(), proof_row<M>("residual", "orthogonality")},
       reference_rows<M>("eigenvalues")});
  return rows;
}

}  // namespace pivotlab::experiments
