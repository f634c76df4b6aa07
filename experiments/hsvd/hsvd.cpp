// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/papers.hpp>
#include <experiments/common/refine_rows.hpp>
#include <experiments/common/sweep_rows.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/probing.hpp>
#include <experiments/own/results.hpp>
#include <experiments/problems/sign_file.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pivotlab::experiments {
namespace {

using HsvdCase = VariantCase<HsvdVariant>;

// Time and memory of a case.

/// Seconds per m·n² on one core; for a variant, per m·n² and sweep. Parallel work is divided by the cores.
constexpr double prescribed_values = 1.5e-7, true_values = 3e-6, one_sweep = 1.3e-9, by_lapack = 5e-9;
constexpr double judge_in_quad = 1e-7, judge_in_double_double = 6e-9;
constexpr double judge_with_probes = 1.4e-6;  // per m·n
constexpr double as_emulated = 300;           // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per m·n² and per n of a sweep on a GPU: supposed, twice the floor and 3 µs per column; none has been
/// measured.
constexpr double sweep_on_gpu = 3.5e-13, latency_on_gpu = 3e-6;
/// Seconds per m·n² and per m·n on an H200, measured as parts of the GSVD's baselines.
constexpr double polar_on_gpu = 2.4e-12, jacobi_on_gpu = 1e-10, latency_of_cusolver = 3e-8;

double expected_solve_seconds(const HsvdCase& wanted, double size) {
  const double n = static_cast<double>(wanted.n);
  if (wanted.backend == "cusolver")
    return (wanted.solver.ends_with("vdj") ? jacobi_on_gpu : polar_on_gpu) * size + latency_of_cusolver * size / n;
  if (!wanted.variant) return by_lapack * size;
  const double sweeps = 5 + 0.5 * std::log2(n + 1);
  if (wanted.on_gpu()) return sweeps * (sweep_on_gpu * size + latency_on_gpu * n);
  return (wanted.backend == "emulation" ? as_emulated : 1) * sweeps * one_sweep * size / wanted.threads;
}

double judge_seconds(double m, double n) {
  if (m > jacobi_judgement_limit) return judge_with_probes * m * n;
  return (m <= quad_judgement_limit ? judge_in_quad : judge_in_double_double) * m * n * n;
}

Estimate estimate_hsvd(const HsvdCase& wanted) {
  const double m = static_cast<double>(wanted.m), n = static_cast<double>(wanted.n);
  const double bytes = wanted.type == ScalarType::z ? 16 : 8, size = m * n * n;
  const double scaled_size = size * (wanted.type == ScalarType::z ? 3 : 1);
  const bool quad = wanted.m <= quad_judgement_limit;
  Estimate estimate;
  if (wanted.generator.starts_with("spectrum")) estimate.generate_s = prescribed_values * size / default_threads();
  if (wanted.m <= hsvd_truth_rows) estimate.generate_s += true_values * scaled_size;
  estimate.solve_s = expected_solve_seconds(wanted, scaled_size);
  estimate.judge_s = judge_seconds(m, n) / default_threads();
  // G and its copies, U, V; the judge's products in extended precision and slices of them.
  estimate.bytes = bytes * m * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = bytes * m * n * 6;
  return estimate;
}

// The sections of records as tables of rows, and what they are written from.

using enum NumberFormat;

/// Holds the facts about a matrix and its signs that its record states.
struct HsvdProblemFacts {
  std::string provenance;
  double norm_f = 0;
  std::int64_t negative_signs = 0;                                ///< in J
  std::optional<double> smallest_sigma = {}, largest_sigma = {};  ///< true ones
};

/// Holds what a record states of a run of a variant.
struct HsvdConvergence {
  std::vector<HsvdSweep> sweeps;
  std::optional<RefineReport> refinement;
};

const Rows<HsvdProblemFacts>& hsvd_problem_rows() {
  using P = HsvdProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or file").hidden(),
      row(&P::norm_f, "norm_f", "norm G", scientific, "‖G‖_F").precision("double"),
      row(&P::negative_signs, "negative_signs", "signs -", plain, "Elements −1 of J"),
      row(&P::smallest_sigma, "smallest_sigma", "min sigma", scientific, "min_j true σ_j, up to m = 128")
          .precision("quad"),
      row(&P::largest_sigma, "largest_sigma", "max sigma", scientific, "max_j true σ_j, up to m = 128")
          .precision("quad")};
  return rows;
}

const Rows<HsvdConvergence>& hsvd_convergence_rows() {
  using C = HsvdConvergence;
  static const Rows<C> rows = joined<C>(
      {{computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", NumberFormat::plain, "Sweeps")
            .shown()},
       sweep_counter_rows<C>(),
       {refinement_row<C>()}});
  return rows;
}

// The experiment.

constexpr std::string_view automatic = "auto";  ///< the variant that keeps the digits of (G, J)

template <class T>
struct HsvdProblem {
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

