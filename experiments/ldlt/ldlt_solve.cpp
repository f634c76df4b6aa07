#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/ldlt/inertia_facts.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/ldlt/factors/refine.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>
#include <support/timer.hpp>
#include <variants/names.hpp>

#include <limits>
#include <locale>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string matrix, right, output, pictures, stages, pivot = "RK", alpha, equilibrate = "on", triangle = "whole",
                                                       symmetry = "hermitian", certify = "on", baseline, backend,
                                                       inertia;
  std::optional<double> tolerance;
  bool force = false;
  int threads = 0;
};

LdltVariant parse_variant(const SolveCommand& command) {
  std::map<std::string, std::string> items = {{"pivoting", command.pivot}, {"equilibrate", command.equilibrate}};
  if (!command.alpha.empty()) items["alpha"] = command.alpha;
  const std::vector<std::string> names = ldlt_names().sweep(items);
  if (names.size() != 1)
    throw InputError("solve: takes one variant; give one value of --pivot, --alpha, --equilibrate");
  return ldlt_names().parse(names.front());
}

/// Returns how an inertia is certified.
InertiaOptions certify_options(const SolveCommand& command, const LdltOptions& options) {
  InertiaOptions certify{.equilibrate = options.variant.equilibrate,
                         .backend = options.backend == Backend::cuda ? Backend::cuda : Backend::host,
                         .threads = options.threads};
  if (command.certify == "double") certify.highest = InertiaLevel::in_double;
  if (command.certify == "residual") certify.residual_limit = std::numeric_limits<Index>::max();
  return certify;
}

/// The positive and negative eigenvalues of --inertia n,m,0.
std::optional<Inertia> wanted_inertia(const SolveCommand& command) {
  if (command.inertia.empty()) return std::nullopt;
  Inertia wanted;
  char comma[2] = {}, end = 0;
  std::istringstream text(command.inertia);
  text.imbue(std::locale::classic());
  text >> wanted.positive >> comma[0] >> wanted.negative >> comma[1] >> wanted.zero;
  if (!text || text >> end || comma[0] != ',' || comma[1] != ',' || wanted.zero != 0 || wanted.positive < 0 ||
      wanted.negative < 0)
    throw InputError(fmt::format("--inertia: '{}' is not of the form n,m,0, e.g. 120,40,0", command.inertia));
  return wanted;
}

/// What the command reports of a solution by any solver.
struct Judged {
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it
  LdltMetrics metrics;
  LdltSolverFacts facts = {};                           ///< swaps, and of a variant growth
  std::optional<InertiaReport> inertia;                 ///< if it was to be certified and exists
  std::optional<InertiaShift> shift, shift_of_all;      ///< to the wanted inertia, of the leading rows and of all
  std::optional<double> backward_error, forward_error;  ///< of a solution, the latter by a variant
  std::optional<Index> refinements;
  Status solution = Status::passed;  ///< passed without right-hand sides
  std::string remark;                ///< on the solution
  double compute_seconds = 0, wall_seconds = 0;
  std::optional<double> certify_seconds;

  Status status() const { return metrics.verdict == Status::passed ? solution : metrics.verdict; }
  const std::string& message() const { return metrics.verdict == Status::passed ? remark : metrics.message; }
};

template <class Work>
double seconds_of(const Work& work) {
  const Timer timer;
  work();
  return timer.seconds();
}

constexpr const char* judging = "judging the solution in extended precision";

/// The verified factors, and the solution if there are right-hand sides.
template <class T>
struct Factored : Judged {
  LdltFactorization<T> factors;
  Matrix<T> X = {};
};

