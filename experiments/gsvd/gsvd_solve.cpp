#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace pivotlab::experiments {
namespace {

/// The variant that stands for tangent reduction where it is possible and for Hari–Zimmermann elsewhere.
constexpr const char* automatic = "auto";

struct SolveCommand {
  std::string f, g, raw, output, variant = automatic, baseline, backend;
  std::optional<double> tolerance_f = {}, tolerance_g = {};
  std::string scale = "on";
  bool x = false, force = false;
  int threads = 0;
};

void set_variant(const std::string& name, ScalarType type, AnyGsvdOptions& options) {
  if (name == automatic)
    options.automatic = true;
  else if (is_tangent(name))
    options.tangent = variant_for(name, type, parse_tangent_variant);
  else
    options.variant = variant_for(name, type, parse_gsvd_variant);
}

template <class T>
struct Judged {
  AnyGsvdResult<T> result;
  std::string solver;    ///< name of the variant or the baseline that computed the result
  std::string backend;   ///< what ran it; for a baseline its library
  std::string accuracy;  ///< a warning about σ; empty: no reason for one is known
  std::optional<TangentFacts> tangent = {};
  GsvdMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.message.empty() ? metrics.message : result.message; }
};

/// Writes ascending positions, counted from 1, as ranges: "1-3, 7"; of more than four ranges, the first four.
std::string as_ranges(const std::vector<std::size_t>& positions) {
  constexpr int most = 4;
  std::string text;
  int count = 0;
  for (std::size_t k = 0, last = 0; k < positions.size(); k = last + 1) {
    last = k;
    while (last + 1 < positions.size() && positions[last + 1] == positions[last] + 1) ++last;
    if (count++ == most) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", positions[k] + 1);
    if (last > k) text += fmt::format("-{}", positions[last] + 1);
  }
  return text;
}

/// Returns a warning where the estimated relative errors of σ other than 0 and infinity exceed 1e-8.
template <class T>
std::string accuracy_of(const TangentResult<T>& result) {
  constexpr double accurate = 1e-8, reliable = 0.1;
  double largest = 0;
  std::vector<std::size_t> undetermined;
  for (std::size_t j = 0; j < result.sigma_error.size(); ++j) {
    if (result.sigma_f[j] == 0 || result.sigma_g[j] == 0) continue;
    largest = std::max(largest, result.sigma_error[j]);
    if (result.sigma_error[j] >= reliable) undetermined.push_back(j);
  }
  if (!undetermined.empty())
    return fmt::format(
        "the data do not determine sigma {} (estimated relative errors of 0.1 or more); the other estimates are not "
        "reliable",
        as_ranges(undetermined));
  if (largest <= accurate) return "";
  return fmt::format("relative errors of sigma up to {:.0e} are possible (estimate)", largest);
}

template <class T>
void solve_by_variant(const Pair<T>& pair, const AnyGsvdOptions& options, Judged<T>& judged) {
  const AnyGsvdResult<T>& result = judged.result = gsvd_any<T>(pair.F, pair.G, options);
  judged.solver = to_string(options.variant, scalar_type<T>);
  if (!options.automatic && !options.tangent) return;
  judged.accuracy = accuracy_of(result);
  judged.tangent = tangent_facts<T>(result);
  const bool replaced = options.automatic && !judged.tangent->path;  // a variant asked for keeps its name
  if (!replaced)
    judged.solver = to_string(options.tangent.value_or(automatic_variant(options.backend)), scalar_type<T>);
}

/// xGGSVD3 takes any pair; the other baselines take a pair with σ finite and m_F, m_G ≥ n.
template <class T>
void solve_by_baseline(const Pair<T>& pair, const std::string& name, int threads, Judged<T>& judged) {
  AnyGsvdResult<T>& result = judged.result;
  judged.solver = name, judged.backend = library_of(name);
  if (name == baseline_of_type("lapack:?ggsvd3", scalar_type<T>)) {
    result = solve_any_gsvd_with_baseline<T>(name, pair.F, pair.G, threads);
    return;
  }
  static_cast<GsvdResult<T>&>(result) = solve_gsvd_with_baseline<T>(name, pair.F, pair.G, threads);
  result.l = result.r = std::ssize(result.sigma);
}

