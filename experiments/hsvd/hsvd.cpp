#include <fmt/format.h>
#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/generic/solve.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/hsvd/hsvd_sections.hpp>
#include <experiments/problems/axis_values.hpp>
#include <experiments/problems/sign_file.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

constexpr std::string_view automatic = "auto";  ///< the variant that keeps the digits of (G, J)

template <class T>
struct HsvdProblem {
  static constexpr ScalarType type = scalar_type<T>;
  Matrix<T> G;
  std::vector<int> J;
  std::string provenance;
  HsvdTruth truth = {};
};

struct HsvdExperiment {
  static constexpr MethodTexts texts = {
      .name = "hsvd",
      .title = "Hyperbolic singular value decomposition",
      .summary = "G·V = U·Σ with V*JV = J' by a one-sided Jacobi iteration; J = I is the singular value decomposition",
      .claims = {"the factors are those of a matrix within the bound of residual_ratio, U is orthonormal and V is "
                 "J-orthogonal to working precision, and, up to m = 128, every error is at most 10 estimates where "
                 "Gershgorin's theorem encloses σ",
                 "digits of σ below ε·‖G‖ that no estimate claims; columns of U that belong to σ = 0"}};
  using Case = HsvdCase;
  using Options = HsvdOptions;
  using Metrics = HsvdMetrics;

