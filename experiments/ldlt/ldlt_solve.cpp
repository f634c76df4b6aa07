#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/ldlt/inertia_facts.hpp>
#include <experiments/ldlt/ldlt_commands.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>
#include <support/timer.hpp>
#include <variants/names.hpp>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace pivotlab::experiments {
namespace {

struct SolveCommand {
  std::string matrix, right, output, pictures, stages, pivot = "BP", alpha, equilibrate = "on", triangle = "whole",
                                                       symmetry = "hermitian", certify = "on", backend;
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

InputTriangle triangle_of(const SolveCommand& command) {
  if (command.triangle == "whole") return InputTriangle::whole;
  return command.triangle == "lower" ? InputTriangle::lower : InputTriangle::upper;
}

/// Returns how the inertia is certified; nothing if it is not.
std::optional<InertiaOptions> certify_options(const SolveCommand& command, const LdltOptions& options) {
  if (command.certify == "off") return std::nullopt;
  const Backend backend = options.backend == Backend::cuda ? Backend::cuda : Backend::host;
  InertiaOptions certify{.backend = backend, .threads = options.threads};
  if (command.certify == "residual") certify.residual_limit = std::numeric_limits<Index>::max();
  return certify;
}

/// The verified factors, and the solution if there are right-hand sides.
template <class T>
struct Judged {
  LdltFactorization<T> factors;
  LdltMetrics metrics;
  std::optional<LdltSolution<T>> solution;
  std::optional<InertiaReport> inertia;  ///< if it was to be certified and exists
  double wall_seconds = 0, certify_seconds = 0;

