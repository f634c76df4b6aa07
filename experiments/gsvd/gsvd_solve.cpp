#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/gsvd_commands.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/gsvd_tangent.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <optional>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string f, g, raw, output, variant = "?HZ0-(ME-FB-ME)", backend;
  bool x = false, force = false;
  int threads = 0;
};

template <class T>
struct Judged {
  GsvdResult<T> result;
  std::optional<TangentFacts> tangent = {};
  GsvdMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.message.empty() ? metrics.message : result.message; }
};

template <class T>
GsvdResult<T> solve_by_tangent(const Pair<T>& pair, const GsvdOptions& options, const TangentVariant& variant,
                               std::optional<TangentFacts>& facts) {
  TangentResult<T> result = gsvd_tangent<T>(
      pair.F, pair.G,
      {.variant = variant, .backend = options.backend, .compute_x = options.compute_x, .threads = options.threads});
  facts = tangent_facts(result.report, result.fallback, result.fallback_reason, result.sigma_error);
  return std::move(static_cast<GsvdResult<T>&>(result));
}

template <class T>
Judged<T> solve_and_judge(const Pair<T>& pair, const GsvdOptions& options,
                          const std::optional<TangentVariant>& tangent) {
  Judged<T> judged;
  Activity activity(fmt::format("solving on {}", to_string(options.backend)));
  const Timer timer;
  judged.result =
      tangent ? solve_by_tangent(pair, options, *tangent, judged.tangent) : gsvd<T>(pair.F, pair.G, options);
  judged.wall_seconds = timer.seconds();
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_gsvd(pair, judged.result, {.precision = {}, .threads = options.threads});
  return judged;
}

template <class T>
std::vector<Fact> facts(const Pair<T>& pair, const std::string& solver, Backend backend, const Judged<T>& judged) {
  const auto& [result, tangent, metrics, wall_seconds] = judged;
  const auto [smallest, largest] = std::minmax_element(result.sigma.begin(), result.sigma.end());
  return joined(
      {{{"solver", "solver", ColumnKind::text, solver},
        {"backend", "backend", ColumnKind::text, std::string(to_string(backend))},
        {"m_f", "rows of F", ColumnKind::integer, std::int64_t{pair.F.rows()}},
        {"m_g", "rows of G", ColumnKind::integer, std::int64_t{pair.G.rows()}},
        {"n", "n", ColumnKind::integer, std::int64_t{pair.F.cols()}},
        {"sweeps", "sweeps", ColumnKind::integer, static_cast<std::int64_t>(result.sweeps.size())},
        {"compute_s", "time s", ColumnKind::seconds, result.compute_seconds},
        {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
        {"sigma_min", "smallest sigma", ColumnKind::scientific, static_cast<double>(*smallest)},
        {"sigma_max", "largest sigma", ColumnKind::scientific, static_cast<double>(*largest)}},
       tangent ? facts_of(tangent_rows(), *tangent, {"path", "newton_steps", "fallback", "reason", "largest_estimate"})
               : std::vector<Fact>(),
       facts_of(gsvd_metric_rows(), metrics,
                {"residual_f", "residual_g", "orthogonality_u", "orthogonality_v", "sigma_error", "precision"}),
       {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
        {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const Pair<T>& pair) {
  GsvdOptions options;
  std::optional<TangentVariant> tangent;
  if (is_tangent(command.variant))
    tangent = variant_for(command.variant, scalar_type<T>, parse_tangent_variant);
  else
    options.variant = variant_for(command.variant, scalar_type<T>, parse_gsvd_variant);
  const std::string solver = tangent ? to_string(*tangent, scalar_type<T>) : to_string(options.variant, scalar_type<T>);
  options.compute_x = command.x;
  options.backend = parse_backend_or_usual(command.backend);
  options.threads = command.threads;
  const Judged<T> judged = solve_and_judge(pair, options, tangent);
  if (!command.output.empty())
    write_gsvd(command.output, judged.result, {{"solver", solver}, {"problem", pair.provenance}});
  return {judged.status(), facts(pair, solver, options.backend, judged)};
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
  const AnyPair pair =
      command.raw.empty() ? read_input_pair(command.f, command.g) : read_input_raw_pair(command.f, command.raw);
  return std::visit([&](const auto& p) { return solve(command, p); }, pair);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_gsvd_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Generalized singular value decomposition of a pair (F, G)",
      .options = {{"F", &command->f,
                   "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "", true},
                  {"G", &command->g, "The other matrix; left out when F is a pair"},
                  hdf5_output_option(command->output, "U, V, Z, sigma (and X)"),
                  force_option(command->force),
                  {"--variant", &command->variant, "Variant; '?' is the letter of the type (pivotlab list variants)",
                   "NAME"},
                  backend_option(command->backend),
                  {"--x", &command->x, "Also compute X, the inverse of Z"},
                  threads_option(command->threads),
                  {"--raw", &command->raw, "F is the stem of raw files .Y and .W of this shape", "m_F,m_G,n,TYPE"}},
      .notes = "F Z = U Sigma_F, G Z = V Sigma_G with orthonormal U, V and Sigma_F^2 + Sigma_G^2 = I.",
      .examples = {"F.mtx G.mtx -o out.h5", "pair.h5 --x -o out.h5 --threads 2",
                   "a.h5:/F b.h5:/G --variant '?HZ3-(MM-BO-ME);w=32'", "pair.h5 --variant '?GT-(auto)'",
                   "stem --raw 128,128,64,d --format json"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
