#include <fmt/format.h>
#include <experiments/eig/eig.hpp>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/problems/axis_values.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

struct EigExperiment {
  static constexpr MethodTexts texts = {
      .name = "eig",
      .title = "Eigendecomposition of a general matrix",
      .summary = "A·V = V·Λ by Jacobi-like sweeps of shears, unitary and diagonal transformations",
      .claims = {"each pair of an eigenvalue and its vectors belongs to a matrix within the bound of get22, and, where "
                 "V is well conditioned, all eigenvalues are there",
                 "digits of single eigenvalues beyond that; with an ill-conditioned V, that no eigenvalue is given "
                 "twice and another is missing"}};
  using Case = EigCase;
  using Options = EigOptions;
  using Metrics = EigMetrics;

  static constexpr auto kind = generals;
  static constexpr auto names = eig_names;
  static constexpr auto baselines = list_eig_baselines;
  static constexpr auto estimate = estimate_eig;
  static constexpr auto problem_rows = eig_problem_rows;
  static constexpr auto convergence_rows = eig_convergence_rows;
  static constexpr auto metric_rows = eig_metric_rows;
  static constexpr auto solution_rows = eig_solution_rows;

  static std::vector<AxisInfo> axes() {
    return {type_axis_info("z"),
            order_axis_info("Order", 256, 0),
            generator_axis_info(kind(),
                                "Source of the matrix: a generator such as 'similarity;kappa={1e2,1e6}', or "
                                "file:A.mtx",
                                "random"),
            seed_axis_info(),
            solver_axis_info(to_string(EigOptions{}.variant)),
            {.name = "vectors",
             .summary = "Eigenvectors: right, both",
             .default_value = std::string("right"),
             .domain = {.choices = {"right", "both"}},
             .role = AxisRole::solution},
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--form fused,b16 -n 64,128 --generator grcar,normal --baseline lapack:zgeev",
            "-n 64 --generator 'similarity;kappa={1e2,1e4,1e6}' --strategy RR,ME,MM",
            "-n 64 --solver 'ZEIG-(RR);fused{,;shear=off,;diagonal=off}'",
            "--generator file:A.mtx.gz --baseline lapack:dgeev --vectors both --format csv"};
  }

