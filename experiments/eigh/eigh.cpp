#include <fmt/format.h>
#include <experiments/eigh/eigh.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/eigh/eigh_sections.hpp>
#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/generic/solve.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
struct EighProblem {
  static constexpr ScalarType type = scalar_type<T>;
  Matrix<T> A;
  std::string provenance;
  std::optional<EighTruth> truth = {};  ///< of sweeps, where one truth serves many cases
};

struct EighExperiment {
  static constexpr MethodTexts texts = {
      .name = "eigh",
      .title = "Eigendecomposition of a Hermitian matrix",
      .summary =
          "A = U·Λ·U* by A = G·J·G* and a one-sided hyperbolic Jacobi iteration, accurate also for small eigenvalues",
      .claims = {"all eigenvalues are those of a matrix within the bound of residual_ratio, and, up to n = 128, every "
                 "error is at most 10 estimates and no sign is wrong that is not marked as noise. The true eigenvalues "
                 "are computed by the library Eigen in as many bits as they need, by an algorithm that the solvers do "
                 "not share",
                 "estimates above that order; digits of single eigenvectors; eigenvalues without vectors above that "
                 "order, which are skipped"}};
  using Case = EighCase;
  using Options = EighOptions;
  using Metrics = EighMetrics;

  static const Kind<AnySymmetric>& kind() { return symmetrics(); }
  static std::vector<const VariantNames*> variants() { return {&eigh_names()}; }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_eigh_baselines(ScalarType::d), list_eigh_baselines(ScalarType::z)};
  }
  static std::vector<AxisInfo> axes() {
    return {type_axis_info("d"),
            order_axis_info("Order", 128, 0),
            generator_axis_info(kind(),
                                "Source of the matrix: a generator such as 'graded;g={2..8}', file:A.mtx or "
                                "permuted:A.mtx",
                                "random"),
            seed_axis_info(),
            solver_axis_info(to_string(EighVariant{})),
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"-n 64 --generator 'graded;g={2,4,6};order=random;core=conditioned' --baseline lapack:dsyevd,lapack:dsyevr",
            "-n 64,128,256 --form PT,FB,BO --pivot RK,CP",
            "-n 128 --generator 'spectrum;kappa={1e4,1e8}' --solver 'HEV-RK-ME-BO{,;spectral}'",
            "--generator file:A.mtx.gz --format csv"};
  }
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(eigh_problem_rows())},
            {"convergence", quantities_of(eigh_convergence_rows())},
            {"metrics", quantities_of(metric_rows())}};
  }
  static const Rows<Metrics>& metric_rows() { return eigh_metric_rows(); }

  static Case interpret(const experiments::Case& axes) {
    Case result;
    static_cast<ProblemCase&>(result) = read_problem(kind(), axes);
    if (result.type == ScalarType::z && result.symmetry == Symmetry::symmetric)
      throw InputError("generator: the matrix is complex symmetric; give a Hermitian one");
    read_solver_or_variant(result, axes, list_eigh_baselines(result.type), parse_eigh_variant);
    return result;
  }
  static Estimate estimate(const Case& wanted) { return estimate_eigh(wanted); }

  template <class T>
  static EighProblem<T> problem(SymmetricMatrix<T> matrix, const Case&) {
    EighTruth truth = eigh_truth(matrix.A);
    return {std::move(matrix.A), std::move(matrix.provenance), std::move(truth)};
  }
  static Options options(const Case& wanted) { return options_of<Options>(wanted); }
  template <class T>
  static EighResult<T> solve(const EighProblem<T>& problem, const Options& options) {
    return eigh<T>(problem.A, options);
  }
  template <class T>
  static EighResult<T> solve_by_baseline(const EighProblem<T>& problem, const std::string& name,
                                         const Options& options) {
    return solve_eigh_with_baseline<T>(name, problem.A, options.threads);
  }
  template <class T>
  static bool has_factors(const EighProblem<T>& problem, const EighResult<T>& result) {
    return std::ssize(result.eigenvalues) == problem.A.rows();
  }
  template <class T>
  static Metrics judge(const EighProblem<T>& problem, const Options&, const EighResult<T>& result,
                       const JudgeOptions& options) {
    return judge_eigh(problem.A, problem.truth ? *problem.truth : eigh_truth(problem.A), result, options);
  }

  template <class T>
  static nlohmann::json problem_section(const EighProblem<T>& problem) {
    EighProblemFacts facts{.provenance = problem.provenance, .norm_f = frobenius_norm(problem.A)};
    for (const Quad& value : problem.truth->eigenvalues) {
      const double size = std::abs(static_cast<double>(value));
      facts.smallest_eigenvalue = std::min(facts.smallest_eigenvalue.value_or(size), size);
      facts.largest_eigenvalue = std::max(facts.largest_eigenvalue.value_or(size), size);
    }
    return write_rows(eigh_problem_rows(), facts);
  }
  template <class T>
  static nlohmann::json convergence_section(const EighResult<T>& result) {
    return write_rows(eigh_convergence_rows(), EighConvergence(result));
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix = {}, triangle = "whole";
  };

  static Options options(const Command& command) {
    return options_of<Options>(command, "--variant", parse_eigh_variant);
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix}; }
  static std::variant<EighProblem<double>, EighProblem<std::complex<double>>> read(const Command& command) {
    return std::visit(
        [&]<class T>(
            SymmetricMatrix<T> matrix) -> std::variant<EighProblem<double>, EighProblem<std::complex<double>>> {
          if (is_complex<T> && matrix.symmetry == Symmetry::symmetric)
            throw InputError(command.matrix + ": is complex symmetric; give a Hermitian matrix");
          return EighProblem<T>{std::move(matrix.A), std::move(matrix.provenance)};
        },
        read_input_symmetric(command.matrix, parse_triangle(command.triangle), Symmetry::hermitian));
  }

  template <class T>
  static SolutionFacts facts(const EighProblem<T>&, const Options&, const EighResult<T>& result, const Metrics& metrics,
                             bool by_variant) {
    const std::vector<double>& lambda = result.eigenvalues;
    const SpectralReport& spectral = result.spectral;
    const Index vague = metrics.undetermined.value_or(0);
    return {{{"n", "n", ColumnKind::integer, count(std::ssize(lambda))},
             {"positive", "+", ColumnKind::integer, count(result.inertia.positive)},
             {"negative", "-", ColumnKind::integer, count(result.inertia.negative)},
             {"zero", "0", ColumnKind::integer, count(result.inertia.zero)},
             {"largest", "max lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.front())},
             {"least", "min lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.back())},
             {"sweeps", "sweeps", ColumnKind::integer, by_variant ? count(std::ssize(result.sweeps)) : Cell()},
             {"preconditioner", "preconditioner", ColumnKind::text,
              spectral.used              ? Cell(std::string("spectral"))
              : spectral.refusal.empty() ? Cell()
                                         : Cell("refused: " + spectral.refusal)}},
            joined({facts_of(metric_rows(), metrics, {"largest_estimate", "undetermined"}),
                    accuracy_fact(vague, fmt::format("the signs of {} eigenvalue{} are not determined", vague,
                                                     vague == 1 ? "" : "s")),
                    facts_of(metric_rows(), metrics,
                             {"residual", "residual_ratio", "orthogonality", "orthogonality_ratio", "trace_error",
                              "eigenvalue_ratio", "error_per_estimate", "wrong_signs", "precision"})})};
  }
  template <class T>
  static void write(const std::string& file, const EighResult<T>& result,
                    const std::map<std::string, std::string>& attributes) {
    if (!result.eigenvalues.empty()) write_eigh(file, result, attributes);
  }

  static std::shared_ptr<const CommandDescription> solve_command() {
    const auto command =
        std::make_shared<Command>(Command{{.variant = to_string(EighVariant{}), .max_sweeps = Options{}.max_sweeps}});
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
        .notes =
            "A = U Lambda U^*. Relative errors of all eigenvalues are small for A = D R D with any diagonal D and\n"
            "well-conditioned R; the estimates say where A does not determine an eigenvalue or its sign.",
        .examples = {"A.mtx -o out.h5", "A.h5 --variant 'HEV-RK-ME-BO;spectral' --format json",
                     "A.mtx.gz --baseline 'lapack:?syevd'"},
        .run = [command] { return run_solve<EighExperiment>(*command); }});
  }

  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("equidistant");
    std::vector<CommandOption> options = problem_options(kind(), *command, "Order");
    options.push_back(output_option(*command, "File (.h5, .mtx, .mtx.gz)"));
    options.push_back(force_option(command->force));
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Hermitian matrix",
        .options = std::move(options),
        .notes = "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.",
        .examples = {"'graded;g=6' -n 200 -o A.mtx", "'quasidefinite;g=4' --type z -n 128 -o A.h5"},
        .run = [command] { return run_generate(kind(), *command); }});
  }
};

}  // namespace

const Method& eigh_method() {
  static const MethodOf<EighExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
