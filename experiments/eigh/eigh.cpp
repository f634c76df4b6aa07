// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/papers.hpp>
#include <experiments/common/refine_rows.hpp>
#include <experiments/common/sweep_rows.hpp>
#include <experiments/eigh/eigh.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/ldlt/symmetric_files.hpp>
#include <experiments/metrics/probing.hpp>
#include <experiments/own/results.hpp>
#include <experiments/problems/symmetrics.hpp>
#include <kernels/two_stage/shared/eigensolver.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/device_eigh.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {
namespace {

using EighCase = VariantCase<EighVariant>;

// Time and memory of a case.

/// Seconds per n³ on one core; for a variant, per n³ and sweep. Parallel work is divided by the cores.
constexpr double prescribed = 1.5e-7, truth = 1e-6, sweep = 1e-9, lapack = 3e-9;
constexpr double judge_quad = 1e-7, judge_double_double = 6e-9;
constexpr double judge_by_probes = 1e-6, entry = 3e-8;  // per n²; all generators without prescribed eigenvalues
constexpr double emulation = 300;  // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per n³ and per n of a sweep on a GPU: supposed, twice the floor and 3 µs per column; none has been measured.
constexpr double gpu_sweep = 3.5e-13, gpu_latency = 3e-6;
/// Seconds per n³ on an H200: of xSYEVD measured at n = 9728, of xSYEVJ supposed as those of xGESVDJ; and per n².
constexpr double cusolver_direct = 9e-13, cusolver_jacobi = 1e-10, cusolver_latency = 3e-8;
/// Seconds per n³ and per n of HEV-2STAGE, measured on an H200 from n = 1024 to 9728; emulated per n³ on one core.
constexpr double two_stage = 3.1e-13, two_stage_latency = 9e-6, two_stage_emulated = 1.5e-7;

double solve_seconds(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n * (wanted.type == ScalarType::z ? 3 : 1);
  if (wanted.backend == "cusolver")
    return (wanted.solver.ends_with("evj") ? cusolver_jacobi : cusolver_direct) * cube + cusolver_latency * n * n;
  if (!wanted.variant) return lapack * cube;
  if (is_two_stage(*wanted.variant))
    return wanted.on_gpu() ? two_stage * cube + two_stage_latency * n : two_stage_emulated * cube;
  const double sweeps = wanted.variant->spectral ? 2 : 5 + 0.5 * std::log2(n + 1);
  if (wanted.on_gpu()) {
    const double preconditioner = wanted.variant->spectral ? cusolver_direct * cube + cusolver_latency * n * n : 0;
    return preconditioner + sweeps * (gpu_sweep * cube + gpu_latency * n);
  }
  return (wanted.backend == "emulation" ? emulation : 1) * sweeps * sweep * cube / wanted.threads;
}

bool prescribes_eigenvalues(const EighCase& wanted) {
  return is_slow_symmetric(wanted) || wanted.generator.starts_with("quasidefinite") ||
         wanted.generator.find("core=conditioned") != std::string::npos;
}

double judge_seconds(double n) {
  if (n > jacobi_judgement_limit) return judge_by_probes * n * n;
  return (n <= quad_judgement_limit ? judge_quad : judge_double_double) * n * n * n;
}

/// Returns the bytes of a plan; those of the largest one for orders that are refused.
std::size_t two_stage_bytes(ScalarType type, Index n) {
  const Index order = std::clamp<Index>(n, 1, two_stage::most_rows);
  const EighOptions options{.variant = {.pivoting = Pivoting::none}};
  return type == ScalarType::z ? DeviceEigh<std::complex<double>>::workspace_bytes(order, options)
                               : DeviceEigh<double>::workspace_bytes(order, options);
}

Estimate estimate_eigh(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n;
  const bool quad = wanted.n <= quad_judgement_limit;
  Estimate estimate;
  estimate.generate_s = prescribes_eigenvalues(wanted) ? prescribed * cube / default_threads() : entry * n * n;
  if (wanted.n <= eigh_truth_order) estimate.generate_s += truth * cube * (wanted.type == ScalarType::z ? 3 : 1);
  estimate.solve_s = solve_seconds(wanted);
  estimate.judge_s = judge_seconds(n) / default_threads();
  // A and its copies, G, V, U; the judge's products in extended precision and slices of them.
  estimate.bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * 8;
  if (wanted.on_gpu() && wanted.variant && is_two_stage(*wanted.variant))
    estimate.gpu_bytes = static_cast<double>(two_stage_bytes(wanted.type, wanted.n));
  return estimate;
}

// The sections of records as tables of rows, and what they are written from.

using enum NumberFormat;

/// Holds the facts about a matrix that its record states.
struct EighProblemFacts {
  std::string provenance;
  double norm_f = 0;
  std::optional<double> smallest_eigenvalue = {}, largest_eigenvalue = {};  ///< true moduli
};

/// Holds what a record states of a run of a variant.
struct EighConvergence {
  Index rank = 0;
  SpectralReport spectral;
  std::vector<HsvdSweep> sweeps;
  std::optional<RefineReport> refinement;
  double factor_seconds = 0, spectral_seconds = 0, sweep_seconds = 0;