template <class T>
Judged<T> solve_and_judge(const Pair<T>& pair, const AnyGsvdOptions& options, const std::string& baseline) {
  Judged<T> judged;
  judged.backend = to_string(options.backend);
  Activity activity(fmt::format("solving on {}", baseline.empty() ? judged.backend : library_of(baseline)));
  const Timer timer;
  if (!baseline.empty())
    solve_by_baseline(pair, baseline, options.threads, judged);
  else
    solve_by_variant(pair, options, judged);
  judged.wall_seconds = timer.seconds();
  if (judged.result.status == Status::failed) return judged;  // without factors
  activity.now("judging the solution in extended precision");
  const JudgeOptions judge{.precision = {}, .threads = options.threads};
  judged.metrics = judge_gsvd_by_z(pair, judged.result, judge);
  return judged;
}

/// Returns what a reduction has decided, and by which tolerances; empty cells without one.
std::vector<Fact> reduction_facts(const GsvdMetrics& metrics) {
  std::vector<Fact> facts = facts_of(reduction_rows(), metrics.reduction.value_or(ReductionFacts()),
                                     {"k", "l", "r", "tolerance_f", "tolerance_g"});
  if (!metrics.reduction)
    for (Fact& fact : facts) fact.value = Cell();
  return facts;
}

/// Returns the least and the largest finite σ, if there are any.
template <class T>
std::pair<Cell, Cell> finite_extremes(const AnyGsvdResult<T>& result) {
  const auto finite = std::span(result.sigma).subspan(static_cast<std::size_t>(result.reduced ? result.k : 0));
  if (finite.empty()) return {};
  const auto [least, largest] = std::ranges::minmax(finite);
  return {static_cast<double>(least), static_cast<double>(largest)};
}

