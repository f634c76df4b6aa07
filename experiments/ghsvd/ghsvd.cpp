#include <fmt/format.h>
#include <experiments/generic/generate.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/generic/solve.hpp>
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <experiments/problems/sign_file.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
struct GhsvdProblem {
  static constexpr ScalarType type = scalar_type<T>;
  Matrix<T> F, G;
  std::vector<int> J;
  std::string provenance;
  GhsvdTruth truth = {};
};

struct GhsvdExperiment {
  static constexpr MethodTexts texts = {
      .name = "ghsvd",
      .title = "Generalized hyperbolic singular value decomposition",
      .summary =
          "F·Z = U·Σ_F, G·Z = V·Σ_G with U*JU = J', V*V = I: eigenvalues of (F*JF, G*G) by tangent reduction and "
          "Jacobi",
      .claims = {"the factors satisfy all equations to their bounds, so that all λ belong to a pair nearby, normwise; "
                 "and, up to n = 64, that every error is at most 10 estimates (30 with the direct method) and no sign "
                 "is wrong that is not marked as noise. Gershgorin's theorem for the pencil (Z*F*JFZ, Z*G*GZ) encloses "
                 "the true eigenvalues for any Z",
                 "eigenvalues above n = 64, or without 20 enclosed digits; errors of single columns of Z"}};
  using Case = GhsvdCase;
  using Options = GhsvdOptions;
  using Metrics = GhsvdMetrics;

  static const Kind<AnyPair>& kind() { return pairs(); }
  static std::vector<const VariantNames*> variants() { return {&ghsvd_names()}; }
  static std::vector<GeneratorInfo> generators() {
    std::vector<GeneratorInfo> kinds = list_pair_generators();
    for (GeneratorInfo& kind : kinds)
      std::erase_if(kind.options, [](const auto& option) { return option.name == "truth"; });  // of σ
    return kinds;
  }
  static std::vector<std::vector<BaselineInfo>> baselines() {
    return {list_ghsvd_baselines(ScalarType::d), list_ghsvd_baselines(ScalarType::z)};
  }
  static std::vector<AxisInfo> axes() {
    return {type_axis_info("d"),
            order_axis_info("Order: columns of F and G", 128, 1),
            row_count_axis_info("m_f", "Rows of F: one for all n, one for each, or a multiple like 2n; 0: n"),
            row_count_axis_info("m_g", "Rows of G, in the same form; at least n"),
            generator_axis_info(kind(),
                                "Source of the pair: a generator such as 'two-sided;columns_f=random;g={2..6}', or "
                                "file:, files:, cholesky:, difference:",
                                "random"),
            signs_axis_info("third"),
            seed_axis_info(),
            solver_axis_info(to_string(GhsvdVariant{})),
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"-n 32 --m-f 2n --m-g 2n --generator 'two-sided;columns_f=random;g={2,4,6}' --baseline lapack:dsygvd",
            "-n 32,64 --solver 'GHSVD-TR-ME-BO{,;precision=working},GHSVD-HZ-ME-PT'",
            "-n 32 --m-f 2n --generator neutral --signs halves",
            "-n 64 --m-g 2n --generator 'waves;overlap=0.1' --type z --format csv"};
  }
  static std::vector<Section> sections() {
    return {{"problem", quantities_of(ghsvd_problem_rows())},
            {"convergence", quantities_of(ghsvd_convergence_rows())},
            {"metrics", quantities_of(metric_rows())}};
  }
  static const Rows<Metrics>& metric_rows() { return ghsvd_metric_rows(); }

  static Case interpret(const experiments::Case& axes) {
    Case result;
    static_cast<ProblemCase&>(result) = read_problem(kind(), axes);
    if (!result.is_from_files() && result.generator.find("truth=") != std::string::npos)
      throw InputError("generator: option truth: it is about sigma, which this decomposition does not have; omit it");
    if (result.m_g < result.n)
      throw InputError(fmt::format("{}: G is {} x {}, with fewer rows than columns; its columns must be independent",
                                   result.is_from_files() ? "generator" : "m_g", result.m_g, result.n));
    read_solver_or_variant(result, axes, list_ghsvd_baselines(result.type), parse_ghsvd_variant);
    return result;
  }
  static Estimate estimate(const Case& wanted) { return estimate_ghsvd(wanted); }

