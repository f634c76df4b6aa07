#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

template <class T>
struct GsvdSolution final : Solved<AnyGsvdResult<T>> {
  using Solved<AnyGsvdResult<T>>::Solved;
  std::vector<RankTimes> ranks;         ///< only for solvers over ranks
  std::optional<TangentFacts> tangent;  ///< only for tangent reduction
};

/// The result of a solver that takes pairs with G of full column rank only.
template <class T>
AnyGsvdResult<T> unreduced(GsvdResult<T> solved) {
  AnyGsvdResult<T> result;
  result.l = result.r = solved.Z.cols();
  static_cast<GsvdResult<T>&>(result) = std::move(solved);
  return result;
}

template <class T>
class GsvdProblem final : public Problem {
 public:
  explicit GsvdProblem(Pair<T> pair) : pair_(std::move(pair)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret(axes)); }

  std::unique_ptr<Solution> solve(const GsvdCase& wanted) const {
    if (wanted.is_baseline()) return std::make_unique<GsvdSolution<T>>(solve_by_baseline(wanted));
    if (wanted.over_ranks) return solve_by_ranks(wanted);
    AnyGsvdOptions options;
    if (wanted.variant) options.variant = *wanted.variant;
    options.tangent = wanted.tangent;
    options.backend = parse_backend(wanted.backend);
    options.threads = wanted.on_gpu() ? 0 : wanted.threads;  // beside a GPU the host checks and copies
    auto solution = std::make_unique<GsvdSolution<T>>(gsvd_any<T>(pair_.F, pair_.G, options));
    if (wanted.tangent) solution->tangent = tangent_facts(solution->result, pair_.sigma);
    return solution;
  }

  Judgement judge(const GsvdCase& judged, const Solution& solution) const {
    const auto& solved = static_cast<const GsvdSolution<T>&>(solution);
    const AnyGsvdResult<T>& result = solved.result;
    Judgement judgement;
    judgement.problem = problem_section();
    if (!judged.is_baseline()) {
      GsvdConvergence convergence{result.sweeps, solved.ranks, solved.tangent};
      if (judged.variant && !judged.over_ranks && !result.reduced) {
        judgement.flops = static_cast<double>(result.sweeps.size()) * sweep_flops(pair_);
        convergence.flops = judgement.flops;
      }
      judgement.convergence = write_rows(gsvd_convergence_rows(), convergence);
    }
    if (result.status == Status::failed) return judgement;  // without factors
    const GsvdMetrics metrics = judge_gsvd(pair_, result);
    add_metrics(judgement, metrics, to_json(metrics));
    return judgement;
  }

 private:
  /// The result has the layout for any pair where LAPACK's xGGSVD3 finds that G does not have full column rank.
  AnyGsvdResult<T> solve_by_baseline(const GsvdCase& wanted) const {
    const bool takes_any_pair = wanted.solver.ends_with("ggsvd3");
    try {
      if (!wanted.has_few_rows()) {
        auto result = unreduced(solve_gsvd_with_baseline<T>(wanted.solver, pair_.F, pair_.G, wanted.threads));
        if (result.status != Status::failed || !takes_any_pair) return result;
      }
    } catch (const InputError&) {  // a zero column of G
      if (!takes_any_pair) throw;
    }
    return solve_any_gsvd_with_baseline<T>(wanted.solver, pair_.F, pair_.G, wanted.threads);
  }

  std::unique_ptr<Solution> solve_by_ranks(const GsvdCase& wanted) const {
    if (wanted.has_few_rows()) throw NotSupported(few_rows_over_ranks);
    GsvdOverRanks<T> solved = solve_over_ranks<T>(pair_.F, pair_.G, wanted);
    auto solution = std::make_unique<GsvdSolution<T>>(unreduced(std::move(solved.result)));
    solution->ranks = std::move(solved.ranks), solution->resumed = solved.resumed;
    return solution;
  }

  const json& problem_section() const {
    if (problem_.is_null()) problem_ = write_rows(gsvd_problem_rows(), problem_facts(pair_));
    return problem_;
  }

  Pair<T> pair_;
  mutable json problem_;  ///< computed on first use, because it is expensive and the same for all solvers
};

}  // namespace

std::unique_ptr<Problem> make_gsvd_problem(AnyPair any) {
  return std::visit(
      []<class T>(Pair<T>& pair) -> std::unique_ptr<Problem> {
        return std::make_unique<GsvdProblem<T>>(std::move(pair));
      },
      any);
}

}  // namespace pivotlab::experiments
