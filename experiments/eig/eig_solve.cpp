#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/eig/eig_commands.hpp>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/eig.hpp>
#include <pivotlab/io.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <map>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string matrix, output, solver = to_string(EigOptions{}.variant), baseline, backend;
  bool left = false, conditions = false, form = false, refine = false, force = false;
  int max_sweeps = EigOptions{}.max_sweeps, threads = 0;
};

struct Judged {
  EigResult<double> result;
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it
  EigMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.status == Status::passed ? metrics.message : result.message; }
};

/// Solves by the baseline, if it is not empty, else by the variant of the options.
template <class T>
Judged solve_and_judge(const GeneralMatrix<T>& matrix, const EigOptions& options, const std::string& baseline) {
  Judged judged;
  const bool by_variant = baseline.empty();
  judged.solver = by_variant ? to_string(options.variant) : baseline;
  judged.backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", judged.backend));
  const Timer timer;
  judged.result = by_variant ? eig<T>(matrix.A, options)
                             : solve_eig_with_baseline<T>(baseline, matrix.A, options.left_vectors, options.threads);
  judged.wall_seconds = timer.seconds();
  const EigResult<double>& r = judged.result;
  if (r.eigenvalues.empty() && matrix.A.rows() > 0) return judged;  // the baseline did not converge
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_eig(matrix,
                             {.eigenvalues = r.eigenvalues,
                              .V = r.V,
                              .W = options.left_vectors ? &r.W : nullptr,
                              .T = options.triangular_form ? &r.T : nullptr,
                              .E = options.triangular_form ? &r.E : nullptr,
                              .conditions = r.conditions.empty() ? nullptr : &r.conditions},
                             {.precision = {}, .threads = options.threads});
  return judged;
}

std::vector<Fact> facts(const EigOptions& options, const Judged& judged) {
  const auto& [r, solver, backend, metrics, wall_seconds] = judged;
  const double largest_condition =
      r.conditions.empty() ? metrics.largest_condition : *std::ranges::max_element(r.conditions);
  std::vector<Fact> run = {
      {"solver", "solver", ColumnKind::text, solver},
      {"backend", "backend", ColumnKind::text, backend},
      {"n", "n", ColumnKind::integer, std::int64_t{std::ssize(r.eigenvalues)}},
      {"sweeps", "sweeps", ColumnKind::integer, is_baseline(solver) ? Cell() : Cell(std::int64_t{r.sweeps()})},
      {"refined", "refined pairs", ColumnKind::integer,
       options.variant.refine ? Cell(std::int64_t{r.refined}) : Cell()},
      {"finish", "finish", ColumnKind::text, r.finished ? Cell(std::string("Schur form")) : Cell()},
      {"compute_s", "time s", ColumnKind::seconds, r.compute_seconds},
      {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
      {"spectral_radius", "spectral radius", ColumnKind::scientific,
       r.eigenvalues.empty() ? 0.0 : std::abs(r.eigenvalues.front())},
      {"condition", "worst condition", ColumnKind::scientific, largest_condition},
  };
  return joined({std::move(run),
                 facts_of(eig_metric_rows(), metrics,
                          {"departure", "residual", "left_residual", "similarity", "get22", "backward_error",
                           "eigenvalue_error", "precision"}),
                 {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
                  {"message", "note", ColumnKind::text, judged.message()}}});
}

template <class T>
CommandResult solve(const SolveCommand& command, const GeneralMatrix<T>& matrix, const EigOptions& options,
                    std::map<std::string, std::string> attributes) {
  const Judged judged = solve_and_judge(matrix, options, baseline_of_type(command.baseline, scalar_type<T>));
  if (!command.output.empty() && !judged.result.eigenvalues.empty()) {
    attributes["problem"] = matrix.provenance;
    attributes["solver"] = judged.solver;
    attributes["verdict"] = to_string(judged.status());
    write_eig(command.output, judged.result, attributes);
  }
  return {judged.status(), facts(options, judged)};
}

CommandResult run(const SolveCommand& command) {
  EigOptions options;
  options.variant = with_option_context("--solver", [&] { return parse_eig_variant(command.solver); });
  options.variant.refine |= command.refine;
  options.backend = parse_backend_or_usual(command.backend);
  options.left_vectors = command.left;
  options.condition_numbers = command.conditions;
  options.triangular_form = command.form;
  options.max_sweeps = command.max_sweeps;
  options.threads = command.threads;
  require_hdf5_name(command.output);
  require_outputs({command.matrix}, {command.output}, command.force);
  const auto attributes = result_attributes(command.output, {command.matrix});
  return std::visit([&](const auto& matrix) { return solve(command, matrix, options, attributes); },
                    read_general(command.matrix));
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_eig_command() {
  const auto command = std::make_shared<SolveCommand>();
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Eigenvalues and eigenvectors of a general matrix",
      .options = {{"A", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                  hdf5_output_option(command->output, "eigenvalues, V and what else is asked for"),
                  force_option(command->force),
                  {"--left", &command->left, "Also compute left eigenvectors W"},
                  {"--conditions", &command->conditions, "Also compute condition numbers of the eigenvalues"},
                  {"--form", &command->form, "Also compute the triangular form: A E = E T"},
                  {"--refine", &command->refine, "Refine eigenvalues and vectors by Newton steps at the end"},
                  {"--solver", &command->solver, "Variant (pivotlab list variants)", "NAME"},
                  baseline_option(command->baseline,
                                  {"--solver", "--backend", "--conditions", "--form", "--refine", "--max-sweeps"}),
                  {.name = "--max-sweeps",
                   .target = &command->max_sweeps,
                   .help = "After so many the variant's finish follows, or it is not converged",
                   .value_name = "N",
                   .minimum = 0},
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes = "A V = V Lambda, W^H A = Lambda W^H, A E = E T with T upper triangular.\n"
               "finish in a variant's name: where sweeps stagnate or leave large residuals, a Schur form by unitary\n"
               "transformations (QR algorithm) follows.",
      .examples = {"A.mtx -o out.h5", "A.h5 --left --conditions --refine",
                   "A.mtx.gz --solver 'ZEIG-(RR);fused' --form --format json", "A.mtx --baseline 'lapack:?geev'"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
