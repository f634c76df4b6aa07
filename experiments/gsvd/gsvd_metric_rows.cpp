// SPDX-License-Identifier: BSD-3-Clause
// The metrics of a record as a table of rows, and which of them are part of the verdict.
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>

namespace pivotlab::experiments {

using enum NumberFormat;

const Rows<ReductionFacts>& reduction_rows() {
  using R = ReductionFacts;
  const std::string accepted = "Least pivot |r_jj| that does not count as zero, of ",
                    rejected = "Largest pivot |r_jj| that counts as zero, of ";
  static const Rows<R> rows = {
      row(&R::k, "k", "infinite sigma", plain, "Number of infinite σ").source("LAPACK xGGSVD3"),
      row(&R::l, "l", "finite sigma", plain, "Number of finite σ, the rank of G").source("LAPACK xGGSVD3"),
      row(&R::r, "r", "rank of (F; G)", plain, "k + l, the rank of [F; G]"),
      row(&R::tolerance_f, "tolerance_f", "tolerance of F", scientific,
          "Tolerance of the pivots of F that decided k; none where the routine does not return it")
          .precision("double"),
      row(&R::accepted_f, "accepted_f", "least F", scientific, accepted + "F").precision("double"),
      row(&R::rejected_f, "rejected_f", "rest F", scientific, rejected + "F").precision("double"),
      row(&R::tolerance_g, "tolerance_g", "tolerance of G", scientific,
          "Tolerance of the pivots of G that decided l; none where the routine does not return it")
          .precision("double"),
      row(&R::accepted_g, "accepted_g", "least G", scientific, accepted + "G").precision("double"),
      row(&R::rejected_g, "rejected_g", "rest G", scientific, rejected + "G").precision("double"),
      row(&R::core_fallback, "core_fallback", "core fall-back", plain,
          "Why tangent reduction decomposed the core pair in place of Hari–Zimmermann; empty if it did not")};
  return rows;
}

const Rows<GsvdMetrics>& gsvd_metric_rows() {
  const std::string bound_of_f = "20·max(m_F, n)·2⁻⁵²", bound_of_g = "20·max(m_G, n)·2⁻⁵²",
                    bound_of_sigma = "20·max(m_F, m_G, n)·2⁻⁵²",
                    of_lapack = "20 is LAPACK's threshold in its tests of the GSVD (dgsvts3)",
                    with_x = std::string(judged_precision) +
                             "; on a GPU X by QR in double where seven digits of it are right",
                    of_rounding = "The same factor for the rounding of σ_F,j, σ_G,j and σ_j";
  using M = GsvdMetrics;
  using B = GsvdBounds;
  static const Rows<M> rows = joined<M>(
      {{row(&M::residual_f, "residual_f", "res F", scientific, "‖F − U·Σ_F·X‖_F/‖F‖_F, X = Z⁻¹")
            .compared()
            .precision(with_x)
            .source("Novaković & Singer, section 5")
            .bounded(&B::residual_f, bound_of_f + "·g_F, g_F = Σ_j ‖x_j‖₂·Σ_i ‖f_i‖₂|z_ij|/‖F‖_F (growth_f)",
                     "The bound of backward_f: F − U·Σ_F·X = Σ_j (F·z_j − σ_F,j·u_j)·x_jᵀ, x_jᵀ being the rows of X"),
        row(&M::residual_g, "residual_g", "res G", scientific, "‖G − V·Σ_G·X‖_F/‖G‖_F, X = Z⁻¹")
            .compared()
            .precision(with_x)
            .source("Novaković & Singer, section 5")
            .bounded(&B::residual_g, bound_of_g + "·g_G, g_G = Σ_j ‖x_j‖₂·Σ_i ‖g_i‖₂|z_ij|/‖G‖_F (growth_g)",
                     "The bound of backward_g, as for residual_f"),
        row(&M::residual_fz, "residual_fz", "res FZ", scientific, "‖F·Z − U·Σ_F‖_F/(‖F‖_F·‖Z‖_F)")
            .precision(judged_precision)
            .bounded(&B::residual_fz, bound_of_f, "The bound of backward_f, by the Cauchy–Schwarz inequality"),
        row(&M::residual_gz, "residual_gz", "res GZ", scientific, "‖G·Z − V·Σ_G‖_F/(‖G‖_F·‖Z‖_F)")
            .precision(judged_precision)
            .bounded(&B::residual_gz, bound_of_g, "The bound of backward_g, by the Cauchy–Schwarz inequality"),
        row(&M::backward_f, "backward_f", "backward F", scientific,
            "max_j ‖F·z_j − σ_F,j·u_j‖₂/Σ_i ‖f_i‖₂|z_ij|: least relative change of the columns f_i of F that makes "
            "u_j, "
            "z_j, σ_F,j exact; of a reduced pair with the weight ‖F·S‖_F‖S⁻¹·z_j‖₂, S scaling the columns of F and G")
            .precision(judged_precision)
            .bounded(&B::backward_f, bound_of_f, of_lapack)
            .optional(),
        row(&M::backward_g, "backward_g", "backward G", scientific,
            "max_j ‖G·z_j − σ_G,j·v_j‖₂/Σ_i ‖g_i‖₂|z_ij|: least relative change of the columns g_i of G that makes "
            "v_j, "
            "z_j, σ_G,j exact; of a reduced pair with the weight ‖G·S‖_F‖S⁻¹·z_j‖₂")
            .precision(judged_precision)
            .bounded(&B::backward_g, bound_of_g, of_lapack)
            .optional(),
        row(&M::orthogonality_u, "orthogonality_u", "orth U", scientific,
            "‖UᴴU − I‖_F; a zero column of U with σ_F,j = 0 counts as orthonormal")
            .shown()
            .precision(judged_precision)
            .bounded(&B::orthogonality_u, bound_of_f, of_lapack),
        row(&M::orthogonality_v, "orthogonality_v", "orth V", scientific,
            "‖VᴴV − I‖_F; a zero column of V with σ_G,j = 0 counts as orthonormal")
            .shown()
            .precision(judged_precision)
            .bounded(&B::orthogonality_v, bound_of_g, of_lapack),
        row(&M::sigma_sum, "sigma_sum", "sum err", scientific, "max_j |σ_F,j² + σ_G,j² − 1|")
            .precision("quad")
            .bounded(&B::sigma_sum, bound_of_sigma, of_rounding),
        row(&M::sigma_ratio, "sigma_ratio", "ratio err", scientific, "max_j |σ_j − σ_F,j/σ_G,j|/(σ_F,j/σ_G,j)")
            .precision("quad")
            .bounded(&B::sigma_ratio, bound_of_sigma, of_rounding)
            .optional(),
        row(&M::sigma_error, "sigma_error", "sigma err", scientific,
            "max_j |σ_j − true σ_j|/(true σ_j) over finite true σ_j > 0 (reference), both sorted; none where the true "
            "ones are "
            "unknown "
            "or the ranks k, l are not the true ones")
            .precision("quad")
            .compared(),
        row(&M::sigma_backward, "sigma_backward", "sigma/cond", scientific,
            "max_j |σ_j − true σ_j|/κ_j, κ_j = (|u_j|ᵀ|F||z_j| + σ_j·|v_j|ᵀ|G||z_j|)/σ_G,j: error in units of what "
            "relative changes of the entries do to first order; of a reduced pair, whose columns orthogonal "
            "transformations have mixed, with the weights of backward_f and backward_g in place of |u_j|ᵀ|F||z_j| and "
            "|v_j|ᵀ|G||z_j|")
            .precision("differences in quad, κ_j in double, on a GPU up to 0.4 % too small")
            .bounded(&B::sigma_backward, bound_of_sigma,
                     "The bounds of backward_f and backward_g, for changes of the entries to first order")
            .optional(),
        row(&M::dgsvts3, "dgsvts3", "dgsvts3", plain,
            "Six test ratios, X = R·Qᴴ with R upper triangular, ε = 2⁻⁵²: ‖F·Q − U·Σ_F·R‖₁/(max(m_F, n)·‖F‖₁·ε) and "
            "the "
            "same of G, V, Σ_G; ‖UᴴU − I‖₁/(m_F·ε); ‖VᴴV − I‖₁/(m_G·ε); ‖QᴴQ − I‖₁/(n·ε); 0 where σ descends, "
            "otherwise "
            "1/ε. LAPACK calls ratios above 20 suspicious")
            .precision("quad or double-double; Q in double")
            .source("LAPACK dgsvts3"),
        row(&M::probes, "probes", "probes", plain,
            "Random vectors w of signs from which residual_fz, residual_gz and the orthogonality are estimated, as "
            "E‖A·w‖₂² = ‖A‖_F², without the other metrics; 0: all are computed")
            .source("Hutchinson, Commun. Stat. Simul. Comput. 18 (1989)")
            .optional(),
        precision_row<M>(), device_row<M>().optional(),
        proof_row<M>("residual_fz and residual_gz, the larger one",
                     "orthogonality_u and orthogonality_v, the larger one"),
        object_row<M>(&M::reduction, reduction_rows(), "reduction", "Reduction of a pair that the solver does not take")
            .only_if_any()},
       reference_rows<M>("σ")});
  return rows;
}

}  // namespace pivotlab::experiments