  template <class T>
  static GhsvdProblem<T> problem(Pair<T> pair, const Case& wanted) {
    std::vector<int> J = generate_signs(wanted.signs, wanted.m_f, wanted.seed);
    GhsvdTruth truth = ghsvd_truth(pair.F, pair.G, J);
    return {std::move(pair.F), std::move(pair.G), std::move(J),
            fmt::format("{}, signs {}", pair.provenance, wanted.signs), std::move(truth)};
  }
  static Options options(const Case& wanted) { return options_of<Options>(wanted); }
  template <class T>
  static GhsvdResult<T> solve(const GhsvdProblem<T>& problem, const Options& options) {
    return ghsvd<T>(problem.F, problem.G, problem.J, options);
  }
  template <class T>
  static GhsvdResult<T> solve_by_baseline(const GhsvdProblem<T>& problem, const std::string& name,
                                          const Options& options) {
    return solve_ghsvd_with_baseline<T>(name, problem.F, problem.G, problem.J, options.threads);
  }
  template <class T>
  static bool has_factors(const GhsvdProblem<T>&, const GhsvdResult<T>& result) {
    return result.status != Status::failed;
  }
  template <class T>
  static Metrics judge(const GhsvdProblem<T>& problem, const Options&, const GhsvdResult<T>& result,
                       const JudgeOptions& options) {
    return judge_ghsvd(problem.F, problem.G, problem.J, problem.truth, result, options);
  }

  template <class T>
  static nlohmann::json problem_section(const GhsvdProblem<T>& problem) {
    GhsvdProblemFacts facts{.provenance = problem.provenance,
                            .norm_f = frobenius_norm(problem.F),
                            .norm_g = frobenius_norm(problem.G),
                            .negative_signs = std::ranges::count(problem.J, -1)};
    std::vector<double> moduli;
    for (const Quad& x : problem.truth.eigenvalues) moduli.push_back(std::abs(static_cast<double>(x)));
    if (!moduli.empty())
      facts.smallest_eigenvalue = std::ranges::min(moduli), facts.largest_eigenvalue = std::ranges::max(moduli);
    return write_rows(ghsvd_problem_rows(), facts);
  }
  template <class T>
  static nlohmann::json convergence_section(const GhsvdResult<T>& result) {
    return write_rows(ghsvd_convergence_rows(), GhsvdConvergence(result));
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string f = {}, g = {}, signs = {};
    bool pencil = false;
  };

