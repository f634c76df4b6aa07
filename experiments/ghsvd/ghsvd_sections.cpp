// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/common/sweep_rows.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>

namespace pivotlab::experiments {

const Rows<GhsvdProblemFacts>& ghsvd_problem_rows() {
  using enum NumberFormat;
  using P = GhsvdProblemFacts;
  static const Rows<P> rows = {row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
                               row(&P::norm_f, "norm_f", "norm F", scientific, "‖F‖_F").precision("double"),
                               row(&P::norm_g, "norm_g", "norm G", scientific, "‖G‖_F").precision("double"),
                               row(&P::negative_signs, "negative_signs", "signs -", plain, "Elements −1 of J"),
                               row(&P::smallest_eigenvalue, "smallest_eigenvalue", "min |lambda|", scientific,
                                   "min_j |true λ_j| of the stored pair, up to n = 64")
                                   .precision("quad"),
                               row(&P::largest_eigenvalue, "largest_eigenvalue", "max |lambda|", scientific,
                                   "max_j |true λ_j| of the stored pair, up to n = 64")
                                   .precision("quad")};
  return rows;
}

const Rows<GhsvdConvergence>& ghsvd_convergence_rows() {
  using enum NumberFormat;
  using C = GhsvdConvergence;
  static const Rows<C> rows = joined<C>(
      {{computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
        row(&C::rank, "rank", "rank", plain, "Eigenvalues that are not zero")},
       sweep_counter_rows<C>(),
       {row(&C::tangent_bits, "tangent_bits", "T bits", plain,
            "Significand of T = B*·J·B and of its factorization: 106 in double-double, 53 in double, 113 where all was "
            "computed in quadruple precision; none without T"),
        row(&C::factored_on, "factored_on", "T on", plain,
            "Backend that computed T and its factorization: the host in double-double, else that of the case; "
            "none without T")
            .among({"host", "emulation", "cuda"})
            .optional(),
        row(&C::reduction_seconds, "reduction_seconds", "reduction s", seconds,
            "Time of the QR factorization of G, and of B = F·R⁻¹; none with the direct method")
            .unit("s"),
        row(&C::factor_seconds, "factor_seconds", "factor s", seconds,
            "Time of T and its factorization; none with the direct method")
            .unit("s"),
        row(&C::sweep_seconds, "sweep_seconds", "sweeps s", seconds, "Time of the sweeps, on the backend").unit("s")}});
  return rows;
}

}  // namespace pivotlab::experiments
