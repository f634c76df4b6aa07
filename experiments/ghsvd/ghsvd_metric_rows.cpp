// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

const Rows<GhsvdMetrics>& ghsvd_metric_rows() {
  using enum NumberFormat;
  using M = GhsvdMetrics;
  using B = GhsvdBounds;
  const std::string over_true =
      "; true λ enclosed by Gershgorin's theorem in quad, up to n = 64, and only those that it determines to 20 digits";
  const std::string of_lapack = "LAPACK's threshold in its tests of the SVD (svd.in)";
  const std::string promise = "The promise of the estimates";
  static const Rows<M> rows = joined<M>(
      {{row(&M::residual, "residual", "residual", scientific,
            "max_j ‖(F*·J·F − λ_j·G*·G)·z_j‖/((‖F‖_F² + |λ_j|·‖G‖_F²)·‖z_j‖)")
            .compared()
            .precision(judged_precision),
        row(&M::residual_ratio, "residual_ratio", "res ratio", scientific, "The residual over n·2⁻⁵²")
            .precision(judged_precision)
            .bounded(&B::residual_ratio, "30", "Backward error of 30·n·2⁻⁵², as for xSYT21 of LAPACK's tests"),
        row(&M::residual_f, "residual_f", "res F", scientific, "max_j ‖F·z_j − u_j·σ_Fj‖/(‖F‖_F·‖z_j‖) over λ_j ≠ 0")
            .compared()
            .precision(judged_precision),
        row(&M::residual_f_ratio, "residual_f_ratio", "F ratio", scientific,
            "The residual of F over m·2⁻⁵², m = max(m_F, m_G)")
            .precision(judged_precision)
            .bounded(&B::residual_f_ratio, "35", of_lapack),
        row(&M::columnwise_f, "columnwise_f", "F columns", scientific,
            "max_j ‖F·z_j − u_j·σ_Fj‖/(‖|F|·|z_j|‖·2⁻⁵²) over λ_j ≠ 0: the residual where columns of F differ in size")
            .compared()
            .precision(judged_precision),
        row(&M::residual_g, "residual_g", "res G", scientific, "max_j ‖G·z_j − v_j·σ_Gj‖/(‖G‖_F·‖z_j‖)")
            .compared()
            .precision(judged_precision),
        row(&M::residual_g_ratio, "residual_g_ratio", "G ratio", scientific,
            "The residual of G over m·2⁻⁵², m = max(m_F, m_G)")
            .precision(judged_precision)
            .bounded(&B::residual_g_ratio, "35", of_lapack),
        row(&M::orthogonality, "orthogonality", "orth V", scientific, "‖V*·V − I‖_F")
            .compared()
            .precision(judged_precision),
        row(&M::orthogonality_ratio, "orthogonality_ratio", "V ratio", scientific,
            "‖V*·V − I‖_F/(m·2⁻⁵²), m = max(m_F, m_G)")
            .precision(judged_precision)
            .bounded(&B::orthogonality_ratio, "35", of_lapack),
        row(&M::j_orthogonality, "j_orthogonality", "orth U", scientific, "‖U*·J·U − J'‖_F/max_j ‖u_j‖²")
            .compared()
            .precision(judged_precision),
        row(&M::j_orthogonality_ratio, "j_orthogonality_ratio", "U ratio", scientific,
            "‖U*·J·U − J'‖_F/(max_j ‖u_j‖²·m·2⁻⁵²), m = max(m_F, m_G)")
            .precision(judged_precision)
            .bounded(&B::j_orthogonality_ratio, "35", of_lapack + ", for J = I"),
        row(&M::normalization, "normalization", "norm err", scientific,
            "The largest |σ_Fj² + σ_Gj² − 1| and |J'_j·σ_Fj² − λ_j·σ_Gj²|/(|λ_j|·σ_Gj²)")
            .precision("quad"),
        row(&M::normalization_ratio, "normalization_ratio", "norm ratio", scientific, "The same over 2⁻⁵²")
            .precision("quad")
            .bounded(&B::normalization_ratio, "8",
                     "Eight roundings: of σ_F, σ_G and λ from one number σ, and their squares")},
       eigenvalue_error_rows<M>(over_true),
       {row(&M::error_per_estimate, "error_per_estimate", "err/est", scientific,
            "max_j |λ_j − true λ_j|/(|true λ_j|·estimate_j) over estimates below 0.1" + over_true)
            .precision("quad")
            .bounded(&B::error_per_estimate, "10, 30 with the direct method; none for solvers without estimates",
                     promise),
        row(&M::undetermined, "undetermined", "noise", plain,
            "Eigenvalues whose signs are not determined, by their estimates"),
        row(&M::wrong_signs, "wrong_signs", "wrong signs", plain,
            "Eigenvalues that the solver does not call undetermined and whose sign is not that of the true one, or "
            "whose "
            "true one is zero or not determined even in quad")
            .precision("quad")
            .bounded(&B::wrong_signs, "0; none for solvers without estimates", promise),
        precision_row<M>(), device_row<M>(),
        proof_row<M>("residual, residual_f and residual_g, the largest one",
                     "orthogonality and j_orthogonality, the larger one")}});
  return rows;
}

}  // namespace pivotlab::experiments
