// SPDX-License-Identifier: BSD-3-Clause
// The toy method as an experiment: tables, and what each step of a case is. Everything else follows from it. The line
// that adds it to a program is in methods.cpp.
#include <experiments/generic/method.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <pivotlab/io.hpp>
#include <tests/toy/power.hpp>
#include <tests/toy/power_method.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

using namespace pivotlab::toy;
using enum NumberFormat;

struct PowerProblemFacts {
  std::string provenance;
  bool truth = false;
};

const Rows<PowerProblemFacts>& power_problem_rows() {
  using P = PowerProblemFacts;
  static const Rows<P> rows = {row(&P::provenance, "provenance", "", plain, "Generator or file").hidden(),
                               row(&P::truth, "truth", "truth", plain, "Whether the eigenvalues are known")};
  return rows;
}

struct PowerConvergence {
  int iterations = 0;
};

const Rows<PowerConvergence>& power_convergence_rows() {
  static const Rows<PowerConvergence> rows = {
      row(&PowerConvergence::iterations, "iterations", "steps", plain, "Products with A").shown()};
  return rows;
}

struct PowerMetrics : JudgeReport {
  struct Bounds {
    double residual = 1e-8, error = 1e-8;
  } bounds = {};
  double residual = 0;
  std::optional<double> error = {};  ///< nothing where the eigenvalues are unknown
};

const Rows<PowerMetrics>& power_metric_rows() {
  using M = PowerMetrics;
  static const Rows<M> rows = {row(&M::residual, "residual", "residual", scientific, "‖A·v − λ·v‖₂/|λ|")
                                   .shown()
                                   .bounded(&M::Bounds::residual, "1e-8", "A hundred times the usual tolerance"),
                               row(&M::error, "error", "lambda err", scientific, "|λ − true λ|/|true λ|")
                                   .compared()
                                   .bounded(&M::Bounds::error, "1e-8", "That of the residual, as A is Hermitian")};
  return rows;
}

struct PowerExperiment {
  static constexpr MethodTexts texts = {.name = "power",
                                        .title = "Dominant eigenvalue of a Hermitian matrix",
                                        .summary = "λ of largest modulus and its eigenvector by power iteration",
                                        .claims = {"λ is an eigenvalue up to the bound of residual",
                                                   "that it is the dominant one where the eigenvalues are not known"}};
  using Case = VariantCase<PowerVariant>;
  using Options = PowerOptions;
  using Metrics = PowerMetrics;

  static constexpr auto kind = symmetrics;
  static constexpr auto names = power_names;
  static constexpr auto baselines = list_power_baselines;
  static constexpr auto problem_rows = power_problem_rows;
  static constexpr auto convergence_rows = power_convergence_rows;
  static constexpr auto metric_rows = power_metric_rows;

  static std::vector<AxisInfo> axes() {
    return {type_axis_info("d"),
            order_axis_info("Order", 16, 1),
            generator_axis_info(kind(), "Source of the matrix: a generator or file:A.mtx", "spectrum"),
            seed_axis_info(),
            solver_axis_info("POWER-O"),
            backend_axis_info(),
            threads_axis_info()};
  }
  static std::vector<std::string> sweep_examples() { return {"-n 8,16 --start O,F --baseline steps:d10000"}; }
  static void read_axes(const experiments::Case&, const Case& read) {
    if (read.n == 0) throw InputError("n: is 0, must be at least 1");
  }
  static Estimate estimate(const Case& wanted) {
    const auto n = static_cast<double>(wanted.n);
    return {.solve_s = 1e-6 * n * n, .judge_s = 1e-9 * n * n, .bytes = 16 * n * n};
  }

  template <class T>
  static SymmetricMatrix<T> problem(SymmetricMatrix<T> matrix, const auto&) {
    return matrix;
  }
  template <class T>
  static PowerResult<T> solve(const SymmetricMatrix<T>& matrix, const Options& options) {
    return power_iteration(matrix.A, options);
  }
  template <class T>
  static PowerResult<T> solve_by_baseline(const SymmetricMatrix<T>& matrix, const std::string&, const Options&) {
    return many_steps(matrix.A);
  }
  template <class T>
  static Metrics judge(const SymmetricMatrix<T>& matrix, const Options&, const PowerResult<T>& result,
                       const JudgeOptions&) {
    Metrics metrics;
    metrics.residual = residual_of(matrix.A, result);
    if (const std::vector<Quad>& known = matrix.eigenvalues; !known.empty()) {
      const auto least = static_cast<double>(known.front()), largest = static_cast<double>(known.back());
      const double truth = -least > largest ? least : largest;
      metrics.error = std::abs(result.eigenvalue - truth) / std::abs(truth);
    }
    judge_by_bounds(metric_rows(), metrics);
    return metrics;
  }
  static PowerProblemFacts problem_facts(const auto& matrix) {
    return {matrix.provenance, !matrix.eigenvalues.empty()};
  }
  static PowerConvergence convergence(const auto&, const Options&, const auto& result) { return {result.iterations}; }

  // The commands.

  struct Command : SolveCommand {
    std::string matrix = {};
  };
  static CommandDescription describe(Command& command) {
    return {.title = "Dominant eigenvalue of a Hermitian matrix",
            .options = {{"A", &command.matrix, "Matrix Market or HDF5", "", true},
                        {"--variant", &command.variant, "Variant", "NAME"},
                        baseline_option(command.baseline, {"--variant"}),
                        backend_option(command.backend)},
            .examples = {"A.mtx --variant 'POWER-F;tol=1e-8'"}};
  }
  static std::vector<std::string> inputs(const Command& command) { return {command.matrix}; }
  static AnySymmetric read(const Command& command) { return read_symmetric(command.matrix); }
  static SolutionFacts facts(const auto& judged) {
    return {{{"n", "n", ColumnKind::integer, count(judged.problem.A.rows())},
             {"lambda", "lambda", ColumnKind::scientific, judged.result.eigenvalue}},
            facts_of(metric_rows(), judged.metrics, {"residual"})};
  }
  static GenerateTexts generate() {
    return {.title = "Hermitian matrix", .generator = "spectrum", .examples = {"spectrum -n 16 -o A.mtx"}};
  }
};

}  // namespace

const Method& power_method() {
  static const MethodOf<PowerExperiment> method;
  return method;
}

}  // namespace pivotlab::experiments
