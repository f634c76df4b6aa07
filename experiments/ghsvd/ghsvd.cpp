// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/papers.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>
#include <experiments/gsvd/pair_files.hpp>
#include <experiments/own/results.hpp>
#include <experiments/problems/sign_file.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {
namespace {

using GhsvdCase = VariantCase<GhsvdVariant>;  ///< with m_g ≥ n

// Time and memory of a case.

/// Seconds per (m_F + m_G)·n² on one core, measured at n = 256 and 512 with m_F = m_G = 2n; for the iterations, per
/// sweep and (rows)·n². Parallel work is divided by the threads.
constexpr double reduction_and_vectors = 2e-9, factor_in_quad = 1.7e-8, factor_in_double = 5e-10, one_sweep = 1.3e-9,
                 by_lapack = 1e-9;
constexpr double true_values = 1.2e-6, judge_in_quad = 1e-7, judge_in_double_double = 1e-8;
constexpr double as_emulated = 300;  // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per n³ and per n of a sweep on a GPU, with W, as for the eigensolver; other steps count as two sweeps.
constexpr double gpu_sweep = 5e-13, gpu_latency = 3e-6;

double expected_solve_seconds(const GhsvdCase& wanted, double size) {
  if (!wanted.variant) return by_lapack * size / wanted.threads;
  const double n = static_cast<double>(wanted.n), sweeps = 5 + 0.5 * std::log2(n + 1);
  if (wanted.variant->method == GhsvdMethod::hari_zimmermann)
    return 2 * sweeps * one_sweep * (size + n * n * n) / wanted.threads;
  const bool extended = wanted.variant->precision == TangentPrecision::extended;
  const double in_quad = extended ? factor_in_quad * size / wanted.threads : 0;  // on every backend by the host
  if (wanted.on_gpu()) return in_quad + (sweeps + 2) * (gpu_sweep * size + gpu_latency * n);
  const double slowdown = wanted.backend == "emulation" ? as_emulated : 1;
  const double factor = extended ? 0 : factor_in_double * size;
  return in_quad +
         (reduction_and_vectors * size + slowdown * (factor + sweeps * one_sweep * n * n * n)) / wanted.threads;
}

Estimate estimate_ghsvd(const GhsvdCase& wanted) {
  const double n = static_cast<double>(wanted.n),
               rows = static_cast<double>(wanted.m_f) + static_cast<double>(wanted.m_g);
  const double size = rows * n * n * (wanted.type == ScalarType::z ? 3 : 1);
  const bool quad = std::max(wanted.m_f, wanted.m_g) <= quad_judgement_limit;
  Estimate estimate;
  if (wanted.n <= ghsvd_truth_order) estimate.generate_s = true_values * size / default_threads();
  estimate.solve_s = expected_solve_seconds(wanted, size);
  estimate.judge_s = (quad ? judge_in_quad : judge_in_double_double) * size / default_threads();
  // F, G and their copies, U, V, Z, T in double-double; the judge's products and slices of them.
  const double bytes = wanted.type == ScalarType::z ? 16 : 8;
  estimate.bytes = bytes * (rows + n) * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = bytes * n * (4 * rows + 15 * n);
  return estimate;
}

template <class T>
struct GhsvdProblem {
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

  static constexpr auto kind = pairs;
  static constexpr auto names = ghsvd_names;
  static constexpr auto parse = parse_ghsvd_variant;
  static constexpr auto baselines = list_ghsvd_baselines;
  static constexpr auto estimate = estimate_ghsvd;
  static constexpr auto problem_rows = ghsvd_problem_rows;
  static constexpr auto convergence_rows = ghsvd_convergence_rows;
  static constexpr auto metric_rows = ghsvd_metric_rows;