  static Options options(const Command& command) {
    return options_of<Options>(command, "--variant", parse_ghsvd_variant);
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.f, command.g, command.signs}; }
  static std::variant<GhsvdProblem<double>, GhsvdProblem<std::complex<double>>> read(const Command& command) {
    IndefinitePair input = read_pair_and_signs(command);
    return std::visit(
        [&]<class T>(Pair<T>& pair) -> std::variant<GhsvdProblem<double>, GhsvdProblem<std::complex<double>>> {
          return GhsvdProblem<T>{std::move(pair.F), std::move(pair.G), std::move(input.J), std::move(pair.provenance)};
        },
        input.pair);
  }

  template <class T>
  static SolutionFacts facts(const GhsvdProblem<T>& problem, const Options&, const GhsvdResult<T>& result,
                             const Metrics& metrics, bool by_variant) {
    const std::vector<double>& lambda = result.eigenvalues;
    const bool reduced = result.tangent_bits > 0;
    const Index vague = metrics.undetermined.value_or(0);
    return {
        {{"m_f", "rows of F", ColumnKind::integer, count(problem.F.rows())},
         {"m_g", "rows of G", ColumnKind::integer, count(problem.G.rows())},
         {"n", "n", ColumnKind::integer, count(problem.F.cols())},
         {"positive", "+", ColumnKind::integer, count(result.inertia.positive)},
         {"negative", "-", ColumnKind::integer, count(result.inertia.negative)},
         {"zero", "0", ColumnKind::integer, count(result.inertia.zero)},
         {"largest", "max lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.front())},
         {"least", "min lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.back())},
         {"sweeps", "sweeps", ColumnKind::integer, by_variant ? count(std::ssize(result.sweeps)) : Cell()},
         {"tangent_bits", "T bits", ColumnKind::integer, reduced ? count(result.tangent_bits) : Cell()},
         {"factored_on", "T on", ColumnKind::text, reduced ? Cell(std::string(to_string(result.factored_on))) : Cell()},
         {"factor_s", "factor s", ColumnKind::seconds, by_variant ? Cell(result.factor_seconds) : Cell()}},
        joined({facts_of(metric_rows(), metrics, {"largest_estimate", "undetermined"}),
                accuracy_fact(vague, fmt::format("{} eigenvalue{} zero or not determined, sign included", vague,
                                                 vague == 1 ? " is" : "s are")),
                facts_of(metric_rows(), metrics,
                         {"residual", "residual_ratio", "residual_f", "residual_g", "orthogonality",
                          "orthogonality_ratio", "j_orthogonality", "j_orthogonality_ratio", "precision"})})};
  }
  template <class T>
  static void write(const std::string& file, const GhsvdResult<T>& result,
                    const std::map<std::string, std::string>& attributes) {
    write_ghsvd(file, result, attributes);
  }

  static std::shared_ptr<const CommandDescription> solve_command() {
    const auto command =
        std::make_shared<Command>(Command{{.variant = to_string(GhsvdVariant{}), .max_sweeps = Options{}.max_sweeps}});
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Eigenvalues of (F* J F, G* G) with error estimates, from F, G and J",
        .options =
            {{"F", &command->f,
              "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "", true},
             {"G", &command->g, "The other matrix, of full column rank; left out when F is a pair"},
             {"--signs", &command->signs, "Vector of 1 and -1, one for each row of F (default: all 1)", "J"},
             {"--pencil", &command->pencil,
              "The matrices are Hermitian H and positive definite S: H c = E S c, with the vectors c = z/sigma_G"},
             hdf5_output_option(command->output, "eigenvalues, J', U, V, Z, error estimates"),
             force_option(command->force),
             {"--variant", &command->variant, "Variant (pivotlab list variants)", "NAME"},
             baseline_option(command->baseline, {"--variant", "--backend", "--max-sweeps"}),
             max_sweeps_option(command->max_sweeps),
             backend_option(command->backend),
             threads_option(command->threads)},
        .notes = "F Z = U Sigma_F, U^* J U = J', G Z = V Sigma_G, V^* V = I and Sigma_F^2 + Sigma_G^2 = I; the "
                 "eigenvalues are\n"
                 "J' Sigma_F^2 / Sigma_G^2. Relative errors are small for graded rows and columns of F and G; the "
                 "estimates say\n"
                 "where they are not.",
        .examples = {"F.mtx G.mtx --signs J.mtx -o out.h5", "pair.h5 --signs J.mtx --format json",
                     "H.mtx S.mtx --pencil", "F.mtx G.mtx --signs J.mtx --variant GHSVD-HZ-ME-PT",
                     "F.mtx G.mtx --baseline 'lapack:?sygvd'"},
        .run = [command] { return run_solve<GhsvdExperiment>(*command); }});
  }

  static std::shared_ptr<const CommandDescription> generate_command() {
    const auto command = generate_command_of("random", "third");
    std::vector<CommandOption> options = generate_pair_options(*command);
    std::ranges::move(signs_options(*command, "File for the signs J of the rows of F (.mtx)"),
                      std::back_inserter(options));
    return std::make_shared<CommandDescription>(CommandDescription{
        .title = "Pair (F, G), and signs of the rows of F",
        .options = std::move(options),
        .examples = {"'two-sided;columns_f=random;g=4' -n 32 --m-f 64 -o pair.h5 --signs-output J.mtx",
                     "neutral -n 32 --m-f 64 -o pair.mtx --signs halves --signs-output J.mtx"},
        .run = [command] { return run_generate(kind(), *command); }});
  }

 private:
  /// Reads F, G and J, or factors H and S.
  static IndefinitePair read_pair_and_signs(const Command& command) {
    AnyPair pair = read_input_pair(command.f, command.g);
    return std::visit(
        [&]<class T>(Pair<T>& given) -> IndefinitePair {
          if (command.pencil) {
            if (!command.signs.empty()) throw InputError("--signs: belongs to F, and --pencil gives H; leave one out");
            IndefinitePair result = indefinite_pair(AnyMatrix(std::move(given.F)), AnyMatrix(std::move(given.G)));
            std::visit([&](auto& made) { made.provenance = "H and S of " + given.provenance; }, result.pair);
            return result;
          }
          std::vector<int> J = read_signs(command.signs, given.F.rows(), fmt::format("F has {} rows", given.F.rows()));
          return {std::move(given), std::move(J)};
        },
        pair);
  }
};

}  // namespace

const Method& ghsvd_method() {
  static const MethodOf<GhsvdExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