  template <class T>
  EighConvergence(const EighVariant& variant, const EighResult<T>& r)
      : rank(r.rank),
        spectral(r.spectral),
        sweeps(r.sweeps),
        refinement(report_of(variant, r)),
        factor_seconds(r.factor_seconds),
        spectral_seconds(r.spectral_seconds),
        sweep_seconds(r.sweep_seconds) {}
};

const Rows<EighProblemFacts>& eigh_problem_rows() {
  using P = EighProblemFacts;
  static const Rows<P> rows = {row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
                               row(&P::norm_f, "norm_f", "norm A", scientific, "‖A‖_F").precision("double"),
                               row(&P::smallest_eigenvalue, "smallest_eigenvalue", "min |lambda|", scientific,
                                   "min_j |true λ_j| of the stored matrix, up to n = 128")
                                   .precision("quad"),
                               row(&P::largest_eigenvalue, "largest_eigenvalue", "max |lambda|", scientific,
                                   "max_j |true λ_j| of the stored matrix, up to n = 128")
                                   .precision("quad")};
  return rows;
}

const Rows<EighConvergence>& eigh_convergence_rows() {
  using C = EighConvergence;
  static const Rows<C> rows = joined<C>(
      {{computed<C>([](const C& c) { return std::ssize(c.sweeps); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
        row(&C::rank, "rank", "rank", plain, "Columns of G in A = G·J·G*")},
       sweep_counter_rows<C>(),
       {computed<C>([](const C& c) { return c.spectral.used; }, "spectral_used", "spectral", plain,
                    "Whether the spectral preconditioner was used"),
        computed<C>([](const C& c) { return c.spectral.refusal; }, "spectral_refusal", "refusal", plain,
                    "Why it was not used although the variant has it; otherwise empty"),
        computed<C>([](const C& c) { return c.spectral.defect; }, "spectral_defect", "defect", scientific,
                    "max|V₀*·J·V₀ − J'| of the preconditioner before its Newton steps")
            .precision("double"),
        computed<C>([](const C& c) { return c.spectral.newton_steps; }, "spectral_newton_steps", "Newton steps", plain,
                    "Newton steps that made the preconditioner J-unitary"),
        row(&C::factor_seconds, "factor_seconds", "factor s", seconds, "Time of A = G·J·G*").unit("s"),
        row(&C::spectral_seconds, "spectral_seconds", "spectral s", seconds, "Time of the preconditioner").unit("s"),
        row(&C::sweep_seconds, "sweep_seconds", "sweeps s", seconds, "Time of the sweeps").unit("s"),
        refinement_row<C>()}});
  return rows;
}

// The experiment.

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

  static std::vector<std::string_view> papers() {
    return {papers::slapnicar_2003, papers::veselic_1993, papers::novakovic_2011, papers::singer_2020};
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
            threads_axis_info(),
            batch_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"-n 64 --generator 'graded;g={2,4,6};order=random;core=conditioned' --baseline lapack:dsyevd,lapack:dsyevr",
            "-n 64,128,256 --form PT,FB,BO --pivot RK,CP",
            "-n 128 --generator 'spectrum;kappa={1e4,1e8}' --solver 'HEV-RK-ME-BO{,;spectral}'",
            "-n 16,32 --batch 1000 --solver HEV-RK-ME-PT --baseline lapack:dsyevd",
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
  static void require_batch(const Case& wanted) {
    const bool in_stages = wanted.solver == "HEV-2STAGE" && wanted.backend != "host";
    require_batch_variant(wanted, in_stages ? "HEV-2STAGE" : "HEV-RK-ME-PT");
  }
  template <class T>
  static auto solve_batch(const std::vector<const EighProblem<T>*>& problems, const Options& options,
                          BatchArrays& arrays) {
    const auto A = arrays.given<T>([&](Index k) { return problems[k]->A.view(); });
    const EighBatch<T> batch{.eigenvalues = arrays.numbers<double>(A.cols),
                             .estimate = arrays.numbers<double>(A.cols),
                             .U = arrays.matrices<T>(A.rows, A.cols),
                             .status = arrays.status()};
    void* const workspace = arrays.workspace(eigh_batch_workspace<T>(A.cols, A.count, options.variant));
    EighBatchOptions of_batch{{arrays.options(), options.max_sweeps}, options.variant};
    arrays.run([&] { eigh_batch<T>(A, batch, workspace, of_batch); });
    return [&arrays, batch](Index k) {
      EighResult<T> result;
      result.eigenvalues = arrays.values(batch.eigenvalues, k);
      result.estimate = arrays.values(batch.estimate, k);
      for (const double estimate : result.estimate) result.noise.push_back(10 * estimate >= 1);
      result.U = arrays.matrix(batch.U, k);
      return result;
    };
  }
  template <class T>
  static EighResult<T> own_result(const EighProblem<T>& problem, const OwnAnswer& answer) {
    return own_eigh<T>(answer, problem.A.rows());
  }
  static bool has_factors(const auto& problem, const auto& result) {
    return std::ssize(result.eigenvalues) == problem.A.rows();
  }
  static Metrics judge(const auto& problem, const Options&, const auto& result, const JudgeOptions& options) {
    return judge_eigh(problem.A, problem.truth ? *problem.truth : eigh_truth(problem.A), result, options);
  }

  static EighProblemFacts problem_facts(const auto& problem) {
    EighProblemFacts facts{.provenance = problem.provenance, .norm_f = frobenius_norm(problem.A)};
    for (const Quad& value : problem.truth->eigenvalues) {
      const double size = std::abs(static_cast<double>(value));
      facts.smallest_eigenvalue = std::min(facts.smallest_eigenvalue.value_or(size), size);
      facts.largest_eigenvalue = std::max(facts.largest_eigenvalue.value_or(size), size);
    }
    return facts;
  }
  static EighConvergence convergence(const auto&, const Options& options, const auto& result) {
    return EighConvergence(options.variant, result);
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
            "well-conditioned R; the estimates say where A does not determine an eigenvalue or its sign.\n"
            "HEV-2STAGE, on a GPU, is fast, with errors that are small relative to the largest eigenvalue.",
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