  static std::vector<std::string_view> papers() {
    return {papers::drmac_1998, papers::singer_2020, papers::slapnicar_2003};
  }
  static std::vector<GeneratorInfo> generators() {
    std::vector<GeneratorInfo> kinds = list_pair_generators();
    for (GeneratorInfo& kind : kinds)
      std::erase_if(kind.options, [](const auto& option) { return option.name == "truth"; });  // of σ
    return kinds;
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

  static void read_axes(const experiments::Case&, const Case& read) {
    if (!read.is_from_files() && read.generator.find("truth=") != std::string::npos)
      throw InputError("generator: option truth: it is about sigma, which this decomposition does not have; omit it");
    if (read.m_g < read.n)
      throw InputError(fmt::format("{}: G is {} x {}, with fewer rows than columns; its columns must be independent",
                                   read.is_from_files() ? "generator" : "m_g", read.m_g, read.n));
  }

  template <class T>
  static GhsvdProblem<T> problem(Pair<T> pair, const Case& wanted) {
    std::vector<int> J = generate_signs(wanted.signs, wanted.m_f, wanted.seed);
    GhsvdTruth truth = ghsvd_truth(pair.F, pair.G, J);
    return {std::move(pair.F), std::move(pair.G), std::move(J),
            fmt::format("{}, signs {}", pair.provenance, wanted.signs), std::move(truth)};
  }
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
  static GhsvdResult<T> own_result(const GhsvdProblem<T>& problem, const OwnAnswer& answer) {
    return own_ghsvd<T>(answer, problem.F.rows(), problem.G.rows(), problem.F.cols());
  }
  static bool has_factors(const auto&, const auto& result) { return result.status != Status::failed; }
  static Metrics judge(const auto& problem, const Options&, const auto& result, const JudgeOptions& options) {
    return judge_ghsvd(problem.F, problem.G, problem.J, problem.truth, result, options);
  }

  static GhsvdProblemFacts problem_facts(const auto& problem) {
    GhsvdProblemFacts facts{.provenance = problem.provenance,
                            .norm_f = frobenius_norm(problem.F),
                            .norm_g = frobenius_norm(problem.G),
                            .negative_signs = std::ranges::count(problem.J, -1)};
    std::vector<double> moduli;
    for (const Quad& x : problem.truth.eigenvalues) moduli.push_back(std::abs(static_cast<double>(x)));
    if (!moduli.empty())
      facts.smallest_eigenvalue = std::ranges::min(moduli), facts.largest_eigenvalue = std::ranges::max(moduli);
    return facts;
  }
  static GhsvdConvergence convergence(const auto&, const Options&, const auto& result) {
    return GhsvdConvergence(result);
  }

  // The command `solve`.

  struct Command : SolveCommand {
    std::string f = {}, g = {}, signs = {};
    bool pencil = false;
  };

  static std::vector<std::string> inputs(const Command& command) { return {command.f, command.g, command.signs}; }
  static AnyPair read(const Command& command) { return read_input_pair(command.f, command.g); }
  /// With --pencil, the pair is H and S, which are factored.
  template <class T>
  static GhsvdProblem<T> problem(Pair<T> pair, const Command& command) {
    std::vector<int> J;
    if (command.pencil) {
      if (!command.signs.empty()) throw InputError("--signs: belongs to F, and --pencil gives H; leave one out");
      IndefinitePair factored = indefinite_pair(std::move(pair.F), std::move(pair.G));
      pair.F = std::move(std::get<Pair<T>>(factored.pair).F), pair.G = std::move(std::get<Pair<T>>(factored.pair).G);
      pair.provenance = "H and S of " + pair.provenance;
      J = std::move(factored.J);
    } else {
      J = read_signs(command.signs, pair.F.rows(), fmt::format("F has {} rows", pair.F.rows()));
    }
    return {std::move(pair.F), std::move(pair.G), std::move(J), std::move(pair.provenance)};
  }

  static SolutionFacts facts(const auto& judged) {
    const auto& [F, G, J, provenance, truth] = judged.problem;
    const auto& result = judged.result;
    const Metrics& metrics = judged.metrics;
    const std::vector<double>& lambda = result.eigenvalues;
    const bool reduced = result.tangent_bits > 0;
    const Index vague = metrics.undetermined.value_or(0);
    return {
        {{"m_f", "rows of F", ColumnKind::integer, count(F.rows())},
         {"m_g", "rows of G", ColumnKind::integer, count(G.rows())},
         {"n", "n", ColumnKind::integer, count(F.cols())},
         {"positive", "+", ColumnKind::integer, count(result.inertia.positive)},
         {"negative", "-", ColumnKind::integer, count(result.inertia.negative)},
         {"zero", "0", ColumnKind::integer, count(result.inertia.zero)},
         {"largest", "max lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.front())},
         {"least", "min lambda", ColumnKind::scientific, lambda.empty() ? Cell() : Cell(lambda.back())},
         {"sweeps", "sweeps", ColumnKind::integer, judged.by_variant ? count(std::ssize(result.sweeps)) : Cell()},
         {"tangent_bits", "T bits", ColumnKind::integer, reduced ? count(result.tangent_bits) : Cell()},
         {"factored_on", "T on", ColumnKind::text, reduced ? Cell(std::string(to_string(result.factored_on))) : Cell()},
         {"factor_s", "factor s", ColumnKind::seconds, judged.by_variant ? Cell(result.factor_seconds) : Cell()}},
        joined({facts_of(metric_rows(), metrics, {"largest_estimate", "undetermined"}),
                accuracy_fact(vague, fmt::format("{} eigenvalue{} zero or not determined, sign included", vague,
                                                 vague == 1 ? " is" : "s are")),
                facts_of(metric_rows(), metrics,
                         {"residual", "residual_ratio", "residual_f", "residual_g", "orthogonality",
                          "orthogonality_ratio", "j_orthogonality", "j_orthogonality_ratio", "precision"})})};
  }
  static void write(const std::string& file, const auto& judged, const Attributes& attributes) {
    write_ghsvd(file, judged.result, attributes);
  }

  static CommandDescription describe(Command& command) {
    return {.title = "Eigenvalues of (F* J F, G* G) with error estimates, from F, G and J",
            .options =
                {{"F", &command.f,
                  "Matrix Market (.mtx, .mtx.gz), HDF5 (a.h5 or a.h5:/dataset), or a pair in one HDF5 file", "", true},
                 {"G", &command.g, "The other matrix, of full column rank; left out when F is a pair"},
                 {"--signs", &command.signs, "Vector of 1 and -1, one for each row of F (default: all 1)", "J"},
                 {"--pencil", &command.pencil,
                  "The matrices are Hermitian H and positive definite S: H c = E S c, with the vectors c = z/sigma_G"},
                 hdf5_output_option(command.output, "eigenvalues, J', U, V, Z, error estimates"),
                 force_option(command.force),
                 {"--variant", &command.variant, "Variant (pivotlab list variants)", "NAME"},
                 baseline_option(command.baseline, {"--variant", "--backend", "--max-sweeps"}),
                 max_sweeps_option(command.max_sweeps),
                 backend_option(command.backend),
                 threads_option(command.threads)},
            .notes =
                "F Z = U Sigma_F, U^* J U = J', G Z = V Sigma_G, V^* V = I and Sigma_F^2 + Sigma_G^2 = I; the "
                "eigenvalues are\n"
                "J' Sigma_F^2 / Sigma_G^2. Relative errors are small for graded rows and columns of F and G; the "
                "estimates say\n"
                "where they are not.",
            .examples = {"F.mtx G.mtx --signs J.mtx -o out.h5", "pair.h5 --signs J.mtx --format json",
                         "H.mtx S.mtx --pencil", "F.mtx G.mtx --signs J.mtx --variant GHSVD-HZ-ME-PT",
                         "F.mtx G.mtx --baseline 'lapack:?sygvd'"}};
  }

  static GenerateTexts generate() {
    return {.title = "Pair (F, G), and signs of the rows of F",
            .generator = "random",
            .signs = "third",
            .examples = {"'two-sided;columns_f=random;g=4' -n 32 --m-f 64 -o pair.h5 --signs-output J.mtx",
                         "neutral -n 32 --m-f 64 -o pair.mtx --signs halves --signs-output J.mtx"}};
  }
};

}  // namespace

const Method& ghsvd_method() {
  static const MethodOf<GhsvdExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
