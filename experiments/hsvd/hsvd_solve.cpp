#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/sign_file.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/hsvd/hsvd_commands.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/jacobi.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <map>

namespace pivotlab::experiments {
namespace {

constexpr std::string_view automatic = "auto";  ///< the variant that keeps the digits of (G, J)

struct SolveCommand {
  std::string matrix, signs, output, variant = std::string(automatic), baseline, backend;
  bool force = false;
  int max_sweeps = HsvdOptions{}.max_sweeps, threads = 0;
};

template <class T>
struct Judged {
  HsvdResult<T> result;
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it
  HsvdMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.status == Status::passed ? metrics.message : result.message; }
};

/// Solves by the baseline, if it is not empty, else by the variant of the options.
template <class T>
Judged<T> solve_and_judge(const Matrix<T>& G, const std::vector<int>& J, const HsvdOptions& options,
                          const std::string& baseline) {
  Judged<T> judged;
  const bool by_variant = baseline.empty();
  judged.solver = by_variant ? to_string(options.variant) : baseline;
  judged.backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", judged.backend));
  const Timer timer;
  judged.result = by_variant ? hsvd<T>(G, J, options) : solve_svd_with_baseline<T>(baseline, G, options.threads);
  judged.wall_seconds = timer.seconds();
  if (judged.result.status != Status::passed && judged.result.sigma.empty()) return judged;  // of a baseline
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_hsvd(G, J, {}, judged.result, {.precision = {}, .threads = options.threads});
  return judged;
}

/// Says how many singular values have no determined digits; empty if all have.
std::string accuracy_of(const HsvdMetrics& metrics) {
  const Index count = metrics.undetermined.value_or(0);
  if (count == 0) return "";
  return fmt::format("{} singular value{} not determined (estimated relative errors of 0.1 or more)", count,
                     count == 1 ? " is" : "s are");
}

template <class T>
std::vector<Fact> facts(const Matrix<T>& G, const Judged<T>& judged) {
  const HsvdResult<T>& r = judged.result;
  const bool iterated = !is_baseline(judged.solver);
  const auto count = [](Index x) { return Cell(std::int64_t{x}); };
  const auto extreme = [&](bool largest) {
    if (r.sigma.empty()) return Cell();
    return Cell(largest ? *std::ranges::max_element(r.sigma) : *std::ranges::min_element(r.sigma));
  };
  return joined({{{"solver", "solver", ColumnKind::text, judged.solver},
                  {"backend", "backend", ColumnKind::text, judged.backend},
                  {"m", "m", ColumnKind::integer, count(G.rows())},
                  {"n", "n", ColumnKind::integer, count(G.cols())},
                  {"positive", "+", ColumnKind::integer, count(std::ranges::count(r.J, 1))},
                  {"negative", "-", ColumnKind::integer, count(std::ranges::count(r.J, -1))},
                  {"largest", "max sigma", ColumnKind::scientific, extreme(true)},
                  {"least", "min sigma", ColumnKind::scientific, extreme(false)},
                  {"sweeps", "sweeps", ColumnKind::integer, iterated ? count(std::ssize(r.sweeps)) : Cell()},
                  {"compute_s", "time s", ColumnKind::seconds, r.compute_seconds},
                  {"wall_s", "wall s", ColumnKind::seconds, judged.wall_seconds}},
                 facts_of(hsvd_metric_rows(), judged.metrics, {"largest_estimate", "undetermined"}),
                 {{"accuracy", "accuracy", ColumnKind::text, accuracy_of(judged.metrics)}},
                 facts_of(hsvd_metric_rows(), judged.metrics,
                          {"residual", "residual_ratio", "orthogonality", "orthogonality_ratio", "j_orthogonality",
                           "j_orthogonality_ratio", "precision"}),
                 {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
                  {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const Matrix<T>& G, HsvdOptions options,
                    std::map<std::string, std::string> attributes) {
  const std::vector<int> J =
      read_signs(command.signs, G.cols(), fmt::format("{} has {} columns", command.matrix, G.cols()));
  if (!command.baseline.empty() && std::ranges::count(J, -1) > 0)
    throw InputError("--baseline: LAPACK has no hyperbolic decomposition; leave out --signs");
  if (command.variant == automatic) options.variant = choose_hsvd_variant<T>(G, J, options.backend, options.threads);
  const Judged<T> judged = solve_and_judge(G, J, options, baseline_of_type(command.baseline, scalar_type<T>));
  if (!command.output.empty() && !judged.result.sigma.empty()) {
    attributes["problem"] = command.matrix;
    attributes["solver"] = judged.solver;
    attributes["verdict"] = to_string(judged.status());
    write_hsvd(command.output, judged.result, attributes);
  }
  return {judged.status(), facts(G, judged)};
}

CommandResult run(const SolveCommand& command) {
  const HsvdOptions options{
      .variant = with_option_context(
          "--variant",
          [&] { return command.variant == automatic ? HsvdVariant{} : parse_hsvd_variant(command.variant); }),
      .backend = parse_backend_or_usual(command.backend),
      .compute_v = true,
      .max_sweeps = command.max_sweeps,
      .threads = command.threads};
  require_hdf5_name(command.output);
  const std::vector<std::string> inputs =
      command.signs.empty() ? std::vector{command.matrix} : std::vector{command.matrix, command.signs};
  require_outputs(inputs, {command.output}, command.force);
  const auto attributes = result_attributes(command.output, inputs);
  return std::visit([&](const auto& G) { return solve(command, G, options, attributes); }, read_matrix(command.matrix));
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_hsvd_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Singular values and vectors, ordinary or hyperbolic, with error estimates",
      .options = {{"G", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (g.h5 or g.h5:/dataset)", "", true},
                  {"--signs", &command->signs, "Vector of 1 and -1, one for each column of G (default: all 1)", "J"},
                  hdf5_output_option(command->output, "sigma, J, U, V, error estimates"),
                  force_option(command->force),
                  {"--variant", &command->variant,
                   "Variant (pivotlab list variants); auto: HSVD-ME-BO, with qrp where rows differ in size and J = I",
                   "NAME"},
                  baseline_option(command->baseline, {"--variant", "--backend", "--max-sweeps"}),
                  max_sweeps_option(command->max_sweeps),
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes = "G V = U Sigma, V^* J V = J'; with fewer rows than columns, for J = I, sigma and the columns of U and V "
               "are as\n"
               "many as rows. Relative errors of all sigma are small for G = B D with any diagonal D and "
               "well-conditioned B,\n"
               "and with qrp also for G = D B; the estimates say where they are not.",
      .examples = {"G.mtx -o out.h5", "G.h5 --signs J.mtx --format json", "G.mtx.gz --variant 'HSVD-ME-BO;qrp'",
                   "G.mtx --baseline 'lapack:?gesvj'"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
