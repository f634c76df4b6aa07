#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/ldlt.hpp>

#include <chrono>
#include <experiments/cli/activity.hpp>
#include <experiments/cli/by_method.hpp>
#include <experiments/cli/facts.hpp>
#include <experiments/cli/inertia_facts.hpp>
#include <experiments/cli/output_files.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/cli/sweep_options.hpp>
#include <experiments/cli/symmetric_files.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_pictures.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::ColumnKind;
using experiments::LdltMetrics;

struct SolveCommand {
  std::string matrix, right, output, pictures, stages, pivot = "complete", alpha, equilibrate = "on",
                                                       triangle = "whole", symmetry = "hermitian", certify = "on",
                                                       backend;
  std::optional<double> tolerance;
  bool force = false;
  int threads = 0;
  TableOptions table;
};

Pivoting parse_pivoting(const std::string& text) {
  for (const auto& [pivoting, word] :
       {std::pair(Pivoting::complete, "complete"), {Pivoting::partial, "partial"}, {Pivoting::rook, "rook"}})
    if (text == word || text == to_string(pivoting)) return pivoting;
  throw InputError(fmt::format("--pivot: there is no '{}'; choose complete (BP), rook (RK) or partial (BK)", text));
}

bool parse_switch(const char* option, const std::string& text) {
  if (text == "on" || text == "off") return text == "on";
  throw InputError(fmt::format("{}: there is no '{}'; choose on or off", option, text));
}

LdltVariant parse_variant(const SolveCommand& command) {
  const LdltVariant usual{.pivoting = parse_pivoting(command.pivot),
                          .equilibrate = parse_switch("--equilibrate", command.equilibrate)};
  if (command.alpha.empty()) return usual;
  try {
    return parse_ldlt_variant(fmt::format("{};alpha={}", to_string(usual), command.alpha));
  } catch (const InputError&) {
    throw InputError(
        fmt::format("--alpha: '{}' is no number in (0, 1); the usual one is {:.4f}", command.alpha, usual_alpha));
  }
}

InputTriangle parse_triangle(const std::string& text) {
  for (const auto& [triangle, word] :
       {std::pair(InputTriangle::whole, "whole"), {InputTriangle::lower, "lower"}, {InputTriangle::upper, "upper"}})
    if (text == word) return triangle;
  throw InputError(fmt::format("--triangle: there is no '{}'; choose whole, lower or upper", text));
}

/// How the inertia is certified; nothing if it is not.
std::optional<InertiaOptions> parse_certify(const SolveCommand& command, const LdltOptions& options) {
  if (command.certify == "off") return std::nullopt;
  const Backend backend = options.backend == Backend::cuda ? Backend::cuda : Backend::host;
  InertiaOptions certify{.backend = backend, .threads = options.threads};
  if (command.certify == "residual")
    certify.residual_limit = std::numeric_limits<Index>::max();
  else if (command.certify != "on")
    throw InputError(fmt::format("--certify: there is no '{}'; choose on, residual or off", command.certify));
  return certify;
}