template <class T>
Factored<T> solve_by_variant(const LinearSystem<T>& system, const LdltOptions& options,
                             const std::optional<InertiaOptions>& certify, const std::optional<Inertia>& wanted) {
  Factored<T> judged;
  LdltFactorization<T>& f = judged.factors;
  const Matrix<T>& A = system.matrix.A;
  Activity activity(fmt::format("solving on {}", to_string(options.backend)));
  std::optional<LdltSolution<T>> solution;
  judged.wall_seconds = seconds_of([&] {
    f = ldlt<T>(A, options);
    if (system.B.cols() > 0) solution = f.solve_refined(A, system.B);
  });
  if (certify && (!is_complex<T> || options.symmetry == Symmetry::hermitian)) {
    activity.now("certifying the inertia");
    judged.certify_seconds = seconds_of([&] { judged.inertia = certify_inertia<T>(A, *certify); });
  }
  if (wanted) {
    activity.now("searching the shift to the wanted inertia");
    const auto& [n, m, zero] = *wanted;
    judged.shift = shift_for_inertia<T>(A, n, m, n, *certify);
    if (m > 0) judged.shift_of_all = shift_for_inertia<T>(A, n, m, n + m, *certify);
  }
  activity.now(judging);
  judged.metrics =
      judge_ldlt<T>(system.matrix, factors_of(f), claims_of(f), nullptr, {.precision = {}, .threads = options.threads});
  f.measure_growth(options.threads);
  judged.solver = to_string(f.variant), judged.backend = to_string(options.backend);
  judged.facts = {.max_growth = f.max_growth(), .swaps_1x1 = f.swaps_1x1, .swaps_2x2 = f.swaps_2x2};
  judged.compute_seconds = f.compute_seconds;
  if (solution) {
    judged.solution = solution->status, judged.remark = solution->message;
    judged.backward_error = solution->backward_error, judged.forward_error = solution->forward_error;
    judged.refinements = solution->refinements;
    judged.X = std::move(solution->X);
  }
  return judged;
}

/// Returns the backward error of LdltSolution for another solver's X.
template <class T>
double backward_error_of(const LinearSystem<T>& system, const Matrix<T>& X) {
  return ldlt_detail::backward_error<T>(system.matrix.A, ldlt_detail::ScaledColumns<T>({}, system.B), X);
}

template <class T>
struct FactoredByBaseline : Judged {
  LdltBaselineResult<T> factors;
};

template <class T>
FactoredByBaseline<T> solve_by_baseline(const LinearSystem<T>& system, const std::string& name,
                                        const SolveCommand& command) {
  FactoredByBaseline<T> judged;
  LdltBaselineResult<T>& f = judged.factors;
  const SymmetricMatrix<T>& matrix = system.matrix;
  judged.solver = name, judged.backend = library_of(name);
  Activity activity(fmt::format("solving by {}", name));
  judged.wall_seconds =
      seconds_of([&] { f = factor_with_baseline<T>(name, matrix.A, system.B, matrix.symmetry, command.threads); });
  activity.now(judging);
  const double relative = command.tolerance.value_or(std::numeric_limits<double>::epsilon());
  judged.metrics =
      judge_ldlt<T>(matrix, factors_of(f, relative, largest_modulus(matrix.A, command.threads)),
                    claims_of_baseline(name, scalar_type<T>), nullptr, {.precision = {}, .threads = command.threads});
  if (!f.tridiagonal)
    judged.facts = {.swaps_1x1 = count_swaps(f.interchanges, 1), .swaps_2x2 = count_swaps(f.interchanges, 2)};
  judged.compute_seconds = f.compute_seconds;
  if (system.B.cols() == 0) return judged;
  if (f.X.rows() == matrix.A.rows()) {
    judged.backward_error = backward_error_of(system, f.X);
    if (!std::isfinite(*judged.backward_error))
      judged.solution = Status::failed, judged.remark = "the solution is not finite";
  } else
    judged.solution = Status::failed, judged.remark = "D is singular; the routine does not solve the system";
  return judged;
}