  static void read_axes(const experiments::Case& axes, Case& read) { read.left = text_axis(axes, "vectors") == "both"; }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    axes["vectors"] = std::string(interpreted.left ? "both" : "right");
  }

  template <class T>
  static GeneralMatrix<T> problem(GeneralMatrix<T> matrix, const auto&) {
    return matrix;
  }
  static void read_options(const Case& wanted, Options& options) { options.left_vectors = wanted.left; }
  template <class T>
  static EigResult<double> solve(const GeneralMatrix<T>& problem, const Options& options) {
    return eig<T>(problem.A, options);
  }
  template <class T>
  static EigResult<double> solve_by_baseline(const GeneralMatrix<T>& problem, const std::string& name,
                                             const Options& options) {
    return solve_eig_with_baseline<T>(name, problem.A, options.left_vectors, options.threads);
  }
  template <class T>
  static bool has_factors(const GeneralMatrix<T>& problem, const EigResult<double>& result) {
    return !result.eigenvalues.empty() || problem.A.rows() == 0;
  }
  template <class T>
  static Metrics judge(const GeneralMatrix<T>& problem, const Options& asked, const EigResult<double>& result,
                       const JudgeOptions& options) {
    return judge_eig(problem,
                     {.eigenvalues = result.eigenvalues,
                      .V = result.V,
                      .W = asked.left_vectors ? &result.W : nullptr,
                      .T = asked.triangular_form ? &result.T : nullptr,
                      .E = asked.triangular_form ? &result.E : nullptr,
                      .conditions = result.conditions.empty() ? nullptr : &result.conditions},
                     options);
  }

  template <class T>
  static EigProblemFacts problem_facts(const GeneralMatrix<T>& problem) {
    std::vector<std::complex<double>> truth;
    for (const auto& z : problem.eigenvalues)
      truth.emplace_back(static_cast<double>(z.real()), static_cast<double>(z.imag()));
    return {problem.provenance, frobenius_norm(problem.A), !truth.empty(), plotted(truth)};
  }
  static const EigResult<double>& convergence(const auto&, const Options&, const EigResult<double>& result) {
    return result;
  }
  static std::optional<PlottedEigenvalues> solution_facts(const Metrics&, const EigResult<double>& result) {
    return plotted(result.eigenvalues);
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix = {};
    bool left = false, conditions = false, form = false, refine = false;
  };

  static constexpr const char* variant_option = "--solver";
  static void read_options(const Command& command, Options& options) {
    options.variant.refine |= command.refine;
    options.left_vectors = command.left;
    options.condition_numbers = command.conditions;
    options.triangular_form = command.form;
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix}; }
  static AnyGeneral read(const Command& command) { return read_general(command.matrix); }

  static SolutionFacts facts(const auto& judged) {
    const EigResult<double>& result = judged.result;
    const Metrics& metrics = judged.metrics;
    const double condition =
        result.conditions.empty() ? metrics.largest_condition : *std::ranges::max_element(result.conditions);
    return {{{"n", "n", ColumnKind::integer, count(std::ssize(result.eigenvalues))},
             {"sweeps", "sweeps", ColumnKind::integer, judged.by_variant ? count(result.sweeps()) : Cell()},
             {"refined", "refined pairs", ColumnKind::integer,
              judged.options.variant.refine ? count(result.refined) : Cell()},
             {"finish", "finish", ColumnKind::text, result.finished ? Cell(std::string("Schur form")) : Cell()}},
            joined({{{"spectral_radius", "spectral radius", ColumnKind::scientific,
                      result.eigenvalues.empty() ? 0.0 : std::abs(result.eigenvalues.front())},
                     {"condition", "worst condition", ColumnKind::scientific, condition}},
                    facts_of(metric_rows(), metrics,
                             {"departure", "residual", "left_residual", "similarity", "get22", "backward_error",
                              "eigenvalue_error", "precision"})})};
  }
  static void write(const std::string& file, const auto& judged, const Attributes& attributes) {
    if (!judged.result.eigenvalues.empty()) write_eig(file, judged.result, attributes);
  }

  static CommandDescription describe(Command& command) {
    return {
        .title = "Eigenvalues and eigenvectors of a general matrix",
        .options = {{"A", &command.matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                    hdf5_output_option(command.output, "eigenvalues, V and what else is asked for"),
                    force_option(command.force),
                    {"--left", &command.left, "Also compute left eigenvectors W"},
                    {"--conditions", &command.conditions, "Also compute condition numbers of the eigenvalues"},
                    {"--form", &command.form, "Also compute the triangular form: A E = E T"},
                    {"--refine", &command.refine, "Refine eigenvalues and vectors by Newton steps at the end"},
                    {"--solver", &command.variant, "Variant (pivotlab list variants)", "NAME"},
                    baseline_option(command.baseline,
                                    {"--solver", "--backend", "--conditions", "--form", "--refine", "--max-sweeps"}),
                    {.name = "--max-sweeps",
                     .target = &command.max_sweeps,
                     .help = "After so many the variant's finish follows, or it is not converged",
                     .value_name = "N",
                     .minimum = 0},
                    backend_option(command.backend),
                    threads_option(command.threads)},
        .notes =
            "A V = V Lambda, W^H A = Lambda W^H, A E = E T with T upper triangular.\n"
            "finish in a variant's name: where sweeps stagnate or leave large residuals, a Schur form by unitary\n"
            "transformations (QR algorithm) follows.",
        .examples = {"A.mtx -o out.h5", "A.h5 --left --conditions --refine",
                     "A.mtx.gz --solver 'ZEIG-(RR);fused' --form --format json", "A.mtx --baseline 'lapack:?geev'"}};
  }

  static GenerateTexts generate() {
    return {.title = "General square matrix",
            .generator = "random",
            .type = "z",
            .notes = "HDF5 keeps the true eigenvalues with the matrix, where they are known.",
            .examples = {"'similarity;kappa=1e6' -n 64 -o A.h5", "grcar --type d -n 64 -o grcar.mtx",
                         "'random;truth=none' -n 1024 --seed 3 -o A.h5"}};
  }
};

}  // namespace

const Method& eig_method() {
  static const MethodOf<EigExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