  static const Kind<AnyMatrix>& kind() { return rectangulars(); }
  static std::vector<const VariantNames*> variants() { return {&hsvd_names()}; }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_svd_baselines(ScalarType::d), list_svd_baselines(ScalarType::z)};
  }
  static std::vector<AxisInfo> axes() {
    return {type_axis_info("d"),
            order_axis_info("Columns of G", 128, 1),
            row_count_axis_info("m", "Rows of G: one for all n, one for each, or a multiple like 2n; 0: n"),
            generator_axis_info(kind(), "Source of G: a generator such as 'graded;g={2..8}' or file:G.mtx", "random"),
            signs_axis_info("positive"),
            seed_axis_info(),
            solver_axis_info(to_string(HsvdVariant{})),
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"-n 64 --generator 'graded;g={2,4,6}' --baseline lapack:dgesvj,lapack:dgejsv,lapack:dgesdd",
            "-n 64,128,256 --form PT,FB,BO --solver '?{,;qrp}'",
            "-n 32 --generator 'parallel;gap={1e-2,1e-4}' --signs halves",
            "-n 100 --m 2n --generator 'two-sided;g=8' --format csv"};
  }
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(hsvd_problem_rows())},
            {"convergence", quantities_of(hsvd_convergence_rows())},
            {"metrics", quantities_of(metric_rows())}};
  }
  static const Rows<Metrics>& metric_rows() { return hsvd_metric_rows(); }

  static Case interpret(const experiments::Case& axes) {
    Case result;
    static_cast<ProblemCase&>(result) = read_problem(kind(), axes);
    read_solver_or_variant(result, axes, list_svd_baselines(result.type), parse_hsvd_variant);
    if (result.signs != "positive" && (!result.variant || result.variant->qrp))
      throw InputError(fmt::format("solver: {} computes singular values, and J has signs -1; take the signs 'positive'",
                                   result.solver));
    return result;
  }
  static Estimate estimate(const Case& wanted) { return estimate_hsvd(wanted); }

  template <class T>
  static HsvdProblem<T> problem(Matrix<T> G, const Case& wanted) {
    std::vector<int> J = generate_signs(wanted.signs, wanted.n, wanted.seed);
    HsvdTruth truth = hsvd_truth(G, J);
    return {std::move(G), std::move(J),
            fmt::format("{}, seed {}, signs {}", wanted.generator, wanted.seed, wanted.signs), std::move(truth)};
  }
  static Options options(const Case& wanted) {
    Options options = options_of<Options>(wanted);
    options.compute_v = true;
    return options;
  }
  template <class T>
  static HsvdResult<T> solve(const HsvdProblem<T>& problem, const Options& options) {
    return hsvd<T>(problem.G, problem.J, options);
  }
  template <class T>
  static HsvdResult<T> solve_by_baseline(const HsvdProblem<T>& problem, const std::string& name,
                                         const Options& options) {
    return solve_svd_with_baseline<T>(name, problem.G, options.threads);
  }
  template <class T>
  static bool has_factors(const HsvdProblem<T>&, const HsvdResult<T>& result) {
    return !result.sigma.empty() || result.status == Status::passed;
  }
  template <class T>
  static Metrics judge(const HsvdProblem<T>& problem, const Options&, const HsvdResult<T>& result,
                       const JudgeOptions& options) {
    return judge_hsvd(problem.G, problem.J, problem.truth, result, options);
  }

  template <class T>
  static nlohmann::json problem_section(const HsvdProblem<T>& problem) {
    HsvdProblemFacts facts{.provenance = problem.provenance,
                           .norm_f = frobenius_norm(problem.G),
                           .negative_signs = std::ranges::count(problem.J, -1)};
    if (!problem.truth.sigma.empty()) {
      const auto [least, most] = std::ranges::minmax_element(problem.truth.sigma);
      facts.smallest_sigma = static_cast<double>(*least), facts.largest_sigma = static_cast<double>(*most);
    }
    return write_rows(hsvd_problem_rows(), facts);
  }
  template <class T>
  static nlohmann::json convergence_section(const HsvdResult<T>& result) {
    return write_rows(hsvd_convergence_rows(), HsvdConvergence{result.sweeps});
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string matrix = {}, signs = {};
  };

  static Options options(const Command& command) {
    Options options = options_of<Options>(command, "--variant", [](const std::string& name) {
      return name == automatic ? HsvdVariant{} : parse_hsvd_variant(name);
    });
    options.compute_v = true;
    return options;
  }
  static std::vector<std::string> inputs(const Command& command) {
    return command.signs.empty() ? std::vector{command.matrix} : std::vector{command.matrix, command.signs};
  }
  static std::variant<HsvdProblem<double>, HsvdProblem<std::complex<double>>> read(const Command& command) {
    return std::visit(
        [&]<class T>(Matrix<T> G) -> std::variant<HsvdProblem<double>, HsvdProblem<std::complex<double>>> {
          std::vector<int> J =
              read_signs(command.signs, G.cols(), fmt::format("{} has {} columns", command.matrix, G.cols()));
          if (!command.baseline.empty() && std::ranges::count(J, -1) > 0)
            throw InputError("--baseline: LAPACK has no hyperbolic decomposition; leave out --signs");
          return HsvdProblem<T>{std::move(G), std::move(J), command.matrix};
        },
        read_matrix(command.matrix));
  }
  template <class T>
  static void choose_variant(const Command& command, const HsvdProblem<T>& problem, Options& options) {
    if (command.variant == automatic)
      options.variant = choose_hsvd_variant<T>(problem.G, problem.J, options.backend, options.threads);
  }

  template <class T>
  static SolutionFacts facts(const HsvdProblem<T>& problem, const Options&, const HsvdResult<T>& result,
                             const Metrics& metrics, bool by_variant) {
    const auto extreme = [&](auto find) { return result.sigma.empty() ? Cell() : Cell(*find(result.sigma)); };
    const Index vague = metrics.undetermined.value_or(0);
    return {{{"m", "m", ColumnKind::integer, count(problem.G.rows())},
             {"n", "n", ColumnKind::integer, count(problem.G.cols())},
             {"positive", "+", ColumnKind::integer, count(std::ranges::count(result.J, 1))},
             {"negative", "-", ColumnKind::integer, count(std::ranges::count(result.J, -1))},
             {"largest", "max sigma", ColumnKind::scientific, extreme(std::ranges::max_element)},
             {"least", "min sigma", ColumnKind::scientific, extreme(std::ranges::min_element)},
             {"sweeps", "sweeps", ColumnKind::integer, by_variant ? count(std::ssize(result.sweeps)) : Cell()}},
            joined({facts_of(metric_rows(), metrics, {"largest_estimate", "undetermined"}),
                    accuracy_fact(
                        vague, fmt::format("{} singular value{} not determined", vague, vague == 1 ? " is" : "s are")),
                    facts_of(metric_rows(), metrics,
                             {"residual", "residual_ratio", "orthogonality", "orthogonality_ratio", "j_orthogonality",
                              "j_orthogonality_ratio", "precision"})})};
  }
  template <class T>
  static void write(const std::string& file, const HsvdResult<T>& result,
                    const std::map<std::string, std::string>& attributes) {
    if (!result.sigma.empty()) write_hsvd(file, result, attributes);
  }

  static std::shared_ptr<const CommandDescription> solve_command() {
    const auto command =
        std::make_shared<Command>(Command{{.variant = std::string(automatic), .max_sweeps = Options{}.max_sweeps}});
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Singular values and vectors, ordinary or hyperbolic, with error estimates",
        .options = {{"G", &command->matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (g.h5 or g.h5:/dataset)", "", true},
                    {"--signs", &command->signs, "Vector of 1 and -1, one for each column of G (default: all 1)", "J"},
                    hdf5_output_option(command->output, "sigma, J, U, V, error estimates"),
                    force_option(command->force),
                    {"--variant", &command->variant,
                     "Variant (pivotlab list variants); auto: HSVD-ME-BO, with qrp where rows differ in size and J = I",
                     "NAME"},
                    baseline_option(command->baseline, {"--variant", "--backend", "--max-sweeps"}),
                    max_sweeps_option(command->max_sweeps),
                    backend_option(command->backend),
                    threads_option(command->threads)},
        .notes =
            "G V = U Sigma, V^* J V = J'; with fewer rows than columns, for J = I, sigma and the columns of U and V "
            "are as\n"
            "many as rows. Relative errors of all sigma are small for G = B D with any diagonal D and "
            "well-conditioned B,\n"
            "and with qrp also for G = D B; the estimates say where they are not.",
        .examples = {"G.mtx -o out.h5", "G.h5 --signs J.mtx --format json", "G.mtx.gz --variant 'HSVD-ME-BO;qrp'",
                     "G.mtx --baseline 'lapack:?gesvj'"},
        .run = [command] { return run_solve<HsvdExperiment>(*command); }});
  }

  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("random", "halves");
    std::vector<CommandOption> options = problem_options(kind(), *command, "Columns");
    options.push_back(output_option(*command, "File for G (.mtx, .mtx.gz)"));
    std::ranges::move(signs_options(*command, "File for the signs J (.mtx)"), std::back_inserter(options));
    options.push_back(force_option(command->force));
    return std::make_shared<CommandDescription>(
        CommandDescription{.title = "Matrix with at least as many rows as columns, and signs of the columns",
                           .options = std::move(options),
                           .examples = {"'graded;g=8' -n 64 -m 100 -o G.mtx",
                                        "'parallel;gap=1e-4' -n 32 -o G.mtx --signs halves --signs-output J.mtx"},
                           .run = [command] { return run_generate(kind(), *command); }});
  }
};

}  // namespace

const Method& hsvd_method() {
  static const MethodOf<HsvdExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
