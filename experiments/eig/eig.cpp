#include <fmt/format.h>
#include <experiments/eig/eig.hpp>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/eig_sections.hpp>
#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/generic/solve.hpp>
#include <experiments/problems/axis_values.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
struct EigProblem : GeneralMatrix<T> {
  static constexpr ScalarType type = scalar_type<T>;
};

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

  static const Kind<AnyGeneral>& kind() { return generals(); }
  static std::vector<const VariantNames*> variants() { return {&eig_names()}; }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_eig_baselines(ScalarType::d), list_eig_baselines(ScalarType::z)};
  }
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
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(eig_problem_rows())},
            {"convergence", quantities_of(eig_convergence_rows())},
            {"metrics", quantities_of(metric_rows(), eig_solution_rows())}};
  }
  static const Rows<Metrics>& metric_rows() { return eig_metric_rows(); }

  static Case interpret(const experiments::Case& axes) {
    Case result;
    static_cast<ProblemCase&>(result) = read_problem(kind(), axes);
    result.left = text_axis(axes, "vectors") == "both";
    read_solver_or_variant(result, axes, list_eig_baselines(result.type), parse_eig_variant);
    return result;
  }
  static void write_axes(const Case& interpreted, experiments::Case& axes) {
    axes["vectors"] = std::string(interpreted.left ? "both" : "right");
  }
  static Estimate estimate(const Case& wanted) { return estimate_eig(wanted); }

  template <class T>
  static EigProblem<T> problem(GeneralMatrix<T> matrix, const Case&) {
    return {std::move(matrix)};
  }
  static Options options(const Case& wanted) {
    Options options = options_of<Options>(wanted);
    options.left_vectors = wanted.left;
    return options;
  }
  template <class T>
  static EigResult<double> solve(const EigProblem<T>& problem, const Options& options) {
    return eig<T>(problem.A, options);
  }
  template <class T>
  static EigResult<double> solve_by_baseline(const EigProblem<T>& problem, const std::string& name,
                                             const Options& options) {
    return solve_eig_with_baseline<T>(name, problem.A, options.left_vectors, options.threads);
  }
  template <class T>
  static bool has_factors(const EigProblem<T>& problem, const EigResult<double>& result) {
    return !result.eigenvalues.empty() || problem.A.rows() == 0;
  }
  template <class T>
  static Metrics judge(const EigProblem<T>& problem, const Options& asked, const EigResult<double>& result,
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
  static nlohmann::json problem_section(const EigProblem<T>& problem) {
    std::vector<std::complex<double>> truth;
    for (const auto& z : problem.eigenvalues)
      truth.emplace_back(static_cast<double>(z.real()), static_cast<double>(z.imag()));
    return write_rows(eig_problem_rows(),
                      {problem.provenance, frobenius_norm(problem.A), !truth.empty(), plotted(truth)});
  }
  static nlohmann::json convergence_section(const EigResult<double>& result) {
    return write_rows(eig_convergence_rows(), result);
  }
  static nlohmann::json solution_section(const EigResult<double>& result) {
    return write_rows(eig_solution_rows(), plotted(result.eigenvalues));
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix = {};
    bool left = false, conditions = false, form = false, refine = false;
  };

  static Options options(const Command& command) {
    Options options = options_of<Options>(command, "--solver", parse_eig_variant);
    options.variant.refine |= command.refine;
    options.left_vectors = command.left;
    options.condition_numbers = command.conditions;
    options.triangular_form = command.form;
    return options;
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix}; }
  static std::variant<EigProblem<double>, EigProblem<std::complex<double>>> read(const Command& command) {
    return std::visit(
        []<class T>(GeneralMatrix<T> matrix) -> std::variant<EigProblem<double>, EigProblem<std::complex<double>>> {
          return EigProblem<T>{std::move(matrix)};
        },
        read_general(command.matrix));
  }

  template <class T>
  static SolutionFacts facts(const EigProblem<T>&, const Options& options, const EigResult<double>& result,
                             const Metrics& metrics, bool by_variant) {
    const double condition =
        result.conditions.empty() ? metrics.largest_condition : *std::ranges::max_element(result.conditions);
    return {{{"n", "n", ColumnKind::integer, count(std::ssize(result.eigenvalues))},
             {"sweeps", "sweeps", ColumnKind::integer, by_variant ? count(result.sweeps()) : Cell()},
             {"refined", "refined pairs", ColumnKind::integer, options.variant.refine ? count(result.refined) : Cell()},
             {"finish", "finish", ColumnKind::text, result.finished ? Cell(std::string("Schur form")) : Cell()}},
            joined({{{"spectral_radius", "spectral radius", ColumnKind::scientific,
                      result.eigenvalues.empty() ? 0.0 : std::abs(result.eigenvalues.front())},
                     {"condition", "worst condition", ColumnKind::scientific, condition}},
                    facts_of(metric_rows(), metrics,
                             {"departure", "residual", "left_residual", "similarity", "get22", "backward_error",
                              "eigenvalue_error", "precision"})})};
  }
  static void write(const std::string& file, const EigResult<double>& result,
                    const std::map<std::string, std::string>& attributes) {
    if (!result.eigenvalues.empty()) write_eig(file, result, attributes);
  }

  static std::shared_ptr<const CommandDescription> solve_command() {
    const auto command = std::make_shared<Command>(
        Command{{.variant = to_string(Options{}.variant), .max_sweeps = Options{}.max_sweeps}});
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Eigenvalues and eigenvectors of a general matrix",
        .options = {{"A", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5 or a.h5:/dataset)", "", true},
                    hdf5_output_option(command->output, "eigenvalues, V and what else is asked for"),
                    force_option(command->force),
                    {"--left", &command->left, "Also compute left eigenvectors W"},
                    {"--conditions", &command->conditions, "Also compute condition numbers of the eigenvalues"},
                    {"--form", &command->form, "Also compute the triangular form: A E = E T"},
                    {"--refine", &command->refine, "Refine eigenvalues and vectors by Newton steps at the end"},
                    {"--solver", &command->variant, "Variant (pivotlab list variants)", "NAME"},
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
        .run = [command] { return run_solve<EigExperiment>(*command); }});
  }

  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("random");
    command->type = "z";
    std::vector<CommandOption> options = problem_options(kind(), *command, "Order");
    options.push_back(output_option(*command, "File (.h5, .mtx, .mtx.gz)"));
    options.push_back(force_option(command->force));
    return std::make_shared<CommandDescription>(
        CommandDescription{.title = "General square matrix",
                           .options = std::move(options),
                           .notes = "HDF5 keeps the true eigenvalues with the matrix, where they are known.",
                           .examples = {"'similarity;kappa=1e6' -n 64 -o A.h5", "grcar --type d -n 64 -o grcar.mtx",
                                        "'random;truth=none' -n 1024 --seed 3 -o A.h5"},
                           .run = [command] { return run_generate(kind(), *command); }});
  }
};

}  // namespace

const Method& eig_method() {
  static const MethodOf<EigExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
