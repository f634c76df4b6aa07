#include <experiments/eig/eig_sections.hpp>
#include <support/text/number.hpp>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;

const Rows<PlottedEigenvalues>& plotted_rows() {
  using P = PlottedEigenvalues;
  static const Rows<P> rows = {row(&P::re, "re", "", plain, "Real parts"),
                               row(&P::im, "im", "", plain, "Imaginary parts")};
  return rows;
}

/// The values before the first sweep and after each, in five digits.
Row<EigResult<double>> history(double EigSweep<double>::*member, std::string at, std::string heading,
                               NumberFormat format, std::string definition) {
  return computed<EigResult<double>>(
      [member](const EigResult<double>& result) {
        std::vector<double> values;
        for (const auto& sweep : result.history) values.push_back(rounded_to_digits(sweep.*member, 5));
        return values;
      },
      std::move(at), std::move(heading), format, std::move(definition));
}

}  // namespace

std::optional<PlottedEigenvalues> plotted(std::span<const std::complex<double>> eigenvalues) {
  if (eigenvalues.empty() || eigenvalues.size() > most_plotted) return std::nullopt;
  PlottedEigenvalues result;
  for (const auto& z : eigenvalues) {
    result.re.push_back(rounded_to_digits(z.real(), 6));
    result.im.push_back(rounded_to_digits(z.imag(), 6));
  }
  return result;
}

const Rows<EigProblemFacts>& eig_problem_rows() {
  using P = EigProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
      row(&P::norm_f, "norm_f", "norm A", scientific, "‖A‖_F").precision("double"),
      row(&P::truth, "truth", "truth", plain, "Whether the eigenvalues are known"),
      object_row<P>(&P::eigenvalues, plotted_rows(), "eigenvalues",
                    "True eigenvalues in six digits; none where they are unknown or more than 1024")
          .heading("true")
          .column("true_eigenvalues")};
  return rows;
}

const Rows<EigResult<double>>& eig_convergence_rows() {
  using R = EigResult<double>;
  using S = EigSweep<double>;
  static const Rows<R> rows = {
      computed<R>([](const R& r) { return r.sweeps(); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
      row(&R::refined, "refined", "refined", plain, "Eigenpairs (λ, v) whose residual the refinement lowered"),
      row(&R::finished, "finished", "finished", plain, "Whether a Schur form replaced the iterate").optional(),
      history(&S::norm, "norm", "norm history", plain, "‖A_k‖_F before the first sweep and after each")
          .column("norm_history"),
      history(&S::lower, "lower", "lower history", plain,
              "‖strictly lower part of A_k‖_F before the first sweep and after each")
          .column("lower_history"),
      history(&S::departure, "departure", "departure history", plain,
              "√(‖A_k‖_F² − Σ|λ|²), λ being the computed eigenvalues, before the first sweep and after each")
          .column("departure_history"),
      history(&S::largest_tau, "largest_tau", "tau history", plain, "Largest parameter τ of the shears of each sweep")
          .column("tau_history"),
      history(&S::seconds, "seconds", "seconds history", plain, "Time of each sweep")
          .unit("s")
          .column("seconds_history")};
  return rows;
}

const Rows<std::optional<PlottedEigenvalues>>& eig_solution_rows() {
  using P = std::optional<PlottedEigenvalues>;
  static const Rows<P> rows = {object_row<P>([](const P& p) { return p; }, plotted_rows(), "eigenvalues",
                                             "Computed eigenvalues in six digits; none where they are more than 1024")
                                   .heading("computed")
                                   .column("computed_eigenvalues")};
  return rows;
}

}  // namespace pivotlab::experiments
