#include <experiments/common/sweep_rows.hpp>
#include <experiments/eigh/eigh_sections.hpp>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;
using C = EighConvergence;

}  // namespace

const Rows<EighProblemFacts>& eigh_problem_rows() {
  using P = EighProblemFacts;
  static const Rows<P> rows = {row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
                               row(&P::norm_f, "norm_f", "norm A", scientific, "‖A‖_F").precision("double"),
                               row(&P::smallest_eigenvalue, "smallest_eigenvalue", "min |lambda|", scientific,
                                   "min_j |true λ_j| of the stored matrix, up to n = 128")
                                   .precision("quad"),
                               row(&P::largest_eigenvalue, "largest_eigenvalue", "max |lambda|", scientific,
                                   "max_j |true λ_j| of the stored matrix, up to n = 128")
                                   .precision("quad")};
  return rows;
}

const Rows<EighConvergence>& eigh_convergence_rows() {
  static const Rows<C> rows = joined<C>(
      {{computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
        row(&C::rank, "rank", "rank", plain, "Columns of G in A = G·J·G*")},
       sweep_counter_rows<C>(),
       {computed<C>([](const C& c) { return c.spectral.used; }, "spectral_used", "spectral", plain,
                    "Whether the spectral preconditioner was used"),
        computed<C>([](const C& c) { return c.spectral.refusal; }, "spectral_refusal", "refusal", plain,
                    "Why it was not used although the variant has it; otherwise empty"),
        computed<C>([](const C& c) { return c.spectral.defect; }, "spectral_defect", "defect", scientific,
                    "max|V₀*·J·V₀ − J'| of the preconditioner before its Newton steps")
            .precision("double"),
        computed<C>([](const C& c) { return c.spectral.newton_steps; }, "spectral_newton_steps", "Newton steps", plain,
                    "Newton steps that made the preconditioner J-unitary"),
        row(&C::factor_seconds, "factor_seconds", "factor s", seconds, "Time of A = G·J·G*").unit("s"),
        row(&C::spectral_seconds, "spectral_seconds", "spectral s", seconds, "Time of the preconditioner").unit("s"),
        row(&C::sweep_seconds, "sweep_seconds", "sweeps s", seconds, "Time of the sweeps").unit("s")}});
  return rows;
}

}  // namespace pivotlab::experiments
