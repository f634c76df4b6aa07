#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/eigh/eigh_commands.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/eigh/eigh_sections.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/eigh.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <map>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string matrix, output, variant = to_string(EighVariant{}), triangle = "whole", baseline, backend;
  bool force = false;
  int max_sweeps = EighOptions{}.max_sweeps, threads = 0;
};

template <class T>
struct Judged {
  EighResult<T> result;
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it
  EighMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.status == Status::passed ? metrics.message : result.message; }
};

/// Solves by the baseline, if it is not empty, else by the variant of the options.
template <class T>
Judged<T> solve_and_judge(const Matrix<T>& A, const EighOptions& options, const std::string& baseline) {
  Judged<T> judged;
  const bool by_variant = baseline.empty();
  judged.solver = by_variant ? to_string(options.variant) : baseline;
  judged.backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", judged.backend));
  const Timer timer;
  judged.result = by_variant ? eigh<T>(A, options) : solve_eigh_with_baseline<T>(baseline, A, options.threads);
  judged.wall_seconds = timer.seconds();
  if (std::ssize(judged.result.eigenvalues) != A.rows()) return judged;  // the baseline did not converge
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_eigh(A, eigh_truth(A), judged.result, {.precision = {}, .threads = options.threads});
  return judged;
}

/// Says how many eigenvalues have no determined sign; empty if all have.
std::string accuracy_of(const EighMetrics& metrics) {
  const Index count = metrics.undetermined.value_or(0);
  if (count == 0) return "";
  return fmt::format("the signs of {} eigenvalue{} are not determined (estimated relative errors of 0.1 or more)",
                     count, count == 1 ? "" : "s");
}

template <class T>
std::vector<Fact> facts(const Judged<T>& judged) {
  const EighResult<T>& r = judged.result;
  const bool iterated = !is_baseline(judged.solver);
  const auto count = [](Index x) { return Cell(std::int64_t{x}); };
  const auto extreme = [&](bool first) {
    return r.eigenvalues.empty() ? Cell() : Cell(first ? r.eigenvalues.front() : r.eigenvalues.back());
  };
  return joined({{{"solver", "solver", ColumnKind::text, judged.solver},
                  {"backend", "backend", ColumnKind::text, judged.backend},
                  {"n", "n", ColumnKind::integer, count(std::ssize(r.eigenvalues))},
                  {"positive", "+", ColumnKind::integer, count(r.inertia.positive)},
                  {"negative", "-", ColumnKind::integer, count(r.inertia.negative)},
                  {"zero", "0", ColumnKind::integer, count(r.inertia.zero)},
                  {"largest", "max lambda", ColumnKind::scientific, extreme(true)},
                  {"least", "min lambda", ColumnKind::scientific, extreme(false)},
                  {"sweeps", "sweeps", ColumnKind::integer, iterated ? count(std::ssize(r.sweeps)) : Cell()},
                  {"preconditioner", "preconditioner", ColumnKind::text,
                   r.spectral.used              ? Cell(std::string("spectral"))
                   : r.spectral.refusal.empty() ? Cell()
                                                : Cell("refused: " + r.spectral.refusal)},
                  {"compute_s", "time s", ColumnKind::seconds, r.compute_seconds},
                  {"wall_s", "wall s", ColumnKind::seconds, judged.wall_seconds}},
                 facts_of(eigh_metric_rows(), judged.metrics, {"largest_estimate", "undetermined"}),
                 {{"accuracy", "accuracy", ColumnKind::text, accuracy_of(judged.metrics)}},
                 facts_of(eigh_metric_rows(), judged.metrics,
                          {"residual", "residual_ratio", "orthogonality", "orthogonality_ratio", "trace_error",
                           "eigenvalue_ratio", "error_per_estimate", "wrong_signs", "precision"}),
                 {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
                  {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const SymmetricMatrix<T>& matrix, const EighOptions& options,
                    std::map<std::string, std::string> attributes) {
  const Judged<T> judged = solve_and_judge(matrix.A, options, baseline_of_type(command.baseline, scalar_type<T>));
  if (!command.output.empty() && !judged.result.eigenvalues.empty()) {
    attributes["problem"] = matrix.provenance;
    attributes["solver"] = judged.solver;
    attributes["verdict"] = to_string(judged.status());
    write_eigh(command.output, judged.result, attributes);
  }
  return {judged.status(), facts(judged)};
}

CommandResult run(const SolveCommand& command) {
  const EighOptions options{
      .variant = with_option_context("--variant", [&] { return parse_eigh_variant(command.variant); }),
      .backend = parse_backend_or_usual(command.backend),
      .max_sweeps = command.max_sweeps,
      .threads = command.threads};
  require_hdf5_name(command.output);
  require_outputs({command.matrix}, {command.output}, command.force);
  const auto attributes = result_attributes(command.output, {command.matrix});
  const AnySymmetric any = read_input_symmetric(command.matrix, parse_triangle(command.triangle), Symmetry::hermitian);
  return std::visit(
      [&](const auto& matrix) -> CommandResult {
        if (matrix.symmetry == Symmetry::symmetric &&
            std::holds_alternative<SymmetricMatrix<std::complex<double>>>(any))
          throw InputError(command.matrix + ": is complex symmetric; give a Hermitian matrix");
        return solve(command, matrix, options, attributes);
      },
      any);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_eigh_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Eigenvalues and eigenvectors of a Hermitian matrix, with error estimates",
      .options = {{"A", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                  hdf5_output_option(command->output, "eigenvalues, U, error estimates, inertia"),
                  force_option(command->force),
                  {"--variant", &command->variant, "Variant (pivotlab list variants)", "NAME"},
                  baseline_option(command->baseline, {"--variant", "--backend", "--max-sweeps"}),
                  triangle_option(command->triangle),
                  max_sweeps_option(command->max_sweeps),
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes = "A = U Lambda U^*. Relative errors of all eigenvalues are small for A = D R D with any diagonal D and\n"
               "well-conditioned R; the estimates say where A does not determine an eigenvalue or its sign.",
      .examples = {"A.mtx -o out.h5", "A.h5 --variant 'HEV-RK-ME-BO;spectral' --format json",
                   "A.mtx.gz --baseline 'lapack:?syevd'"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
