#include <fmt/format.h>
#include <experiments/common/judged_rows.hpp>
#include <experiments/eig/eig_sections.hpp>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;

double rounded(double x, int digits) {
  return std::isfinite(x) ? std::stod(fmt::format("{:.{}g}", x, digits)) : x;
}

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
        for (const auto& sweep : result.history) values.push_back(rounded(sweep.*member, 5));
        return values;
      },
      std::move(at), std::move(heading), format, std::move(definition));
}

}  // namespace

std::optional<PlottedEigenvalues> plotted(std::span<const std::complex<double>> eigenvalues) {
  if (eigenvalues.empty() || eigenvalues.size() > most_plotted) return std::nullopt;
  PlottedEigenvalues result;
  for (const auto& z : eigenvalues) {
    result.re.push_back(rounded(z.real(), 6));
    result.im.push_back(rounded(z.imag(), 6));
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

const Rows<EigMetrics>& eig_metric_rows() {
  const std::string get22_of_lapack = "LAPACK xGET22, which has 1-norms and ‖V‖₁ in place of n",
                    allowance = "Backward error of 30·n·2⁻⁵²; LAPACK's tests of xGEEV allow 20 in xGET22",
                    of_length = "LAPACK's tests of xGEEV allow 20";
  using M = EigMetrics;
  using B = EigBounds;
  static const Rows<M> rows = {
      row(&M::residual, "residual", "residual", scientific, "‖A·V − V·Λ‖_F/‖A‖_F")
          .compared()
          .precision(judged_precision),
      row(&M::get22, "get22", "get22", scientific, "‖A·V − V·Λ‖_F/(‖A‖_F·n·2⁻⁵²)")
          .precision(judged_precision)
          .source(get22_of_lapack)
          .bounded(&B::get22, "30", allowance),
      row(&M::left_residual, "left_residual", "left res", scientific,
          "‖Wᴴ·A − Λ·Wᴴ‖_F/‖A‖_F; none without left eigenvectors")
          .precision(judged_precision),
      row(&M::left_get22, "left_get22", "left get22", scientific, "‖Wᴴ·A − Λ·Wᴴ‖_F/(‖A‖_F·n·2⁻⁵²)")
          .precision(judged_precision)
          .source(get22_of_lapack)
          .bounded(&B::left_get22, "30", allowance),
      row(&M::similarity, "similarity", "similarity", scientific,
          "‖A·E − E·T‖_F/(‖A‖_F·‖E‖_F·n·2⁻⁵²), T the last iterate or a Schur form; none where there is no T")
          .precision(judged_precision)
          .bounded(&B::similarity, "30", allowance),
      row(&M::normalization, "normalization", "|v| - 1", scientific,
          "max_j |‖v_j‖₂ − 1|/2⁻⁵² of all right and left eigenvectors")
          .precision("double")
          .source("LAPACK xDRVEV")
          .bounded(&B::normalization, "30", of_length),
      row(&M::eigenvalue_error, "eigenvalue_error", "eig err", scientific,
          "max_j |λ_j − true λ_j|/‖A‖₂, matched for the least Σ_j |λ_j − true λ_j| (Hungarian method); none where the "
          "true ones are unknown")
          .compared()
          .precision("differences in quad, ‖A‖₂ in double")
          .bounded(&B::eigenvalue_error,
                   "(2n − 1)·(‖V⁻¹‖_F·‖A·V − V·Λ‖_F + ‖V‖_F·‖V⁻¹‖_F·2⁻⁵³·‖A‖_F)/‖A‖₂; none where vector_condition "
                   "exceeds 1e14",
                   "Bauer & Fike, with Ostrowski's 2n − 1 for a matching; the second term is the rounding of A as made "
                   "from the true eigenvalues"),
      row(&M::relative_error, "relative_error", "rel err", scientific,
          "max_j |λ_j − true λ_j|/|true λ_j|, matched for the least Σ_j |λ_j − true λ_j|/max(|λ_j|, |true λ_j|)")
          .precision("differences in quad"),
      row(&M::error_over_condition, "error_over_condition", "err/cond", scientific,
          "max_j |λ_j − true λ_j|/(‖A‖₂·κ(λ_j)), matched as for eigenvalue_error, κ as for largest_condition")
          .shown()
          .precision("differences in quad, ‖A‖₂ and κ in double"),
      row(&M::departure, "departure", "departure", scientific,
          "Departure from normality √(‖A‖_F² − Σ_j |λ_j|²)/‖A‖_F, λ_j as computed")
          .shown()
          .precision("quad")
          .source("Henrici"),
      row(&M::vector_condition, "vector_condition", "cond V", scientific, "‖V‖_F·‖V⁻¹‖_F/n; none beyond 1e14")
          .precision("double"),
      row(&M::largest_condition, "largest_condition", "max cond", scientific,
          "max_j κ(λ_j), κ(λ_j) = ‖row j of V⁻¹‖₂ for unit columns of V; none where vector_condition exceeds 1e14")
          .precision("double"),
      row(&M::norm_2, "norm_2", "norm2 A", scientific, "‖A‖₂ by Lanczos' method, six digits").precision("double"),
      row(&M::trace_error, "trace_error", "trace err", scientific, "|Σ_j λ_j − tr A|/‖A‖_F")
          .precision("quad")
          .bounded(&B::trace_error,
                   "max(30·n·√n·2⁻⁵², ‖V⁻¹‖_F·‖A·V − V·Λ‖_F/‖A‖_F); only the first where vector_condition exceeds 1e14",
                   "|tr δA| ≤ √n·‖δA‖_F with the bound of get22 for δA; pairs that were refined one by one obey "
                   "tr A − Σ_j λ_j = −tr V⁻¹·(A·V − V·Λ)"),
      precision_row<M>(),
      device_row<M>()};
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
