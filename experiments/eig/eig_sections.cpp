#include <fmt/format.h>
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
      row(&P::norm_f, "norm_f", "norm A", scientific, "‖A‖_F"),
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
      row(&R::refined, "refined", "refined", plain, "Eigenpairs that the refinement made better"),
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
      history(&S::seconds, "seconds", "seconds history", plain, "Seconds of each sweep").column("seconds_history")};
  return rows;
}

const Rows<EigMetrics>& eig_metric_rows() {
  using M = EigMetrics;
  using B = EigBounds;
  static const Rows<M> rows = {
      row(&M::residual, "residual", "residual", scientific, "‖A·V − V·Λ‖_F/‖A‖_F").compared(),
      row(&M::get22, "get22", "get22", scientific, "‖A·V − V·Λ‖_F/(‖A‖_F·n·2⁻⁵²); LAPACK's threshold is 30")
          .source("LAPACK xGET22")
          .bounded(&B::get22),
      row(&M::left_residual, "left_residual", "left res", scientific,
          "‖Wᴴ·A − Λ·Wᴴ‖_F/‖A‖_F; none without left eigenvectors"),
      row(&M::left_get22, "left_get22", "left get22", scientific, "‖Wᴴ·A − Λ·Wᴴ‖_F/(‖A‖_F·n·2⁻⁵²)")
          .source("LAPACK xGET22")
          .bounded(&B::left_get22),
      row(&M::similarity, "similarity", "similarity", scientific,
          "‖A·E − E·T‖_F/(‖A‖_F·‖E‖_F·n·2⁻⁵²); none where there is no T")
          .bounded(&B::similarity),
      row(&M::normalization, "normalization", "|v| - 1", scientific, "max |‖v‖₂ − 1|/2⁻⁵² of all eigenvectors")
          .source("LAPACK xDRVEV")
          .bounded(&B::normalization),
      row(&M::eigenvalue_error, "eigenvalue_error", "eig err", scientific,
          "max |Δλ|/‖A‖₂, computed and true eigenvalues matched by the Hungarian method; none where they are unknown")
          .compared()
          .bounded(&B::eigenvalue_error),
      row(&M::relative_error, "relative_error", "rel err", scientific,
          "max |Δλ|/|true λ|, matched by the Hungarian method"),
      row(&M::error_over_condition, "error_over_condition", "err/cond", scientific,
          "max |Δλ|/(‖A‖₂·κ(λ)), κ(λ) being the condition of the eigenvalue")
          .shown(),
      row(&M::departure, "departure", "departure", scientific, "Departure from normality √(‖A‖_F² − Σ|λ|²)/‖A‖_F")
          .shown()
          .source("Henrici"),
      row(&M::vector_condition, "vector_condition", "cond V", scientific, "‖V‖_F·‖V⁻¹‖_F/n; none beyond 1e14"),
      row(&M::largest_condition, "largest_condition", "max cond", scientific,
          "Largest condition κ(λ) of an eigenvalue: ‖row of V⁻¹‖₂·‖v‖₂"),
      row(&M::norm_2, "norm_2", "norm2 A", scientific, "‖A‖₂ in six digits"),
      row(&M::trace_error, "trace_error", "trace err", scientific, "|Σλ − tr A|/‖A‖_F").bounded(&B::trace_error),
      row(&M::precision, "precision", "judged in", plain,
          "Precision of the arithmetic in which the metrics were computed: quad or double-double")
          .among({"quad", "double-double"}),
      row(&M::device, "device", "judged on", plain,
          "Where the metrics were computed: host or gpu; missing in old records: host")
          .column("judge_device")
          .among({"host", "gpu"})};
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