  static constexpr auto kind = rectangulars;
  static constexpr auto names = hsvd_names;
  static constexpr auto baselines = list_svd_baselines;
  static constexpr auto estimate = estimate_hsvd;
  static constexpr auto problem_rows = hsvd_problem_rows;
  static constexpr auto convergence_rows = hsvd_convergence_rows;
  static constexpr auto metric_rows = hsvd_metric_rows;

  static std::vector<std::string_view> papers() {
    return {papers::slapnicar_2003, papers::veselic_1993,   papers::hari_2010,
            papers::hari_2014,      papers::novakovic_2011, papers::drmac_veselic_2008};
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
            threads_axis_info(),
            batch_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"-n 64 --generator 'graded;g={2,4,6}' --baseline lapack:dgesvj,lapack:dgejsv,lapack:dgesdd",
            "-n 64,128,256 --solver 'HSVD-ME-{PT,FB,BO}{,;qrp}'",
            "-n 32 --generator 'parallel;gap={1e-2,1e-4}' --signs halves",
            "-n 100 --m 2n --generator 'two-sided;g=8' --format csv"};
  }

  static void read_axes(const experiments::Case&, const Case& read) {
    if (read.signs != "positive" && (!read.variant || read.variant->qrp || read.variant->exact || read.variant->refine))
      throw InputError(fmt::format("solver: {} computes singular values, and J has signs -1; take the signs 'positive'",
                                   read.solver));
  }

  template <class T>
  static HsvdProblem<T> problem(Matrix<T> G, const Case& wanted) {
    std::vector<int> J = generate_signs(wanted.signs, wanted.n, wanted.seed);
    HsvdTruth truth = hsvd_truth(G, J);
    return {std::move(G), std::move(J),
            fmt::format("{}, seed {}, signs {}", wanted.generator, wanted.seed, wanted.signs), std::move(truth)};
  }
  static void read_options(const auto&, Options& options) { options.compute_v = true; }
  template <class T>
  static HsvdResult<T> solve(const HsvdProblem<T>& problem, const Options& options) {
    return hsvd<T>(problem.G, problem.J, options);
  }
  template <class T>
  static HsvdResult<T> solve_by_baseline(const HsvdProblem<T>& problem, const std::string& name,
                                         const Options& options) {
    return solve_svd_with_baseline<T>(name, problem.G, options.threads);
  }
  static void require_batch(const Case& wanted) { require_batch_variant(wanted, "HSVD-ME-PT"); }
  template <class T>
  static auto solve_batch(const std::vector<const HsvdProblem<T>*>& problems, const Options& options,
                          BatchArrays& arrays) {
    const auto at = [&](Index k) -> const HsvdProblem<T>& { return *problems[k]; };
    const auto G = arrays.given<T>([&](Index k) { return at(k).G.view(); });
    const auto* const J = arrays.given_numbers<int>(G.cols, [&](Index k, int* to) { std::ranges::copy(at(k).J, to); });
    const HsvdBatch<T> batch{.sigma = arrays.numbers<double>(G.cols),
                             .J = arrays.numbers<int>(G.cols),
                             .estimate = arrays.numbers<double>(G.cols),
                             .U = arrays.matrices<T>(G.rows, G.cols),
                             .V = arrays.matrices<T>(G.cols, G.cols),
                             .status = arrays.status()};
    arrays.run([&] { hsvd_batch<T>(G, J, batch, {arrays.options(), options.max_sweeps}); });
    return [&arrays, batch](Index k) {
      HsvdResult<T> result;
      result.sigma = arrays.values(batch.sigma, k);
      result.J = arrays.values(batch.J, k);
      result.estimate = arrays.values(batch.estimate, k);
      result.U = arrays.matrix(batch.U, k), result.V = arrays.matrix(batch.V, k);
      return result;
    };
  }
  template <class T>
  static HsvdResult<T> own_result(const HsvdProblem<T>& problem, const OwnAnswer& answer) {
    return own_hsvd<T>(answer, problem.G.rows(), problem.J);
  }
  static bool has_factors(const auto&, const auto& result) {
    return !result.sigma.empty() || result.status == Status::passed;
  }
  static Metrics judge(const auto& problem, const Options&, const auto& result, const JudgeOptions& options) {
    return judge_hsvd(problem.G, problem.J, problem.truth, result, options);
  }

  static HsvdProblemFacts problem_facts(const auto& problem) {
    HsvdProblemFacts facts{.provenance = problem.provenance,
                           .norm_f = frobenius_norm(problem.G),
                           .negative_signs = std::ranges::count(problem.J, -1)};
    if (!problem.truth.sigma.empty()) {
      const auto [least, most] = std::ranges::minmax_element(problem.truth.sigma);
      facts.smallest_sigma = static_cast<double>(*least), facts.largest_sigma = static_cast<double>(*most);
    }
    return facts;
  }
  static HsvdConvergence convergence(const auto&, const Options& options, const auto& result) {
    return {result.sweeps, report_of(options.variant, result)};
  }

  // The command `solve`.

  struct Command : SolveCommand {
    Command() { variant = automatic; }
    std::string matrix = {}, signs = {};
  };

  static HsvdVariant variant_of(const Command& command) {
    if (command.variant == automatic) return {};
    return with_option_context("--variant", [&] { return parse_hsvd_variant(command.variant); });
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix, command.signs}; }
  static AnyMatrix read(const Command& command) { return read_matrix(command.matrix); }
  template <class T>
  static HsvdProblem<T> problem(Matrix<T> G, const Command& command) {
    std::vector<int> J =
        read_signs(command.signs, G.cols(), fmt::format("{} has {} columns", command.matrix, G.cols()));
    if (!command.baseline.empty() && std::ranges::count(J, -1) > 0)
      throw InputError("--baseline: LAPACK has no hyperbolic decomposition; leave out --signs");
    return {std::move(G), std::move(J), command.matrix};
  }
  template <class T>
  static void complete(const Command& command, const HsvdProblem<T>& problem, Options& options) {
    if (command.variant == automatic)
      options.variant = choose_hsvd_variant<T>(problem.G, problem.J, options.backend, options.threads);
  }

  static SolutionFacts facts(const auto& judged) {
    const auto& [G, J, provenance, truth] = judged.problem;
    const auto& result = judged.result;
    const Metrics& metrics = judged.metrics;
    const auto extreme = [&](auto find) { return result.sigma.empty() ? Cell() : Cell(*find(result.sigma)); };
    const Index vague = metrics.undetermined.value_or(0);
    return {{{"m", "m", ColumnKind::integer, count(G.rows())},
             {"n", "n", ColumnKind::integer, count(G.cols())},
             {"positive", "+", ColumnKind::integer, count(std::ranges::count(result.J, 1))},
             {"negative", "-", ColumnKind::integer, count(std::ranges::count(result.J, -1))},
             {"largest", "max sigma", ColumnKind::scientific, extreme(std::ranges::max_element)},
             {"least", "min sigma", ColumnKind::scientific, extreme(std::ranges::min_element)},
             {"sweeps", "sweeps", ColumnKind::integer, judged.by_variant ? count(std::ssize(result.sweeps)) : Cell()}},
            joined({facts_of(metric_rows(), metrics, {"largest_estimate", "undetermined"}),
                    accuracy_fact(
                        vague, fmt::format("{} singular value{} not determined", vague, vague == 1 ? " is" : "s are")),
                    facts_of(metric_rows(), metrics,
                             {"residual", "residual_ratio", "orthogonality", "orthogonality_ratio", "j_orthogonality",
                              "j_orthogonality_ratio", "precision"})})};
  }
  static void write(const std::string& file, const auto& judged, const Attributes& attributes) {
    if (!judged.result.sigma.empty()) write_hsvd(file, judged.result, attributes);
  }

  static CommandDescription describe(Command& command) {
    return {
        .title = "Singular values and vectors, ordinary or hyperbolic, with error estimates",
        .options = {{"G", &command.matrix, "Matrix Market (.mtx, .mtx.gz) or HDF5 (g.h5 or g.h5:/dataset)", "", true},
                    {"--signs", &command.signs, "Vector of 1 and -1, one for each column of G (default: all 1)", "J"},
                    hdf5_output_option(command.output, "sigma, J, U, V, error estimates"),
                    force_option(command.force),
                    {"--variant", &command.variant,
                     "Variant (pivotlab list variants); auto: HSVD-ME-BO, with qrp where rows differ in size and J = I",
                     "NAME"},
                    baseline_option(command.baseline, {"--variant", "--backend", "--max-sweeps"}),
                    max_sweeps_option(command.max_sweeps),
                    backend_option(command.backend),
                    threads_option(command.threads)},
        .notes =
            "G V = U Sigma, V^* J V = J'; with fewer rows than columns, for J = I, sigma and the columns of U and V "
            "are as\n"
            "many as rows. Relative errors of all sigma are small for G = B D with any diagonal D and "
            "well-conditioned B,\n"
            "with qrp also for G = D B, and with exact for dense G; the estimates say where they are not.",
        .examples = {"G.mtx -o out.h5", "G.h5 --signs J.mtx --format json", "G.mtx.gz --variant 'HSVD-ME-BO;qrp'",
                     "G.mtx --baseline 'lapack:?gesvj'"}};
  }

  static GenerateTexts generate() {
    return {.title = "Matrix with at least as many rows as columns, and signs of the columns",
            .generator = "random",
            .signs = "halves",
            .examples = {"'graded;g=8' -n 64 -m 100 -o G.mtx",
                         "'parallel;gap=1e-4' -n 32 -o G.mtx --signs halves --signs-output J.mtx"}};
  }
};

}  // namespace

const Method& hsvd_method() {
  static const MethodOf<HsvdExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