std::vector<Fact> facts(Index n, Index columns, const Judged& judged) {
  const LdltMetrics& metrics = judged.metrics;
  const InertiaFacts inertia(judged.inertia, metrics.inertia);
  const auto whole = [](const std::optional<Index>& x) { return x ? Cell(std::int64_t{*x}) : Cell(); };
  const auto number = [](const std::optional<double>& x) { return x ? Cell(*x) : Cell(); };
  std::vector<Fact> shifts;
  const auto add_shift = [&](const std::string& name, const std::string& rows, const InertiaShift& found) {
    shifts.push_back({name, "shift of " + rows, ColumnKind::scientific, number(found.shift)});
    shifts.push_back({"no_" + name, "none, of " + rows, ColumnKind::text, found.reason});
  };
  if (judged.shift) add_shift("shift", "H", *judged.shift);
  if (judged.shift_of_all) add_shift("shift_of_all", "A", *judged.shift_of_all);
  const auto certified_rank = inertia.rank();
  const auto metric_facts = [&](std::initializer_list<std::string_view> names) {
    return facts_of(ldlt_metric_rows(), metrics, names);
  };
  return joined({{{"solver", "solver", ColumnKind::text, judged.solver},
                  {"backend", "backend", ColumnKind::text, judged.backend},
                  {"n", "n", ColumnKind::integer, whole(n)},
                  {"columns", "columns of B", ColumnKind::integer, whole(columns)},
                  {"rank", "rank", ColumnKind::integer, whole(certified_rank ? certified_rank : metrics.rank)},
                  {"inertia", "inertia", ColumnKind::text, inertia.text(), Audience::people},
                  {"reason", "reason", ColumnKind::text, inertia.reason()},
                  {"positive", "+", ColumnKind::integer, inertia.count(&Inertia::positive), Audience::programs},
                  {"negative", "-", ColumnKind::integer, inertia.count(&Inertia::negative), Audience::programs},
                  {"zero", "0", ColumnKind::integer, inertia.zero(), Audience::programs},
                  {"pivots_1x1", "1x1 pivots", ColumnKind::integer, whole(metrics.pivots_1x1)},
                  {"pivots_2x2", "2x2 pivots", ColumnKind::integer, whole(metrics.pivots_2x2)}},
                 facts_of(ldlt_solver_rows(), judged.facts, {"swaps_1x1", "swaps_2x2"}),
                 {{"compute_s", "time s", ColumnKind::seconds, judged.compute_seconds},
                  {"wall_s", "wall s", ColumnKind::seconds, judged.wall_seconds},
                  {"certify_s", "certificate s", ColumnKind::seconds, number(judged.certify_seconds)}},
                 facts_of(ldlt_solver_rows(), judged.facts, {"max_growth"}),
                 metric_facts({"max_multiplier", "max_condition", "residual", "dsyt01"}),
                 {{"backward_error", "backward error", ColumnKind::scientific, number(judged.backward_error)},
                  {"forward_error", "error of X", ColumnKind::scientific, number(judged.forward_error)},
                  {"refinements", "refinements", ColumnKind::integer, whole(judged.refinements)}},
                 metric_facts({"precision"}),
                 {{"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
                  {"message", "note", ColumnKind::text, judged.message()}},
                 inertia.certificate(),
                 shifts});
}

/// Returns the stages of the pictures; none without an output file for pictures.
std::vector<Index> chosen_stages(const SolveCommand& command, Index n) {
  if (command.pictures.empty()) return {};
  if (command.stages.empty()) return usual_stages(n);
  const std::vector<std::int64_t> stages = parse_integers("--at", command.stages);
  with_option_context("--at", [&] { require_stages(stages, n); });
  return stages;
}

using Attributes = std::map<std::string, std::string>;

Attributes with_verdict(Attributes attributes, const std::string& provenance, const Judged& judged) {
  attributes["problem"] = provenance;
  attributes["status"] = to_string(judged.status());
  attributes["message"] = judged.message();
  if (judged.inertia) attributes["certificate"] = to_string(*judged.inertia);
  return attributes;
}

template <class T>
CommandResult solve(const SolveCommand& command, const LinearSystem<T>& system, LdltOptions options,
                    const Attributes& attributes) {
  const SymmetricMatrix<T>& matrix = system.matrix;
  const auto result_of = [&](const Judged& judged) -> CommandResult {
    return {judged.status(), facts(matrix.A.rows(), system.B.cols(), judged)};
  };
  if (!command.baseline.empty()) {
    const std::string name = baseline_of_type(command.baseline, scalar_type<T>, matrix.symmetry);
    const FactoredByBaseline<T> judged = solve_by_baseline(system, name, command);
    if (!command.output.empty())
      write_ldlt(command.output, judged.factors, name, matrix.symmetry,
                 with_verdict(attributes, matrix.provenance, judged));
    return result_of(judged);
  }
  options.symmetry = matrix.symmetry;
  const std::vector<Index> stages = chosen_stages(command, matrix.A.rows());
  const std::optional<Inertia> wanted = wanted_inertia(command);
  if (wanted && is_complex<T> && matrix.symmetry == Symmetry::symmetric)
    throw InputError("--inertia: a complex symmetric matrix has no inertia; take --symmetry hermitian");
  std::optional<InertiaOptions> certify;
  if (command.certify != "off" || wanted) certify = certify_options(command, options);
  const Factored<T> judged = solve_by_variant(system, options, certify, wanted);
  if (!command.output.empty())
    write_ldlt(command.output, judged.factors, judged.X.view(), with_verdict(attributes, matrix.provenance, judged));
  if (!stages.empty()) {
    const auto pictures = pictures_of(judged.factors, stages, matrix.provenance);
    const std::string text = pictures.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    write_atomically(command.pictures, text + '\n');
  }
  return result_of(judged);
}

CommandResult run(const SolveCommand& command) {
  LdltOptions options;
  options.variant = parse_variant(command);
  options.rank_tolerance = command.tolerance;
  if (command.tolerance.value_or(0) >= 1)
    throw InputError(fmt::format("--tolerance: {} is not below 1; it is relative to max|A|", *command.tolerance));
  options.backend = parse_backend_or_usual(command.backend);
  options.threads = command.threads;
  require_hdf5_name(command.output);
  require_outputs({command.matrix, command.right}, {command.output, command.pictures}, command.force);
  const Attributes attributes = result_attributes(command.output, {command.matrix, command.right});
  AnySymmetric matrix =
      read_input_symmetric(command.matrix, parse_triangle(command.triangle),
                           command.symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian);
  const AnySystem system = with_right_hand_sides(std::move(matrix), command.right);
  return std::visit([&](const auto& one) { return solve(command, one, options, attributes); }, system);
}

}  // namespace