/// The factors with what the judge says of them, and the solution if there are right-hand sides.
template <class T>
struct Judged {
  LdltFactorization<T> factors;
  LdltMetrics metrics;
  std::optional<LdltSolution<T>> solution;
  std::optional<InertiaReport> inertia;  ///< where it was to be certified, and exists
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
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
  judged.metrics = experiments::judge_ldlt<T>(system.matrix, experiments::factors_of(judged.factors),
                                              experiments::claims_of(judged.factors), nullptr,
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

/// The stages to be drawn; none without a file for them.
std::vector<Index> chosen_stages(const SolveCommand& command, Index n) {
  if (command.pictures.empty()) return {};
  if (command.stages.empty()) return experiments::usual_stages(n);
  const std::vector<std::int64_t> stages = expand_integers("--at", command.stages);
  told_of("--at", [&] { experiments::require_stages(stages, n); });
  return stages;
}

template <class T>
int solve(const SolveCommand& command, const LinearSystem<T>& system, LdltOptions options) {
  options.symmetry = system.matrix.symmetry;
  const std::vector<Index> stages = chosen_stages(command, system.matrix.A.rows());
  const Judged<T> judged = solve_and_judge(system, options, parse_certify(command, options));
  if (!command.output.empty())
    write_ldlt(command.output, judged.factors, judged.solution ? judged.solution->X.view() : MatrixView<const T>{},
               {{"problem", system.matrix.provenance},
                {"status", std::string(to_string(judged.status()))},
                {"message", judged.message()}});
  if (!stages.empty()) {
    const auto pictures = experiments::pictures_of(judged.factors, stages, system.matrix.provenance);
    const std::string text = pictures.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
    experiments::write_atomically(command.pictures, text + '\n');
  }
  print_facts(command.table, facts(system, options, judged));
  return judged.status() == Status::passed ? exit_fine : exit_cases_failed;
}

int run(const SolveCommand& command) {
  (void)command.table.style();
  if (command.pictures.empty() && !command.stages.empty())
    throw InputError("--at: it is not said where the stages go; add --stages FILE");
  LdltOptions options;
  options.variant = parse_variant(command);
  options.rank_tolerance = command.tolerance;
  if (command.tolerance.value_or(0) >= 1)
    throw InputError(fmt::format("--tolerance: {} is not below 1; it is relative to max|A|", *command.tolerance));
  options.backend = parse_backend_or_usual(command.backend);
  options.threads = command.threads;
  (void)parse_certify(command, options);
  require_hdf5_name(command.output);
  require_outputs({command.matrix, command.right}, {command.output, command.pictures}, command.force);
  AnySymmetric matrix =
      read_input_symmetric(command.matrix, parse_triangle(command.triangle), parse_symmetry(command.symmetry));
  const AnySystem system = with_right_hand_sides(std::move(matrix), command.right);
  return std::visit([&](const auto& one) { return solve(command, one, options); }, system);
}

}  // namespace

Command add_ldlt_solve(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("ldlt", "The symmetric indefinite factorization, and a linear system");
  auto command = std::make_shared<SolveCommand>();
  app->add_option("A", command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)")
      ->required()
      ->type_name("");
  app->add_option("--rhs", command->right, "Right-hand sides B of A X = B, a file like A's")->type_name("FILE");
  app->add_option("-o,--output", command->output, "HDF5 file for M, D, the permutation (and X)")->type_name("FILE");
  app->add_option("--stages", command->pictures, "JSON file for pictures of A at stages of the factorization")
      ->type_name("FILE");
  add_force(*app, command->force);
  app->add_option("--at", command->stages, "Which stages, from 1 to n: a list and ranges (default: six)")
      ->type_name("LIST");
  app->add_option("--pivot", command->pivot, "complete (BP), rook (RK) or partial (BK)")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--alpha", command->alpha, "How small 1x1 pivots may be, in (0, 1) (default (1+sqrt(17))/8)")
      ->type_name("X");
  app->add_option("--equilibrate", command->equilibrate,
                  "Factor S A S, S of powers of two such that its rows are of one size: on or off")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--tolerance", command->tolerance,
                  "What counts as zero, relative to max|A| or max|S A S| (default 2^-52)")
      ->type_name("X")
      ->check(not_negative());
  app->add_option("--triangle", command->triangle, "What is read of A: whole, lower or upper")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--symmetry", command->symmetry, "Of a complex matrix: hermitian or symmetric")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--certify", command->certify,
                  "Certify the inertia: on, residual (by residuals above order 4096, too) or off")
      ->type_name("NAME")
      ->capture_default_str();
  app->add_option("--backend", command->backend, backend_help)->type_name("NAME");
  app->add_option("--threads", command->threads, "Never changes a bit (default: all cores)")
      ->type_name("N")
      ->check(positive());
  add_table_options(*app, command->table);
  app->footer(
      "P S A S P^T = M D M^T with M unit lower triangular and D of 1x1 and 2x2 blocks; S is the identity without\n"
      "--equilibrate and keeps the inertia with it. X is refined iteratively.\n\n"
      "Examples:\n"
      "  pivotlab solve ldlt A.mtx --rhs b.mtx -o out.h5\n"
      "  pivotlab solve ldlt A.h5 --pivot rook --alpha 0.5\n"
      "  pivotlab solve ldlt A.h5 --stages stages.json --at 1,100,200\n"
      "  pivotlab solve ldlt A.mtx.gz --triangle lower --tolerance 1e-12 --format json");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
