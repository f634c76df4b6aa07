#include <experiments/eigh/eigh_sections.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;
using C = EighConvergence;

/// Sum of a counter over the sweeps.
Row<C> total(std::uint64_t HsvdSweep::*counter, std::string at, std::string heading, std::string definition) {
  return computed<C>(
      [counter](const C& run) {
        std::uint64_t sum = 0;
        for (const HsvdSweep& sweep : run.sweeps) sum += sweep.*counter;
        return sum;
      },
      std::move(at), std::move(heading), plain, std::move(definition));
}

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
  static const Rows<C> rows = {
      computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
      row(&C::rank, "rank", "rank", plain, "Columns of G in A = G·J·G*"),
      total(&HsvdSweep::transformations, "transformations", "transformations", "2×2 transformations of all sweeps"),
      total(&HsvdSweep::big, "big", "big", "Transformations of columns with |cos| > 2⁻²⁶·⁵"),
      total(&HsvdSweep::hyperbolic, "hyperbolic", "hyperbolic", "Transformations of columns of different signs"),
      total(&HsvdSweep::clamped, "clamped", "clamped", "Hyperbolic transformations whose |tanh φ| was limited"),
      total(&HsvdSweep::qr_tiles, "qr_tiles", "QR tiles", "Tiles factored by QR, because Cholesky lost a pivot"),
      computed<C>(
          [](const C& c) {
            double largest = 0;
            for (const HsvdSweep& sweep : c.sweeps) largest = std::max(largest, sweep.largest_tanh);
            return largest;
          },
          "largest_tanh", "max tanh", scientific, "Largest |tanh φ| of a hyperbolic transformation")
          .precision("double"),
      computed<C>([](const C& c) { return c.spectral.used; }, "spectral_used", "spectral", plain,
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
      row(&C::sweep_seconds, "sweep_seconds", "sweeps s", seconds, "Time of the sweeps").unit("s")};
  return rows;
}

}  // namespace pivotlab::experiments
