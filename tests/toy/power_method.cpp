// The description of the toy method for the framework. The line that adds it to a program is in methods.cpp.
#include <experiments/commands/command_description.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/engine/section.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/problems/axis_values.hpp>
#include <pivotlab/io.hpp>
#include <tests/toy/power.hpp>
#include <tests/toy/power_method.hpp>

namespace pivotlab::experiments {
namespace {

using namespace pivotlab::toy;
using enum NumberFormat;

const Rows<PowerResult>& convergence_rows() {
  static const Rows<PowerResult> rows = {
      row(&PowerResult::iterations, "iterations", "steps", plain, "Products with AᵀA").shown()};
  return rows;
}

const Rows<PowerMetrics>& metric_rows() {
  using M = PowerMetrics;
  static const Rows<M> rows = {row(&M::error, "error", "sigma err", scientific, "|σ − true σ|/true σ")
                                   .compared()
                                   .bounded(&M::Bounds::error, "1e-8", "The tolerance of the iteration"),
                               row(&M::residual, "residual", "residual", scientific, "‖AᵀAv − σ²v‖₂/σ²").shown()};
  return rows;
}

const Rows<PowerMatrix>& problem_rows() {
  static const Rows<PowerMatrix> rows = {row(&PowerMatrix::provenance, "provenance", "", plain, "Generator").hidden()};
  return rows;
}

PowerResult solve_by(const std::string& solver, const Matrix<double>& A) {
  return is_baseline(solver) ? many_steps(A) : power_iteration(A, power_names().parse(solver));
}

struct PowerSolution final : Solution {
  explicit PowerSolution(PowerResult r) : result(std::move(r)) {
    compute_s = result.seconds;
    if (!result.converged) status = Status::not_converged, message = "after 1000 steps";
  }
  PowerResult result;
};

class PowerProblem final : public Problem {
 public:
  explicit PowerProblem(PowerMatrix matrix) : matrix_(std::move(matrix)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, text_axis(axes, "solver")); }

  std::unique_ptr<Solution> solve(const std::string& solver) const {
    return std::make_unique<PowerSolution>(solve_by(solver, matrix_.A));
  }

  Judgement judge(const std::string& solver, const Solution& solution) const {
    const PowerResult& result = static_cast<const PowerSolution&>(solution).result;
    const PowerMetrics metrics = toy::judge(matrix_, result);
    Judgement judgement;
    judgement.message = describe_failures(metric_rows(), metrics);
    judgement.status = judgement.message.empty() ? Status::passed : Status::incorrect;
    judgement.problem = write_rows(problem_rows(), matrix_);
    judgement.metrics = write_judged(metric_rows(), metrics);
    if (is_baseline(solver)) return judgement;
    judgement.convergence = write_rows(convergence_rows(), result);
    return judgement;
  }

 private:
  PowerMatrix matrix_;
};

CommandResult solve_file(const std::string& file, const std::string& solver) {
  const AnyMatrix any = read_matrix(file);
  const auto* A = std::get_if<Matrix<double>>(&any);
  if (A == nullptr || A->rows() != A->cols()) throw InputError(file + ": is no real square matrix; give another one");
  const PowerResult result = solve_by(solver, *A);
  return {result.converged ? Status::passed : Status::not_converged,
          joined({{{"solver", "solver", ColumnKind::text, solver},
                   {"sigma", "sigma", ColumnKind::scientific, result.sigma}},
                  facts_of(metric_rows(), toy::judge({*A, 0, file}, result), {"residual"})})};
}

class PowerMethod final : public Method {
 public:
  std::string_view name() const override { return "power"; }
  std::string_view title() const override { return "Largest singular value"; }
  std::string_view summary() const override { return "σ and v by power iteration with AᵀA"; }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {.name = "n",
         .summary = "Order",
         .default_value = std::int64_t{16},
         .domain = {.minimum = 1},
         .option = "-n,--dim",
         .example = "8:32:8"},
        {.name = "ratio",
         .summary = "Second singular value",
         .default_value = 0.5,
         .domain = {.minimum = 0, .maximum = 1}},
        {.name = "seed", .summary = "Seed of the generator", .default_value = std::int64_t{1}},
        {.name = "solver",
         .summary = "A variant or a baseline",
         .default_value = std::string("POWER-O"),
         .role = AxisRole::solution}};
    return infos;
  }
  std::vector<const VariantNames*> variants() const override { return {&power_names()}; }
  std::vector<ListEntry> baselines() const override { return {{"steps:10000", "", "Ten thousand steps."}}; }
  std::vector<std::string> sweep_examples() const override { return {"-n 8,16 --start O,F --baseline steps:10000"}; }
  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(problem_rows())},
                                             {"convergence", quantities_of(convergence_rows())},
                                             {"metrics", quantities_of(metric_rows())}};
    return all;
  }

  Case canonical(const Case& axes) const override {
    Case result = axes;
    result["method"] = std::string(name());
    (void)integer_axis(axes, "n", 1);
    if (const std::string& solver = text_axis(axes, "solver"); is_baseline(solver))
      result["solver"] = baselines().front().name;
    else
      result["solver"] = with_axis_context("solver", [&] { return power_names().canonical(solver); });
    return result;
  }
  Estimate estimate(const Case&) const override { return {.solve_s = 1e-3, .judge_s = 1e-4, .bytes = 1e6}; }
  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path&) const override {
    return std::make_unique<PowerProblem>(make_matrix(number_axis(axes, "ratio"), integer_axis(axes, "n", 1),
                                                      static_cast<std::uint64_t>(integer_axis(axes, "seed", 0))));
  }

  std::shared_ptr<const CommandDescription> solve_command() const override {
    struct Command {
      std::string file, solver = "POWER-O";
    };
    const auto command = std::make_shared<Command>();
    return std::make_shared<CommandDescription>(
        CommandDescription{.title = "Largest singular value of a matrix",
                           .options = {{"A", &command->file, "Matrix Market or HDF5", "", true},
                                       {"--solver", &command->solver, "Variant", "NAME"}},
                           .examples = {"A.mtx --solver 'POWER-F;tol=1e-8'"},
                           .run = [command] { return solve_file(command->file, command->solver); }});
  }
};

}  // namespace

const Method& power_method() {
  static const PowerMethod method;
  return method;
}

}  // namespace pivotlab::experiments
