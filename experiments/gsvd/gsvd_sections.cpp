// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/common/refine_rows.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/metrics/condition.hpp>

#include <algorithm>
#include <complex>

namespace pivotlab::experiments {
namespace {

using enum NumberFormat;

const Rows<SweepCounters>& sweep_rows() {
  using S = SweepCounters;
  static const Rows<S> rows = {
      row(&S::transformations, "transformations", "", plain, "Non-trivial 2×2 transformations"),
      row(&S::big, "big", "", plain, "Those not close to a multiple of the identity"),
      row(&S::swaps, "swaps", "", plain, "Column interchanges of the sorting"),
      row(&S::skipped_tiles, "skipped_tiles", "", plain, "Tiles that did not change"),
      row(&S::qr_tiles, "qr_tiles", "", plain, "Tiles factored by QR in place of Cholesky"),
      row(&S::max_inner_sweeps, "max_inner_sweeps", "", plain, "The most inner sweeps of a tile").at_least(0),
      row(&S::seconds, "seconds", "", seconds, "Wall time").unit("s")};
  return rows;
}

template <class Value>
Row<RankTimes> of_steps(Value StepSeconds::*member, std::string at, std::string definition) {
  return computed<RankTimes>(
      [member](const RankTimes& rank) {
        std::vector<Value> values;
        for (const StepSeconds& step : rank.steps) values.push_back(step.*member);
        return values;
      },
      std::move(at), "", plain, std::move(definition));
}

const Rows<RankTimes>& rank_rows() {
  static const Rows<RankTimes> rows = {
      row(&RankTimes::device, "device", "", plain, "Number of the rank's GPU; ranks may share one"),
      of_steps(&StepSeconds::compute, "compute_s", "Seconds of computing, by steps of the outermost level"),
      of_steps(&StepSeconds::exchange, "exchange_s", "Seconds of sending, receiving and waiting for other ranks"),
      of_steps(&StepSeconds::bytes_sent, "bytes_sent", "Bytes sent")};
  return rows;
}

/// The precision follows experiments/metrics/condition.hpp.
Row<GsvdProblemFacts> condition_row(std::optional<double> GsvdProblemFacts::*member, std::string at,
                                    std::string heading, std::string definition) {
  return row(member, std::move(at), std::move(heading), scientific,
             std::move(definition) + "; none where it is infinite or the pair is judged by random vectors")
      .precision("double; double-double beyond 1e12");
}

template <class Count>
Row<GsvdConvergence> sum(Count SweepCounters::*member, std::string at, std::string heading, NumberFormat format,
                         std::string definition) {
  return computed<GsvdConvergence>(
      [member](const GsvdConvergence& convergence) {
        Count total{};
        for (const SweepCounters& sweep : convergence.sweeps) total += sweep.*member;
        return total;
      },
      std::move(at), std::move(heading), format, std::move(definition));
}

}  // namespace

GsvdProblemFacts problem_facts(const std::string& provenance, const std::vector<Quad>& sigma, Index n) {
  GsvdProblemFacts known{.provenance = provenance, .truth = !sigma.empty()};
  const auto finite = std::ranges::find_if(sigma, [](const Quad& x) { return isfinite(x); });
  if (finite != sigma.end()) {
    known.sigma_max = static_cast<double>(*finite);
    known.sigma_min = static_cast<double>(sigma.back());
  }
  if (known.truth && sigma.end() - finite < n) known.k = finite - sigma.begin(), known.l = sigma.end() - finite;
  return known;
}

template <class T>
GsvdProblemFacts problem_facts(const Pair<T>& pair) {
  GsvdProblemFacts known = problem_facts(pair.provenance, pair.sigma, pair.F.cols());
  if (std::max(pair.F.rows(), pair.G.rows()) > full_judgement_limit_of(pair)) return known;
  const PairCondition condition = condition_numbers<T>(pair.F, pair.G);
  known.kappa_f = condition.f.value;
  known.kappa_g = condition.g.value;
  return known;
}

template <class T>
double sweep_flops(const Pair<T>& pair) {
  const auto rows = static_cast<double>(pair.F.rows() + pair.G.rows()), n = static_cast<double>(pair.F.cols());
  return (is_complex<T> ? 4 : 1) * 2 * n * n * (3 * rows + 2 * n);
}

template double sweep_flops(const Pair<double>&);
template double sweep_flops(const Pair<std::complex<double>>&);

template GsvdProblemFacts problem_facts(const Pair<double>&);
template GsvdProblemFacts problem_facts(const Pair<std::complex<double>>&);

const Rows<TangentFacts>& tangent_rows() {
  using F = TangentFacts;
  static const Rows<F> rows = {
      row(&F::path, "path", "path", plain,
          "Path taken: R1 after one QR factorization of F·R⁻¹, L after two; none after "
          "the fall-back on Hari–Zimmermann"),
      row(&F::steps, "steps", "steps", plain, "Steps that made the columns of A = M·V orthogonal"),
      row(&F::newton_steps, "newton_steps", "Newton", plain, "Newton steps among them"),
      row(&F::groups, "groups", "groups", plain, "Gram matrices of the first pass"),
      row(&F::diagonal_span, "diagonal_span", "diag span", scientific, "max|r_ii|/min|r_ii| of the factor R₁ of F·R⁻¹")
          .precision("double"),
      row(&F::column_span, "column_span", "col span", scientific,
          "Ratio of the largest and the smallest norm of the columns of M")
          .precision("double"),
      row(&F::fallback, "fallback", "fall-back", plain,
          "Fall-back that was taken: none, swapped (the tangent path of (G, F)) or hari-zimmermann")
          .among({"none", "swapped", "hari-zimmermann"}),
      row(&F::reason, "reason", "reason", plain, "Reason of the fall-back; empty without one"),
      row(&F::largest_estimate, "largest_estimate", "sigma est", scientific,
          "max_j of |u_j|ᵀ·|F − U·Σ_F·X|·|z_j|/σ_F,j + |v_j|ᵀ·|G − V·Σ_G·X|·|z_j|/σ_G,j + n·2⁻⁵³, the estimated "
          "relative "
          "error of σ_j; none after the fall-back on Hari–Zimmermann")
          .precision("double"),
      row(&F::error_per_estimate, "error_per_estimate", "err/est", scientific,
          "max_j of the relative error of σ_j over its estimate, over finite true σ_j > 0; none where the true ones "
          "are unknown")
          .precision("quad")
          .only_if_any()};
  return rows;
}

namespace {

/// Returns the largest estimate, of infinite σ of a reduced pair apart, which have none.
template <class T>
std::optional<double> largest_estimate(const TangentResult<T>& result) {
  std::optional<double> largest;
  for (std::size_t j = 0; j < result.sigma_error.size(); ++j)
    if (std::isfinite(result.sigma[j])) largest = std::max(largest.value_or(0), result.sigma_error[j]);
  return largest;
}

/// Returns max_j of the relative error of σ_j over its estimate, over finite true σ_j > 0; none where the true σ, or as
/// many, are unknown.
template <class T>
std::optional<double> largest_error_per_estimate(const TangentResult<T>& result, const std::vector<Quad>& truth) {
  if (truth.empty() || truth.size() != result.sigma_error.size()) return std::nullopt;
  double largest = 0;
  for (std::size_t j = 0; j < truth.size(); ++j)
    if (truth[j] > 0 && isfinite(truth[j]))
      largest = std::max(largest, std::fabs(static_cast<double>((Quad(result.sigma[j]) - truth[j]) / truth[j])) /
                                      result.sigma_error[j]);
  return largest;
}

}  // namespace

template <class T>
TangentFacts tangent_facts(const TangentResult<T>& result, const std::vector<Quad>& truth) {
  TangentFacts facts{.fallback = std::string(to_string(result.fallback)), .reason = result.fallback_reason};
  facts.largest_estimate = largest_estimate(result);
  facts.error_per_estimate = largest_error_per_estimate(result, truth);
  if (result.fallback == TangentFallback::hari_zimmermann || result.status == Status::failed) return facts;
  const TangentReport& report = result.report;
  facts.path = std::string(to_string(report.path));
  facts.newton_steps = report.newton_steps();
  facts.steps = static_cast<int>(report.steps.size()) - 1;
  facts.groups = static_cast<int>(report.groups.size());
  facts.diagonal_span = report.diagonal_span;
  facts.column_span = report.column_span;
  return facts;
}

template TangentFacts tangent_facts(const TangentResult<double>&, const std::vector<Quad>&);
template TangentFacts tangent_facts(const TangentResult<std::complex<double>>&, const std::vector<Quad>&);

const Rows<GsvdProblemFacts>& gsvd_problem_rows() {
  using P = GsvdProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
      condition_row(&P::kappa_f, "kappa_f", "cond F", "κ₂(F) = σ_max(F)/σ_min(F)"),
      condition_row(&P::kappa_g, "kappa_g", "cond G", "κ₂(G) = σ_max(G)/σ_min(G)"),
      row(&P::sigma_min, "sigma_min", "sigma min", scientific, "Least generalized singular value, where it is known")
          .precision("quad"),
      row(&P::sigma_max, "sigma_max", "sigma max", scientific,
          "Largest finite generalized singular value, where it is known")
          .precision("quad"),
      row(&P::truth, "truth", "truth", plain, "Whether the generalized singular values are known"),
      row(&P::k, "k", "true k", plain, "Number of infinite σ, where it is known and G does not have full column rank")
          .column("true_k")
          .only_if_any(),
      row(&P::l, "l", "true l", plain, "Number of finite σ, the rank of G, where it is known and not n")
          .column("true_l")
          .only_if_any()};
  return rows;
}

