// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/papers.hpp>
#include <experiments/eig/eig.hpp>
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/generic/method.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/own/results.hpp>
#include <experiments/problems/axis_values.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/io.hpp>
#include <support/text/number.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

namespace pivotlab::experiments {
namespace {

struct EigCase : VariantCase<EigVariant> {
  bool left = false;  ///< whether left eigenvectors are computed, too
};

// Time and memory of a case.

/// Seconds per n³ on one core; for a variant, per n³ and sweep. Parallel work is divided by the cores.
constexpr double kPrescribed = 1.5e-7;              // prescribed eigenvalues, in quad
constexpr double kGenerateEntry = 3e-8;             // per n²: all other generators
constexpr double kTruth = 3e-7, kLongTruth = 2e-5;  // in double-double, in 100 digits
constexpr double kPointSweep = 1.5e-8, kBlockedSweep = 1e-8;
constexpr double kLapack = 3e-9;
constexpr double kJudgeQuad = 1e-7, kJudgeDoubleDouble = 6e-9, kMatch = 1e-8;
constexpr double kGpu = 1e-10, kGpuLatency = 2e-5;  // per n³ and, for the rounds, per n of a sweep on an H200
constexpr double kCusolver = 6e-11, kCusolverLatency = 2e-4;
constexpr double kEmulation = 300;  // ratio of the times of emulated kernels and the host's algorithm

bool prescribes(const std::string& generator) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"normal", "similarity", "repeated", "defective", "hermitian", "unitary"},
      [&](const char* kind) { return generator.starts_with(kind); });
}

bool computes_truth(const EigCase& wanted) {
  if (wanted.is_from_files()) return wanted.n <= file_truth_order;
  if (wanted.generator.find("truth=none") != std::string::npos) return false;
  return wanted.generator.find("truth=computed") != std::string::npos ||
         (wanted.n <= 128 && !prescribes(wanted.generator));
}

double generate_seconds(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  double seconds = kGenerateEntry * n * n;
  if (!wanted.is_from_files() && prescribes(wanted.generator)) seconds += kPrescribed * n * n * n / default_threads();
  if (computes_truth(wanted)) seconds += (wanted.n <= 32 ? kLongTruth : kTruth) * n * n * n;
  return seconds;
}

/// Returns a typical number of sweeps for order n.
double sweeps(double n) {
  return 7 + 1.5 * std::log2(n + 1);
}

double solve_seconds(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const double cube = n * n * n;
  if (wanted.backend == "cusolver") return kCusolver * cube + kCusolverLatency * n;
  if (!wanted.variant) return kLapack * cube * (wanted.type == ScalarType::z ? 4 : 1);
  if (wanted.on_gpu()) return sweeps(n) * (kGpu * cube + kGpuLatency * n);
  const double rate = wanted.variant->form == EigForm::blocked ? kBlockedSweep : kPointSweep;
  return (wanted.backend == "emulation" ? kEmulation : 1) * sweeps(n) * rate * cube / wanted.threads;
}

Estimate estimate_eig(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const double cube = n * n * n;
  const bool quad = wanted.n <= quad_judgement_limit;

  Estimate estimate;
  estimate.generate_s = generate_seconds(wanted);
  estimate.solve_s = solve_seconds(wanted);
  estimate.judge_s = (quad ? kJudgeQuad : kJudgeDoubleDouble) * cube * (wanted.left ? 2 : 1) / default_threads() +
                     (computes_truth(wanted) || prescribes(wanted.generator) ? kMatch * cube : 0);
  // A, its copy, E, W, vectors; the judge's products in extended precision and slices of them.
  estimate.bytes = 16 * n * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = 16 * n * n * 8;
  return estimate;
}

// The sections of records as tables of rows, and what they are written from.

using enum NumberFormat;

/// Eigenvalues in six digits, for plots.
struct PlottedEigenvalues {
  std::vector<double> re, im;
};

constexpr std::size_t most_plotted = 1024;

/// Holds the facts about a matrix of order n that its record states.
struct EigProblemFacts {
  std::string provenance;
  double norm_f = 0;
  bool truth = false;
  std::optional<PlottedEigenvalues> eigenvalues;
};

const Rows<PlottedEigenvalues>& plotted_rows() {
  using P = PlottedEigenvalues;
  static const Rows<P> rows = {row(&P::re, "re", "", plain, "Real parts"),
                               row(&P::im, "im", "", plain, "Imaginary parts")};
  return rows;
}

/// The values before the first sweep and after each, in five digits.
Row<EigResult<double>> history(double EigSweep<double>::*member, std::string at, std::string heading,
                               NumberFormat format, std::string definition) {
  return computed<EigResult<double>>(
      [member](const EigResult<double>& result) {
        std::vector<double> values;
        for (const auto& sweep : result.history) values.push_back(rounded_to_digits(sweep.*member, 5));
        return values;
      },
      std::move(at), std::move(heading), format, std::move(definition));
}

/// Rounds the eigenvalues; returns nothing for none and for more than most_plotted.
std::optional<PlottedEigenvalues> plotted(std::span<const std::complex<double>> eigenvalues) {
  if (eigenvalues.empty() || eigenvalues.size() > most_plotted) return std::nullopt;
  PlottedEigenvalues result;
  for (const auto& z : eigenvalues) {
    result.re.push_back(rounded_to_digits(z.real(), 6));
    result.im.push_back(rounded_to_digits(z.imag(), 6));
  }
  return result;
}

