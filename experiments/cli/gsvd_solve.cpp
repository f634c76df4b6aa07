#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <chrono>
#include <experiments/cli/activity.hpp>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/facts.hpp>
#include <experiments/cli/output_files.hpp>
#include <experiments/cli/pair_files.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>

namespace pivotlab::cli {
namespace {

using experiments::ColumnKind;

struct SolveCommand {
  std::string f, g, raw, output, variant = "?HZ0-(ME-FB-ME)", backend;
  bool x = false, force = false;
  int threads = 0;
  TableOptions table;
};

/// A solution with what the judge says of it.
template <class T>
struct Judged {
  GsvdResult<T> result;
  experiments::GsvdMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.message.empty() ? metrics.message : result.message; }
};

template <class T>
Judged<T> solve_and_judge(const Pair<T>& pair, const GsvdOptions& options) {
  Judged<T> judged;
  Activity activity(fmt::format("solving on {}", to_string(options.backend)));
  const auto start = std::chrono::steady_clock::now();
  judged.result = gsvd<T>(pair.F, pair.G, options);
  judged.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  activity.now("judging the solution in extended precision");
  judged.metrics = experiments::judge_gsvd(pair, judged.result, {.precision = {}, .threads = options.threads});
  return judged;
}

template <class T>
std::vector<Fact> facts(const Pair<T>& pair, const GsvdOptions& options, const Judged<T>& judged) {
  const auto& [result, metrics, wall_seconds] = judged;
  const auto [smallest, largest] = std::minmax_element(result.sigma.begin(), result.sigma.end());
  return {
      {"solver", "solver", ColumnKind::text, to_string(options.variant, scalar_type<T>)},
      {"backend", "backend", ColumnKind::text, std::string(to_string(options.backend))},
      {"m_f", "rows of F", ColumnKind::integer, std::int64_t{pair.F.rows()}},
      {"m_g", "rows of G", ColumnKind::integer, std::int64_t{pair.G.rows()}},
      {"n", "n", ColumnKind::integer, std::int64_t{pair.F.cols()}},
      {"sweeps", "sweeps", ColumnKind::integer, static_cast<std::int64_t>(result.sweeps.size())},
      {"compute_s", "time s", ColumnKind::seconds, result.compute_seconds},
      {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
      {"sigma_min", "smallest sigma", ColumnKind::scientific, static_cast<double>(*smallest)},
      {"sigma_max", "largest sigma", ColumnKind::scientific, static_cast<double>(*largest)},
      {"residual_f", "residual F", ColumnKind::scientific, metrics.residual_f},
      {"residual_g", "residual G", ColumnKind::scientific, metrics.residual_g},
      {"orthogonality_u", "orthogonality U", ColumnKind::scientific, metrics.orthogonality_u},
      {"orthogonality_v", "orthogonality V", ColumnKind::scientific, metrics.orthogonality_v},
      {"sigma_error", "error of sigma", ColumnKind::scientific, cell_or_none(metrics.sigma_error)},
      {"precision", "judged in", ColumnKind::text, std::string(to_string(metrics.precision))},
      {"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
      {"message", "note", ColumnKind::text, judged.message()},
  };
}

template <class T>
int solve(const SolveCommand& command, const Pair<T>& pair) {
  GsvdOptions options;
  options.variant = variant_for(command.variant, scalar_type<T>, parse_gsvd_variant);
  options.compute_x = command.x;
  options.backend = parse_backend_or_usual(command.backend);
  options.threads = command.threads;
  const Judged<T> judged = solve_and_judge(pair, options);
  if (!command.output.empty())
    write_gsvd(command.output, judged.result,
               {{"solver", to_string(options.variant, scalar_type<T>)}, {"problem", pair.provenance}});
  print_facts(command.table, facts(pair, options, judged));
  return judged.status() == Status::passed ? exit_fine : exit_cases_failed;
}

std::vector<std::string> inputs(const SolveCommand& command) {
  if (command.raw.empty()) return {command.f, command.g};
  return {command.f + ".Y", command.f + ".W"};
}

int run(const SolveCommand& command) {
  (void)command.table.style();
  if (!command.raw.empty() && !command.g.empty())
    throw InputError("solve: --raw takes one stem, for <stem>.Y and <stem>.W; leave G out");
  require_hdf5_name(command.output);
  require_outputs(inputs(command), {command.output}, command.force);
  const AnyPair pair =
      command.raw.empty() ? read_input_pair(command.f, command.g) : read_input_raw_pair(command.f, command.raw);
  return std::visit([&](const auto& p) { return solve(command, p); }, pair);
}

}  // namespace

Command add_gsvd_solve(CLI::App& root) {
  CLI::App* app = root.add_subcommand("gsvd", "The generalized SVD of a pair (F, G)");
  auto command = std::make_shared<SolveCommand>();
  app->add_option("F", command->f,
                  "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file")
      ->required()
      ->type_name("");
  app->add_option("G", command->g, "The other matrix; left out when F is a pair")->type_name("");
  app->add_option("-o,--output", command->output, "HDF5 file for U, V, Z, sigma (and X)")->type_name("FILE");
  add_force(*app, command->force);
  app->add_option("--variant", command->variant, "How; '?' is the type's letter (pivotlab list variants)")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--backend", command->backend, backend_help)->type_name("NAME");
  app->add_flag("--x", command->x, "Also X, the inverse of Z");
  app->add_option("--threads", command->threads, "Never changes a bit (default: all cores)")
      ->type_name("N")
      ->check(positive());
  app->add_option("--raw", command->raw, "F is the stem of raw files .Y and .W of this shape")
      ->type_name("m_F,m_G,n,TYPE");
  add_table_options(*app, command->table);
  app->footer(
      "F Z = U Sigma_F, G Z = V Sigma_G with orthonormal U, V and Sigma_F^2 + Sigma_G^2 = I.\n\n"
      "Examples:\n"
      "  pivotlab solve gsvd F.mtx G.mtx -o out.h5\n"
      "  pivotlab solve gsvd pair.h5 --x -o out.h5 --threads 2\n"
      "  pivotlab solve gsvd a.h5:/F b.h5:/G --variant '?HZ3-(MM-BO-ME);w=32'\n"
      "  pivotlab solve gsvd stem --raw 128,128,64,d --format json");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