const Rows<GsvdConvergence>& gsvd_convergence_rows() {
  using C = GsvdConvergence;
  using S = SweepCounters;
  static const Rows<C> rows = {
      computed<C>([](const C& c) { return c.sweeps.size(); }, "sweeps", "sweeps", plain,
                  "Sweeps of the outermost level")
          .shown()
          .source("Novaković & Singer, section 2.5"),
      sum(&S::transformations, "transformations", "rotations", plain, "Non-trivial 2×2 transformations of all sweeps"),
      sum(&S::big, "big", "big", plain,
          "Big transformations of all sweeps: those not close to a multiple of the identity, by criterion C1 or C2; a "
          "sweep without one ends the iteration")
          .source("Novaković & Singer, section 2.5"),
      row(&C::flops, "flops", "flops", scientific,
          "Nominal flops of Hari–Zimmermann: 2n²(3(m_F + m_G) + 2n) for each sweep, complex four times as many; Gram "
          "matrices and post-multiplications as if no tile were skipped, nothing inside of tiles")
          .precision("double")
          .only_if_any(),
      list_row<C>(
          [](const C& c) -> const auto& { return c.sweeps; }, sweep_rows(), "per_sweep", "per sweep",
          "Counts and seconds of each sweep"),
      list_row<C>(&C::ranks, rank_rows(), "by_rank", "by rank",
                  "For each rank its GPU, and for each step of the outermost level seconds of computing and exchanging "
                  "and bytes sent")
          .only_if_any(),
      object_row<C>(&C::tangent, tangent_rows(), "tangent", "Course of a solver by tangent reduction")
          .only_if_any()
          .column("tangent_"),
      refinement_row<C>()};
  return rows;
}

nlohmann::json to_json(const GsvdMetrics& metrics) {
  nlohmann::json section = write_judged(gsvd_metric_rows(), metrics);
  section["verdict_bounds"]["growth_f"] = detail::json_of(metrics.bounds.growth_f);
  section["verdict_bounds"]["growth_g"] = detail::json_of(metrics.bounds.growth_g);
  return section;
}

}  // namespace pivotlab::experiments
