#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/sign_file.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/ghsvd/ghsvd_commands.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/ghsvd.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <map>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string f, g, signs, output, variant = to_string(GhsvdVariant{}), baseline, backend;
  bool force = false, pencil = false;
  int max_sweeps = GhsvdOptions{}.max_sweeps, threads = 0;
};

template <class T>
struct Judged {
  GhsvdResult<T> result;
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it
  GhsvdMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.status == Status::passed ? metrics.message : result.message; }
};

/// Solves by the baseline, if it is not empty, else by the variant of the options.
template <class T>
Judged<T> solve_and_judge(const Pair<T>& pair, const std::vector<int>& J, const GhsvdOptions& options,
                          const std::string& baseline) {
  Judged<T> judged;
  const bool by_variant = baseline.empty();
  judged.solver = by_variant ? to_string(options.variant) : baseline;
  judged.backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", judged.backend));
  const Timer timer;
  judged.result = by_variant ? ghsvd<T>(pair.F, pair.G, J, options)
                             : solve_ghsvd_with_baseline<T>(baseline, pair.F, pair.G, J, options.threads);
  judged.wall_seconds = timer.seconds();
  if (judged.result.status == Status::failed) return judged;  // without factors
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_ghsvd(pair.F, pair.G, J, {}, judged.result, {.precision = {}, .threads = options.threads});
  return judged;
}

/// Says how many eigenvalues have no determined digits; empty if all have.
std::string accuracy_of(const GhsvdMetrics& metrics) {
  const Index count = metrics.undetermined.value_or(0);
  if (count == 0) return "";
  return fmt::format("{} eigenvalue{} zero or not determined, sign included (estimated relative errors of 0.1 or more)",
                     count, count == 1 ? " is" : "s are");
}