std::shared_ptr<const CommandDescription> solve_ldlt_command() {
  const auto command = std::make_shared<SolveCommand>();
  const auto variant_option = [](const char* row, std::string& item) {
    return row_option(*std::ranges::find(ldlt_names().rows(), row, &OptionRow::name), item);
  };
  return std::make_shared<CommandDescription>(CommandDescription{
      .title = "Symmetric indefinite factorization, inertia, and solution of a linear system",
      .options = {{"A", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                  {"--rhs", &command->right, "Right-hand sides B of A X = B, a file like A's", "FILE"},
                  hdf5_output_option(command->output, "M, D, the permutation (and X)"),
                  {"--stages", &command->pictures, "JSON file for pictures of A at stages of the factorization",
                   "FILE"},
                  force_option(command->force),
                  {.name = "--at",
                   .target = &command->stages,
                   .help = "Which stages, from 1 to n: a list and ranges (default: six)",
                   .value_name = "LIST",
                   .needs = "--stages"},
                  variant_option("pivoting", command->pivot),
                  variant_option("alpha", command->alpha),
                  variant_option("equilibrate", command->equilibrate),
                  baseline_option(command->baseline, {"--pivot", "--alpha", "--equilibrate", "--backend", "--certify",
                                                      "--inertia", "--stages"}),
                  {.name = "--tolerance",
                   .target = &command->tolerance,
                   .help = "What counts as zero, relative to max|A| or max|S A S| (default: rounding noise)",
                   .value_name = "X",
                   .minimum = 0},
                  triangle_option(command->triangle),
                  {"--symmetry",
                   &command->symmetry,
                   "Symmetry of a complex matrix: hermitian or symmetric",
                   "NAME",
                   false,
                   {"hermitian", "symmetric"}},
                  {"--certify",
                   &command->certify,
                   "Certify the inertia: on, double (no other arithmetic), residual (above order 4096, too) or off",
                   "NAME",
                   false,
                   {"on", "double", "residual", "off"}},
                  {"--inertia", &command->inertia,
                   "Search the least shifts to this inertia: of A, and of H, its first n rows", "n,m,0"},
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes =
          "P S A S P^T = M D M^T with M unit lower triangular and D of 1x1 and 2x2 blocks; S is the identity without\n"
          "--equilibrate and keeps the inertia with it. X is refined iteratively.",
      .examples = {"A.mtx --rhs b.mtx -o out.h5", "A.h5 --pivot rook --alpha 0.5",
                   "A.h5 --stages stages.json --at 1,100,200",
                   "A.mtx.gz --triangle lower --tolerance 1e-12 --format json", "kkt.mtx --inertia 120,40,0",
                   "A.mtx --rhs b.mtx --baseline 'lapack:?sytrf_rook'"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