template <class T>
std::vector<Fact> facts(const Pair<T>& pair, const Judged<T>& judged) {
  const auto& [result, solver, backend, accuracy, tangent, metrics, wall_seconds] = judged;
  const bool iterated = !is_baseline(solver) && (!tangent || !tangent->path);
  const auto [least, largest] = finite_extremes(result);
  return joined(
      {{{"solver", "solver", ColumnKind::text, solver},
        {"backend", "backend", ColumnKind::text, backend},
        {"m_f", "rows of F", ColumnKind::integer, std::int64_t{pair.F.rows()}},
        {"m_g", "rows of G", ColumnKind::integer, std::int64_t{pair.G.rows()}},
        {"n", "n", ColumnKind::integer, std::int64_t{pair.F.cols()}},
        {"sweeps", "sweeps", ColumnKind::integer,
         iterated ? Cell(static_cast<std::int64_t>(result.sweeps.size())) : Cell()},
        {"compute_s", "time s", ColumnKind::seconds, result.compute_seconds},
        {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
        {"sigma_min", "smallest sigma", ColumnKind::scientific, least},
        {"sigma_max", "largest sigma", ColumnKind::scientific, largest}},
       reduction_facts(metrics),
       tangent ? facts_of(tangent_rows(), *tangent, {"path", "newton_steps", "fallback", "reason", "largest_estimate"})
               : std::vector<Fact>(),
       {{"accuracy", "accuracy", ColumnKind::text, accuracy}},
       facts_of(gsvd_metric_rows(), metrics,
                {"residual_f", "residual_g", "orthogonality_u", "orthogonality_v", "sigma_error", "precision"}),
       {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
        {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const Pair<T>& pair, std::map<std::string, std::string> attributes) {
  AnyGsvdOptions options{.backend = parse_backend_or_usual(command.backend),
                         .tolerance_f = command.tolerance_f,
                         .tolerance_g = command.tolerance_g,
                         .scale = command.scale == "on",
                         .compute_x = command.x,
                         .hari_zimmermann_fallback = false,
                         .threads = command.threads};
  if (command.baseline.empty()) set_variant(command.variant, scalar_type<T>, options);
  const Judged<T> judged = solve_and_judge(pair, options, baseline_of_type(command.baseline, scalar_type<T>));
  if (!command.output.empty() && judged.result.status != Status::failed) {
    attributes["solver"] = judged.solver;
    attributes["problem"] = pair.provenance;
    write_gsvd(command.output, judged.result, attributes);
  }
  return {judged.status(), facts(pair, judged)};
}

std::vector<std::string> inputs(const SolveCommand& command) {
  if (command.raw.empty()) return {command.f, command.g};
  return {command.f + ".Y", command.f + ".W"};
}

CommandResult run(const SolveCommand& command) {
  if (!command.raw.empty() && !command.g.empty())
    throw InputError("solve: --raw takes one stem, for <stem>.Y and <stem>.W; leave G out");
  require_hdf5_name(command.output);
  require_outputs(inputs(command), {command.output}, command.force);
  const auto attributes = result_attributes(command.output, inputs(command));
  const AnyPair pair =
      command.raw.empty() ? read_input_pair(command.f, command.g) : read_input_raw_pair(command.f, command.raw);
  return std::visit([&](const auto& p) { return solve(command, p, attributes); }, pair);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_gsvd_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Generalized singular value decomposition of a pair (F, G)",
      .options = {{"F", &command->f,
                   "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "", true},
                  {"G", &command->g, "The other matrix; left out when F is a pair"},
                  hdf5_output_option(command->output, "U, V, Z, sigma (and X, R, Q)"),
                  force_option(command->force),
                  {"--variant", &command->variant,
                   "Variant; '?' is the letter of the type (pivotlab list variants); auto: tangent reduction, or "
                   "Hari-Zimmermann where that is impossible",
                   "NAME"},
                  baseline_option(command->baseline,
                                  {"--variant", "--backend", "--x", "--tolerance-f", "--tolerance-g", "--scale"}),
                  backend_option(command->backend),
                  {"--x", &command->x, "Also compute X with X Z = I, and R, Q with X = (0 R) Q^H"},
                  {.name = "--tolerance-f",
                   .target = &command->tolerance_f,
                   .help = "Pivots of F up to this count as zero (default: max(m, n) eps times the norm)",
                   .value_name = "TAU",
                   .minimum = 0},
                  {.name = "--tolerance-g",
                   .target = &command->tolerance_g,
                   .help = "The same for G; a given tolerance makes the pair be reduced in any case",
                   .value_name = "TAU",
                   .minimum = 0},
                  {.name = "--scale",
                   .target = &command->scale,
                   .help = "Scale the columns by powers of two before ranks are decided",
                   .value_name = "on|off",
                   .choices = {"on", "off"}},
                  threads_option(command->threads),
                  {"--raw", &command->raw, "F is the stem of raw files .Y and .W of this shape", "m_F,m_G,n,TYPE"}},
      .notes =
          "F Z = U Sigma_F, G Z = V Sigma_G with orthonormal U, V and Sigma_F^2 + Sigma_G^2 = I.\nA pair with fewer "
          "rows than columns or a G of deficient rank is reduced by LAPACK first: k infinite\nsigma come first, Z "
          "has a column for each of the r = k + l sigma, and the first n - r columns of Q span the\ncommon null "
          "space.",
      .examples = {"F.mtx G.mtx -o out.h5", "pair.h5 --x -o out.h5 --threads 2",
                   "a.h5:/F b.h5:/G --variant '?HZ3-(MM-BO-ME);w=32'", "pair.h5 --variant '?GT-(L)'",
                   "pair.h5 --baseline 'lapack:?ggsvd3'", "stem --raw 128,128,64,d --format json"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
