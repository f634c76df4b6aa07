#include <fmt/format.h>
#include <pivotlab/eig.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <chrono>
#include <experiments/cli/activity.hpp>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/facts.hpp>
#include <experiments/cli/output_files.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/eig/eig_metrics.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::ColumnKind;
using experiments::EigMetrics;

struct SolveCommand {
  std::string matrix, output, solver = to_string(EigVariant{.finish = true}), backend;
  bool left = false, conditions = false, form = false, refine = false, force = false;
  int max_sweeps = EigOptions{}.max_sweeps, threads = 0;
  TableOptions table;
};

/// The result with what the judge says of it.
struct Judged {
  EigResult<double> result;
  EigMetrics metrics;
  double wall_seconds = 0;

  Status status() const { return result.status == Status::passed ? metrics.verdict : result.status; }
  const std::string& message() const { return result.status == Status::passed ? metrics.message : result.message; }
};

template <class T>
Judged solve_and_judge(const GeneralMatrix<T>& matrix, const EigOptions& options) {
  Judged judged;
  Activity activity(fmt::format("solving on {}", to_string(options.backend)));
  const auto start = std::chrono::steady_clock::now();
  judged.result = eig<T>(matrix.A, options);
  judged.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  activity.now("judging the solution in extended precision");
  const EigResult<double>& r = judged.result;
  judged.metrics = experiments::judge_eig(matrix,
                                          {.eigenvalues = r.eigenvalues,
                                           .V = r.V,
                                           .W = options.left_vectors ? &r.W : nullptr,
                                           .T = options.triangular_form ? &r.T : nullptr,
                                           .E = options.triangular_form ? &r.E : nullptr},
                                          {.precision = {}, .threads = options.threads});
  return judged;
}

std::vector<Fact> facts(const EigOptions& options, const Judged& judged) {
  const auto& [r, metrics, wall_seconds] = judged;
  const double largest_condition =
      r.conditions.empty() ? metrics.largest_condition : *std::ranges::max_element(r.conditions);
  return {
      {"solver", "solver", ColumnKind::text, to_string(options.variant)},
      {"backend", "backend", ColumnKind::text, std::string(to_string(options.backend))},
      {"n", "n", ColumnKind::integer, std::int64_t{std::ssize(r.eigenvalues)}},
      {"sweeps", "sweeps", ColumnKind::integer, std::int64_t{r.sweeps()}},
      {"refined", "refined pairs", ColumnKind::integer,
       options.variant.refine ? Cell(std::int64_t{r.refined}) : Cell()},
      {"finish", "finish", ColumnKind::text, r.finished ? Cell(std::string("Schur form")) : Cell()},
      {"compute_s", "time s", ColumnKind::seconds, r.compute_seconds},
      {"wall_s", "wall s", ColumnKind::seconds, wall_seconds},
      {"spectral_radius", "spectral radius", ColumnKind::scientific,
       r.eigenvalues.empty() ? 0.0 : std::abs(r.eigenvalues.front())},
      {"departure", "departure", ColumnKind::scientific, metrics.departure},
      {"condition", "worst condition", ColumnKind::scientific, largest_condition},
      {"residual", "residual", ColumnKind::scientific, metrics.residual},
      {"left_residual", "left residual", ColumnKind::scientific, cell_or_none(metrics.left_residual)},
      {"similarity", "AE - ET", ColumnKind::scientific, cell_or_none(metrics.similarity)},
      {"get22", "get22", ColumnKind::scientific, metrics.get22},
      {"eigenvalue_error", "lambda error", ColumnKind::scientific, cell_or_none(metrics.eigenvalue_error)},
      {"precision", "judged in", ColumnKind::text, std::string(to_string(metrics.precision))},
      {"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
      {"message", "note", ColumnKind::text, judged.message()},
  };
}

template <class T>
int solve(const SolveCommand& command, const GeneralMatrix<T>& matrix, const EigOptions& options) {
  const Judged judged = solve_and_judge(matrix, options);
  if (!command.output.empty())
    write_eig(command.output, judged.result,
              {{"problem", matrix.provenance},
               {"solver", to_string(options.variant)},
               {"verdict", std::string(to_string(judged.status()))}});
  print_facts(command.table, facts(options, judged));
  return judged.status() == Status::passed ? exit_fine : exit_cases_failed;
}

int run(const SolveCommand& command) {
  (void)command.table.style();
  EigOptions options;
  options.variant = told_of("--solver", [&] { return parse_eig_variant(command.solver); });
  options.variant.refine |= command.refine;
  options.backend = parse_backend_or_usual(command.backend);
  options.left_vectors = command.left;
  options.condition_numbers = command.conditions;
  options.triangular_form = command.form;
  options.max_sweeps = command.max_sweeps;
  options.threads = command.threads;
  require_hdf5_name(command.output);
  require_outputs({command.matrix}, {command.output}, command.force);
  return std::visit([&](const auto& matrix) { return solve(command, matrix, options); }, read_general(command.matrix));
}

}  // namespace

Command add_eig_solve(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("eig", "Eigenvalues and eigenvectors of a general matrix");
  auto command = std::make_shared<SolveCommand>();
  app->add_option("A", command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)")
      ->required()
      ->type_name("");
  app->add_option("-o,--output", command->output, "HDF5 file for eigenvalues, V and what else is asked for")
      ->type_name("FILE");
  add_force(*app, command->force);
  app->add_flag("--left", command->left, "Left eigenvectors W, too");
  app->add_flag("--conditions", command->conditions, "Condition numbers of the eigenvalues, too");
  app->add_flag("--form", command->form, "The triangular form, too: A E = E T");
  app->add_flag("--refine", command->refine, "Newton steps on eigenvalues and vectors at the end");
  app->add_option("--solver", command->solver, "Variant (pivotlab list variants)")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--max-sweeps", command->max_sweeps,
                  "After so many the variant's finish follows, or it is not converged")
      ->type_name("N")
      ->check(not_negative())
      ->capture_default_str();
  app->add_option("--backend", command->backend, backend_help)->type_name("NAME");
  app->add_option("--threads", command->threads, "Never changes a bit (default: all cores)")
      ->type_name("N")
      ->check(positive());
  add_table_options(*app, command->table);
  app->footer(
      "A V = V Lambda, W^H A = Lambda W^H, A E = E T with T upper triangular.\n"
      "finish in a variant's name: where sweeps stagnate or leave large residuals, a Schur form by unitary\n"
      "transformations (QR algorithm) follows.\n\n"
      "Examples:\n"
      "  pivotlab solve eig A.mtx -o out.h5\n"
      "  pivotlab solve eig A.h5 --left --conditions --refine\n"
      "  pivotlab solve eig A.mtx.gz --solver 'ZEIG-(RR);fused' --form --format json");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
