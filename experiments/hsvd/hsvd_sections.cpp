#include <experiments/common/sweep_rows.hpp>
#include <experiments/hsvd/hsvd_sections.hpp>

namespace pivotlab::experiments {

const Rows<HsvdProblemFacts>& hsvd_problem_rows() {
  using enum NumberFormat;
  using P = HsvdProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or file").hidden(),
      row(&P::norm_f, "norm_f", "norm G", scientific, "‖G‖_F").precision("double"),
      row(&P::negative_signs, "negative_signs", "signs -", plain, "Elements −1 of J"),
      row(&P::smallest_sigma, "smallest_sigma", "min sigma", scientific, "min_j true σ_j, up to m = 128")
          .precision("quad"),
      row(&P::largest_sigma, "largest_sigma", "max sigma", scientific, "max_j true σ_j, up to m = 128")
          .precision("quad")};
  return rows;
}

const Rows<HsvdConvergence>& hsvd_convergence_rows() {
  using C = HsvdConvergence;
  static const Rows<C> rows = joined<C>(
      {{computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", NumberFormat::plain, "Sweeps")
            .shown()},
       sweep_counter_rows<C>()});
  return rows;
}

}  // namespace pivotlab::experiments
