// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

const Rows<HsvdMetrics>& hsvd_metric_rows() {
  using enum NumberFormat;
  using M = HsvdMetrics;
  using B = HsvdBounds;
  const std::string over_true =
      "; true σ are proved in quad by Gershgorin's theorem, up to m = 128, and only those with 20 proved digits count; "
      "above, for J = I, Rayleigh quotients (reference), and only errors that these determine";
  const std::string of_lapack = "LAPACK's threshold in its tests of the SVD (svd.in)";
  static const Rows<M> rows = joined<M>(
      {{row(&M::residual, "residual", "residual", scientific,
            "‖(G·V − U·Σ)·D⁻¹‖_F/‖G‖_F, D = diag(‖v_j‖); for m < n of the adjoint, G*·U = V·Σ. The verdict proves "
            "backward "
            "errors; digits of σ below ε·‖G‖ are judged only by their true values")
            .compared()
            .precision(judged_precision),
        row(&M::residual_ratio, "residual_ratio", "res ratio", scientific, "‖(G·V − U·Σ)·D⁻¹‖_F/(‖G‖_F·m·2⁻⁵²)")
            .precision(judged_precision)
            .bounded(&B::residual_ratio, "35", of_lapack),
        row(&M::orthogonality, "orthogonality", "orth U", scientific,
            "‖U*·U − I‖_F without zero columns where σ = 0, which are not judged")
            .compared()
            .precision(judged_precision),
        row(&M::orthogonality_ratio, "orthogonality_ratio", "U ratio", scientific, "‖U*·U − I‖_F/(m·2⁻⁵²)")
            .precision(judged_precision)
            .bounded(&B::orthogonality_ratio, "35", of_lapack),
        row(&M::j_orthogonality, "j_orthogonality", "orth V", scientific, "‖V*·J·V − J'‖_F/max_j ‖v_j‖²")
            .compared()
            .precision(judged_precision),
        row(&M::j_orthogonality_ratio, "j_orthogonality_ratio", "V ratio", scientific,
            "‖V*·J·V − J'‖_F/(max_j ‖v_j‖²·n·2⁻⁵²)")
            .precision(judged_precision)
            .bounded(&B::j_orthogonality_ratio, "35", of_lapack + ", for J = I"),
        row(&M::drift, "drift", "drift", scientific, "|mean_j(J'_j·v_j*·J·v_j − 1)|/max_j ‖v_j‖²")
            .precision(judged_precision),
        row(&M::sigma_error, "sigma_error", "sigma err", scientific, "max_j |σ_j − true σ_j|/max_j true σ_j")
            .precision("quad"),
        row(&M::relative_error, "relative_error", "rel err", scientific, "max_j |σ_j − true σ_j|/true σ_j" + over_true)
            .compared()
            .precision("quad"),
        row(&M::largest_estimate, "largest_estimate", "estimate", scientific,
            "Largest estimate of |σ_j² − true σ_j²|/true σ_j²; none for solvers without estimates")
            .shown()
            .precision("double"),
        row(&M::error_per_estimate, "error_per_estimate", "err/est", scientific,
            "max_j |σ_j² − true σ_j²|/(true σ_j²·estimate_j) over estimates below 0.1" + over_true)
            .precision("quad")
            .bounded(&B::error_per_estimate, "10; none for solvers without estimates", "The promise of the estimates"),
        row(&M::undetermined, "undetermined", "noise", plain, "Singular values whose estimates are 0.1 or more"),
        probes_row<M>("m = 2048"), precision_row<M>(), device_row<M>(),
        proof_row<M>("residual", "orthogonality and j_orthogonality, the larger one")},
       reference_rows<M>("singular values")});
  return rows;
}

}  // namespace pivotlab::experiments