const Rows<EigProblemFacts>& eig_problem_rows() {
  using P = EigProblemFacts;
  static const Rows<P> rows = {
      row(&P::provenance, "provenance", "", plain, "Generator or files").hidden(),
      row(&P::norm_f, "norm_f", "norm A", scientific, "‖A‖_F").precision("double"),
      row(&P::truth, "truth", "truth", plain, "Whether the eigenvalues are known"),
      object_row<P>(&P::eigenvalues, plotted_rows(), "eigenvalues",
                    "True eigenvalues in six digits; none where they are unknown or more than 1024")
          .heading("true")
          .column("true_eigenvalues")};
  return rows;
}

const Rows<EigResult<double>>& eig_convergence_rows() {
  using R = EigResult<double>;
  using S = EigSweep<double>;
  static const Rows<R> rows = {
      computed<R>([](const R& r) { return r.sweeps(); }, "sweeps", "sweeps", plain, "Sweeps").shown(),
      row(&R::refined, "refined", "refined", plain, "Eigenpairs (λ, v) whose residual the refinement lowered"),
      row(&R::finished, "finished", "finished", plain, "Whether a Schur form replaced the iterate").optional(),
      history(&S::norm, "norm", "norm history", plain, "‖A_k‖_F before the first sweep and after each")
          .column("norm_history"),
      history(&S::lower, "lower", "lower history", plain,
              "‖strictly lower part of A_k‖_F before the first sweep and after each")
          .column("lower_history"),
      history(&S::departure, "departure", "departure history", plain,
              "√(‖A_k‖_F² − Σ|λ|²), λ being the computed eigenvalues, before the first sweep and after each")
          .column("departure_history"),
      history(&S::largest_tau, "largest_tau", "tau history", plain, "Largest parameter τ of the shears of each sweep")
          .column("tau_history"),
      history(&S::seconds, "seconds", "seconds history", plain, "Time of each sweep")
          .unit("s")
          .column("seconds_history")};
  return rows;
}

const Rows<std::optional<PlottedEigenvalues>>& eig_solution_rows() {
  using P = std::optional<PlottedEigenvalues>;
  static const Rows<P> rows = {object_row<P>([](const P& p) { return p; }, plotted_rows(), "eigenvalues",
                                             "Computed eigenvalues in six digits; none where they are more than 1024")
                                   .heading("computed")
                                   .column("computed_eigenvalues")};
  return rows;
}

// The experiment.

/// The algorithm of the kernels of batches.
constexpr const char* kernels_of_batches = "QR";

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

  static std::vector<std::string_view> papers() { return {papers::shroff_1990}; }
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
            threads_axis_info(),
            batch_axis_info()};
  }
  static std::vector<std::string> sweep_examples() {
    return {"--form fused,b16 -n 64,128 --generator grcar,normal --baseline lapack:zgeev",
            "-n 64 --generator 'similarity;kappa={1e2,1e4,1e6}' --strategy RR,ME,MM",
            "-n 64 --solver 'ZEIG-(RR);fused{,;shear=off,;diagonal=off}'",
            "-n 16,32 --batch 1000 --backend host --baseline lapack:zgeev",
            "--generator file:A.mtx.gz --baseline lapack:dgeev --vectors both --format csv"};
  }

  static std::string read_variant(Case& read, const std::string& name) {
    if (is_of_kernels(read, name, kernels_of_batches)) return kernels_of_batches;
    return names().print(*(read.variant = names().parse(name)));
  }
  static void require_batch(const Case& wanted) {
    require_batch_variant(wanted, wanted.backend == "host" ? to_string(EigOptions{}.variant) : kernels_of_batches);
    if (wanted.left && !wanted.by_baseline())
      throw InputError("vectors: batches have right eigenvectors only; take right");
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
  static auto solve_batch(const std::vector<const GeneralMatrix<T>*>& problems, const Options&, BatchArrays& arrays) {
    const auto A = arrays.given<T>([&](Index k) { return problems[k]->A.view(); });
    const EigBatch batch{.eigenvalues = arrays.numbers<std::complex<double>>(A.cols),
                         .V = arrays.matrices<std::complex<double>>(A.rows, A.cols),
                         .status = arrays.status()};
    void* const workspace = arrays.workspace(eig_batch_workspace(A.cols, A.count));
    arrays.run([&] { eig_batch<T>(A, batch, workspace, arrays.options()); });
    return [&arrays, batch](Index k) {
      EigResult<double> result;
      result.eigenvalues = arrays.values(batch.eigenvalues, k);
      result.V = arrays.matrix(batch.V, k);
      return result;
    };
  }
  static EigResult<double> own_result(const auto& problem, const OwnAnswer& answer) {
    return own_eig(answer, problem.A.rows());
  }
  static bool has_factors(const auto& problem, const EigResult<double>& result) {
    return !result.eigenvalues.empty() || problem.A.rows() == 0;
  }
  static Metrics judge(const auto& problem, const Options& asked, const EigResult<double>& result,
                       const JudgeOptions& options) {
    return judge_eig(problem,
                     {.eigenvalues = result.eigenvalues,
                      .V = result.V,
                      .W = asked.left_vectors || result.W.size() > 0 ? &result.W : nullptr,
                      .T = asked.triangular_form ? &result.T : nullptr,
                      .E = asked.triangular_form ? &result.E : nullptr,
                      .conditions = result.conditions.empty() ? nullptr : &result.conditions},
                     options);
  }

  static EigProblemFacts problem_facts(const auto& problem) {
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
                     .help = "Most sweeps before the variant's finish, or before the status not_converged",
                     .value_name = "N",
                     .minimum = 0},
                    backend_option(command.backend),
                    threads_option(command.threads)},
        .notes =
            "A V = V Lambda, W^H A = Lambda W^H, A E = E T with T upper triangular.\n"
            "finish in a variant's name: where sweeps stagnate or leave large residuals, a Schur form by unitary\n"
            "transformations (QR algorithm) follows.\n"
            "mixed in a variant's name: on a GPU, too, the first sweeps are in single precision.",
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
