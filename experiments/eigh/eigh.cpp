#include <fmt/format.h>
#include <experiments/eigh/eigh.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/eigh/eigh_sections.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
struct EighProblem {
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

  static constexpr auto kind = symmetrics;
  static constexpr auto names = eigh_names;
  static constexpr auto baselines = list_eigh_baselines;
  static constexpr auto estimate = estimate_eigh;
  static constexpr auto problem_rows = eigh_problem_rows;
  static constexpr auto convergence_rows = eigh_convergence_rows;
  static constexpr auto metric_rows = eigh_metric_rows;

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

  static void read_axes(const experiments::Case&, const Case& read) {
    if (read.type == ScalarType::z && read.symmetry == Symmetry::symmetric)
      throw InputError("generator: the matrix is complex symmetric; give a Hermitian one");
  }

  template <class T>
  static EighProblem<T> problem(SymmetricMatrix<T> matrix, const Case&) {
    EighTruth truth = eigh_truth(matrix.A);
    return {std::move(matrix.A), std::move(matrix.provenance), std::move(truth)};
  }
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
  static EighProblemFacts problem_facts(const EighProblem<T>& problem) {
    EighProblemFacts facts{.provenance = problem.provenance, .norm_f = frobenius_norm(problem.A)};
    for (const Quad& value : problem.truth->eigenvalues) {
      const double size = std::abs(static_cast<double>(value));
      facts.smallest_eigenvalue = std::min(facts.smallest_eigenvalue.value_or(size), size);
      facts.largest_eigenvalue = std::max(facts.largest_eigenvalue.value_or(size), size);
    }
    return facts;
  }
  static EighConvergence convergence(const auto&, const Options&, const auto& result) {
    return EighConvergence(result);
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix = {}, triangle = "whole";
  };

  static std::vector<std::string> inputs(const Command& command) { return {command.matrix}; }
  static AnySymmetric read(const Command& command) {
    return read_input_symmetric(command.matrix, parse_triangle(command.triangle), Symmetry::hermitian);
  }
  template <class T>
  static EighProblem<T> problem(SymmetricMatrix<T> matrix, const Command& command) {
    if (is_complex<T> && matrix.symmetry == Symmetry::symmetric)
      throw InputError(command.matrix + ": is complex symmetric; give a Hermitian matrix");
    return {std::move(matrix.A), std::move(matrix.provenance)};
  }

  static SolutionFacts facts(const auto& judged) {
    const auto& result = judged.result;
    const Metrics& metrics = judged.metrics;
    const std::vector<double>& lambda = result.eigenvalues;
    const SpectralReport& spectral = result.spectral;
    const Index vague = metrics.undetermined.value_or(0);
    return {{{"n", "n", ColumnKind::integer, count(std::ssize(lambda))},
             {"positive", "+", ColumnKind::integer, count(result.inertia.positive)},
             {"negative", "-", ColumnKind::integer, count(result.inertia.negative)},
             {"zero", "0", ColumnKind::integer, count(result.inertia.zero)},
             {"largest", "max lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.front())},
             {"least", "min lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.back())},
             {"sweeps", "sweeps", ColumnKind::integer, judged.by_variant ? count(std::ssize(result.sweeps)) : Cell()},
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
  static void write(const std::string& file, const auto& judged, const Attributes& attributes) {
    if (!judged.result.eigenvalues.empty()) write_eigh(file, judged.result, attributes);
  }

  static CommandDescription describe(Command& command) {
    return {
        .title = "Eigenvalues and eigenvectors of a Hermitian matrix, with error estimates",
        .options = {{"A", &command.matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                    hdf5_output_option(command.output, "eigenvalues, U, error estimates, inertia"),
                    force_option(command.force),
                    {"--variant", &command.variant, "Variant (pivotlab list variants)", "NAME"},
                    baseline_option(command.baseline, {"--variant", "--backend", "--max-sweeps"}),
                    triangle_option(command.triangle),
                    max_sweeps_option(command.max_sweeps),
                    backend_option(command.backend),
                    threads_option(command.threads)},
        .notes =
            "A = U Lambda U^*. Relative errors of all eigenvalues are small for A = D R D with any diagonal D and\n"
            "well-conditioned R; the estimates say where A does not determine an eigenvalue or its sign.",
        .examples = {"A.mtx -o out.h5", "A.h5 --variant 'HEV-RK-ME-BO;spectral' --format json",
                     "A.mtx.gz --baseline 'lapack:?syevd'"}};
  }

  static GenerateTexts generate() {
    return {.title = "Hermitian matrix",
            .generator = "equidistant",
            .notes = "HDF5 keeps the exact eigenvalues and the inertia with the matrix, where they are known.",
            .examples = {"'graded;g=6' -n 200 -o A.mtx", "'quasidefinite;g=4' --type z -n 128 -o A.h5"}};
  }
};

}  // namespace

const Method& eigh_method() {
  static const MethodOf<EighExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