  Status status() const {
    if (metrics.verdict != Status::passed) return metrics.verdict;
    return solution ? solution->status : Status::passed;
  }
  std::string message() const {
    if (metrics.verdict != Status::passed) return metrics.message;
    return solution ? solution->message : "";
  }
};

template <class T>
Judged<T> solve_and_judge(const LinearSystem<T>& system, const LdltOptions& options,
                          const std::optional<InertiaOptions>& certify) {
  Judged<T> judged;
  const Matrix<T>& A = system.matrix.A;
  const auto timed = [](const auto& work) {
    const Timer timer;
    work();
    return timer.seconds();
  };
  Activity activity(fmt::format("solving on {}", to_string(options.backend)));
  judged.wall_seconds = timed([&] {
    judged.factors = ldlt<T>(A, options);
    if (system.B.cols() > 0) judged.solution = judged.factors.solve_refined(A, system.B);
  });
  if (certify && (!is_complex<T> || options.symmetry == Symmetry::hermitian)) {
    activity.now("certifying the inertia");
    judged.certify_seconds = timed([&] { judged.inertia = certify_inertia<T>(A, judged.factors, *certify); });
  }
  activity.now("judging the solution in extended precision");
  judged.metrics = judge_ldlt<T>(system.matrix, factors_of(judged.factors), claims_of(judged.factors), nullptr,
                                 {.precision = {}, .threads = options.threads});
  return judged;
}

template <class T>
std::vector<Fact> facts(const LinearSystem<T>& system, const LdltOptions& options, const Judged<T>& judged) {
  const LdltFactorization<T>& f = judged.factors;
  const LdltMetrics& metrics = judged.metrics;
  const auto& solution = judged.solution;
  const InertiaFacts inertia(judged.inertia, metrics.inertia);
  const auto whole = [](Index x) -> Cell { return std::int64_t{x}; };
  const auto of_solution = [&](auto value) { return solution ? Cell(value(*solution)) : Cell(); };
  std::vector<Fact> all = {
      {"solver", "solver", ColumnKind::text, to_string(f.variant)},
      {"backend", "backend", ColumnKind::text, std::string(to_string(options.backend))},
      {"n", "n", ColumnKind::integer, whole(f.order())},
      {"columns", "columns of B", ColumnKind::integer, whole(system.B.cols())},
      {"rank", "rank", ColumnKind::integer, whole(inertia.rank().value_or(f.rank))},
      {"inertia", "inertia", ColumnKind::text, inertia.text(), Audience::people},
      {"reason", "reason", ColumnKind::text, inertia.reason()},
      {"positive", "+", ColumnKind::integer, inertia.count(&Inertia::positive), Audience::programs},
      {"negative", "-", ColumnKind::integer, inertia.count(&Inertia::negative), Audience::programs},
      {"zero", "0", ColumnKind::integer, inertia.count(&Inertia::zero), Audience::programs},
      {"pivots_1x1", "1x1 pivots", ColumnKind::integer, whole(f.pivots(1))},
      {"pivots_2x2", "2x2 pivots", ColumnKind::integer, whole(f.pivots(2))},
      {"swaps_1x1", "1x1 swaps", ColumnKind::integer, whole(f.swaps_1x1)},
      {"swaps_2x2", "2x2 swaps", ColumnKind::integer, whole(f.swaps_2x2)},
      {"compute_s", "time s", ColumnKind::seconds, f.compute_seconds},
      {"wall_s", "wall s", ColumnKind::seconds, judged.wall_seconds},
      {"certify_s", "certificate s", ColumnKind::seconds, judged.inertia ? Cell(judged.certify_seconds) : Cell()},
      {"max_growth", "largest growth", ColumnKind::scientific, f.max_growth()},
      {"max_multiplier", "largest |M|", ColumnKind::scientific, f.max_multiplier},
      {"max_condition", "2x2 condition", ColumnKind::scientific, f.max_condition()},
      {"residual", "relative error", ColumnKind::scientific, metrics.residual},
      {"dsyt01", "dsyt01", ColumnKind::scientific, metrics.dsyt01},
      {"backward_error", "backward error", ColumnKind::scientific,
       of_solution([](const auto& s) { return s.backward_error; })},
      {"refinements", "refinements", ColumnKind::integer,
       of_solution([](const auto& s) { return std::int64_t{s.refinements}; })},
      {"precision", "judged in", ColumnKind::text, std::string(to_string(metrics.precision))},
      {"status", "status", ColumnKind::text, std::string(to_string(judged.status()))},
      {"message", "note", ColumnKind::text, judged.message()},
  };
  for (Fact& fact : inertia.certificate()) all.push_back(std::move(fact));
  return all;
}

/// Returns the stages of the pictures; none without an output file for pictures.
std::vector<Index> chosen_stages(const SolveCommand& command, Index n) {
  if (command.pictures.empty()) return {};
  if (command.stages.empty()) return usual_stages(n);
  const std::vector<std::int64_t> stages = parse_integers("--at", command.stages);
  with_option_context("--at", [&] { require_stages(stages, n); });
  return stages;
}

template <class T>
CommandResult solve(const SolveCommand& command, const LinearSystem<T>& system, LdltOptions options) {
  options.symmetry = system.matrix.symmetry;
  const std::vector<Index> stages = chosen_stages(command, system.matrix.A.rows());
  const Judged<T> judged = solve_and_judge(system, options, certify_options(command, options));
  if (!command.output.empty())
    write_ldlt(command.output, judged.factors, judged.solution ? judged.solution->X.view() : MatrixView<const T>{},
               {{"problem", system.matrix.provenance},
                {"status", std::string(to_string(judged.status()))},
                {"message", judged.message()}});
  if (!stages.empty()) {
    const auto pictures = pictures_of(judged.factors, stages, system.matrix.provenance);
    const std::string text = pictures.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    write_atomically(command.pictures, text + '\n');
  }
  return {judged.status(), facts(system, options, judged)};
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
  AnySymmetric matrix =
      read_input_symmetric(command.matrix, triangle_of(command),
                           command.symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::hermitian);
  const AnySystem system = with_right_hand_sides(std::move(matrix), command.right);
  return std::visit([&](const auto& one) { return solve(command, one, options); }, system);
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
                  {.name = "--tolerance",
                   .target = &command->tolerance,
                   .help = "What counts as zero, relative to max|A| or max|S A S| (default 2^-52)",
                   .value_name = "X",
                   .minimum = 0},
                  {"--triangle",
                   &command->triangle,
                   "What is read of A: whole, lower or upper",
                   "NAME",
                   false,
                   {"whole", "lower", "upper"}},
                  {"--symmetry",
                   &command->symmetry,
                   "Symmetry of a complex matrix: hermitian or symmetric",
                   "NAME",
                   false,
                   {"hermitian", "symmetric"}},
                  {"--certify",
                   &command->certify,
                   "Certify the inertia: on, residual (by residuals above order 4096, too) or off",
                   "NAME",
                   false,
                   {"on", "residual", "off"}},
                  backend_option(command->backend),
                  threads_option(command->threads)},
      .notes =
          "P S A S P^T = M D M^T with M unit lower triangular and D of 1x1 and 2x2 blocks; S is the identity without\n"
          "--equilibrate and keeps the inertia with it. X is refined iteratively.",
      .examples = {"A.mtx --rhs b.mtx -o out.h5", "A.h5 --pivot rook --alpha 0.5",
                   "A.h5 --stages stages.json --at 1,100,200",
                   "A.mtx.gz --triangle lower --tolerance 1e-12 --format json"},
      .run = [command] { return run(*command); }});
}

}  // namespace pivotlab::experiments