template <class T>
std::vector<Fact> facts(const Pair<T>& pair, const Judged<T>& judged) {
  const GhsvdResult<T>& r = judged.result;
  const bool iterated = !is_baseline(judged.solver);
  const auto count = [](Index x) { return Cell(std::int64_t{x}); };
  const auto of_eigenvalues = [&](bool first) {
    if (r.eigenvalues.empty()) return Cell();
    return Cell(first ? r.eigenvalues.front() : r.eigenvalues.back());
  };
  return joined({{{"solver", "solver", ColumnKind::text, judged.solver},
                  {"backend", "backend", ColumnKind::text, judged.backend},
                  {"m_f", "rows of F", ColumnKind::integer, count(pair.F.rows())},
                  {"m_g", "rows of G", ColumnKind::integer, count(pair.G.rows())},
                  {"n", "n", ColumnKind::integer, count(pair.F.cols())},
                  {"positive", "+", ColumnKind::integer, count(r.inertia.positive)},
                  {"negative", "-", ColumnKind::integer, count(r.inertia.negative)},
                  {"zero", "0", ColumnKind::integer, count(r.inertia.zero)},
                  {"largest", "max lambda", ColumnKind::scientific, of_eigenvalues(true)},
                  {"least", "min lambda", ColumnKind::scientific, of_eigenvalues(false)},
                  {"sweeps", "sweeps", ColumnKind::integer, iterated ? count(std::ssize(r.sweeps)) : Cell()},
                  {"tangent_bits", "T bits", ColumnKind::integer,
                   r.tangent_bits > 0 ? Cell(std::int64_t{r.tangent_bits}) : Cell()},
                  {"factored_on", "T on", ColumnKind::text,
                   r.tangent_bits > 0 ? Cell(std::string(to_string(r.factored_on))) : Cell()},
                  {"factor_s", "factor s", ColumnKind::seconds, iterated ? Cell(r.factor_seconds) : Cell()},
                  {"compute_s", "time s", ColumnKind::seconds, r.compute_seconds},
                  {"wall_s", "wall s", ColumnKind::seconds, judged.wall_seconds}},
                 facts_of(ghsvd_metric_rows(), judged.metrics, {"largest_estimate", "undetermined"}),
                 {{"accuracy", "accuracy", ColumnKind::text, accuracy_of(judged.metrics)}},
                 facts_of(ghsvd_metric_rows(), judged.metrics,
                          {"residual", "residual_ratio", "residual_f", "residual_g", "orthogonality",
                           "orthogonality_ratio", "j_orthogonality", "j_orthogonality_ratio", "precision"}),
                 {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
                  {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const Pair<T>& pair, const std::vector<int>& J,
                    const GhsvdOptions& options, std::map<std::string, std::string> attributes) {
  const Judged<T> judged = solve_and_judge(pair, J, options, baseline_of_type(command.baseline, scalar_type<T>));
  if (!command.output.empty() && judged.result.status != Status::failed) {
    attributes["problem"] = pair.provenance;
    attributes["solver"] = judged.solver;
    attributes["verdict"] = to_string(judged.status());
    write_ghsvd(command.output, judged.result, attributes);
  }
  return {judged.status(), facts(pair, judged)};
}

/// Reads F, G and J, or factors H and S.
IndefinitePair read_input(const SolveCommand& command) {
  AnyPair pair = read_input_pair(command.f, command.g);
  return std::visit(
      [&]<class T>(Pair<T>& given) -> IndefinitePair {
        if (command.pencil) {
          if (!command.signs.empty()) throw InputError("--signs: belongs to F, and --pencil gives H; leave one out");
          IndefinitePair result = indefinite_pair(AnyMatrix(std::move(given.F)), AnyMatrix(std::move(given.G)));
          std::visit([&](auto& made) { made.provenance = "H and S of " + given.provenance; }, result.pair);
          return result;
        }
        std::vector<int> J = read_signs(command.signs, given.F.rows(), fmt::format("F has {} rows", given.F.rows()));
        return {std::move(given), std::move(J)};
      },
      pair);
}

CommandResult run(const SolveCommand& command) {
  const GhsvdOptions options{
      .variant = with_option_context("--variant", [&] { return parse_ghsvd_variant(command.variant); }),
      .backend = parse_backend_or_usual(command.backend),
      .max_sweeps = command.max_sweeps,
      .threads = command.threads};
  require_hdf5_name(command.output);
  const std::vector<std::string> inputs = {command.f, command.g, command.signs};
  require_outputs(inputs, {command.output}, command.force);
  const auto attributes = result_attributes(command.output, inputs);
  const IndefinitePair input = read_input(command);
  return std::visit([&](const auto& pair) { return solve(command, pair, input.J, options, attributes); }, input.pair);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_ghsvd_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Eigenvalues of (F* J F, G* G) with error estimates, from F, G and J",
      .options = {{"F", &command->f,
                   "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "", true},
                  {"G", &command->g, "The other matrix, of full column rank; left out when F is a pair"},
                  {"--signs", &command->signs, "Vector of 1 and -1, one for each row of F (default: all 1)", "J"},
                  {"--pencil", &command->pencil,
                   "The matrices are Hermitian H and positive definite S: H c = E S c, with the vectors c = z/sigma_G"},
                  hdf5_output_option(command->output, "eigenvalues, J', U, V, Z, error estimates"),
                  force_option(command->force),
                  {"--variant", &command->variant, "Variant (pivotlab list variants)", "NAME"},
                  baseline_option(command->baseline, {"--variant", "--backend", "--max-sweeps"}),
                  max_sweeps_option(command->max_sweeps),
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes = "F Z = U Sigma_F, U^* J U = J', G Z = V Sigma_G, V^* V = I and Sigma_F^2 + Sigma_G^2 = I; the "
               "eigenvalues are\n"
               "J' Sigma_F^2 / Sigma_G^2. Relative errors are small for graded rows and columns of F and G; the "
               "estimates say\n"
               "where they are not.",
      .examples = {"F.mtx G.mtx --signs J.mtx -o out.h5", "pair.h5 --signs J.mtx --format json", "H.mtx S.mtx --pencil",
                   "F.mtx G.mtx --signs J.mtx --variant GHSVD-HZ-ME-PT", "F.mtx G.mtx --baseline 'lapack:?sygvd'"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
