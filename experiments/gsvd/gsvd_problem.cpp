#include <experiments/common/problem_cache.hpp>
#include <experiments/common/solved.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_problem.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/io.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
struct GsvdSolution final : Solved<GsvdResult<T>> {
  using Solved<GsvdResult<T>>::Solved;
  std::vector<RankTimes> ranks;         ///< only for solvers over ranks
  std::optional<TangentFacts> tangent;  ///< only for tangent reduction
};

template <class T>
class GsvdProblem final : public Problem {
 public:
  explicit GsvdProblem(Pair<T> pair) : pair_(std::move(pair)) {}

  std::unique_ptr<Solution> solve(const Case& axes) const override {
    const GsvdCase wanted = interpret(axes);
    const MatrixView<const T> F = pair_.F, G = pair_.G;
    if (wanted.is_baseline())
      return std::make_unique<GsvdSolution<T>>(solve_gsvd_with_baseline<T>(wanted.solver, F, G, wanted.threads));
    if (wanted.tangent) return solve_by_tangent(wanted);
    if (wanted.over_ranks) {
      CheckpointOptions checkpoint = checkpoint_;
      if (!checkpoint.path.empty()) checkpoint.path += case_key(axes);
      GsvdOverRanks<T> solved = solve_over_ranks<T>(F, G, wanted, checkpoint);
      auto solution = std::make_unique<GsvdSolution<T>>(std::move(solved.result));
      solution->ranks = std::move(solved.ranks), solution->resumed = solved.resumed;
      return solution;
    }
    GsvdOptions options;
    options.variant = *wanted.variant;
    options.backend = parse_backend(wanted.backend);
    options.threads = wanted.on_gpu() ? 0 : wanted.threads;  // beside a GPU the host checks and copies
    return std::make_unique<GsvdSolution<T>>(gsvd<T>(F, G, options));
  }

  void keep_checkpoints(const fs::path& folder, double every_s) override {
    checkpoint_ = {.path = (folder / "").string(), .every_seconds = every_s};
  }

  Judgement judge(const Case& axes, const Solution& solution) const override {
    const GsvdCase judged = interpret(axes);
    const auto& solved = static_cast<const GsvdSolution<T>&>(solution);
    const GsvdResult<T>& result = solved.result;
    Judgement judgement;
    judgement.problem = problem_section();
    if (!judged.is_baseline()) {
      judgement.variant = variant_section(names_of(judged), judged.solver);
      judgement.convergence = write_rows(gsvd_convergence_rows(), {result.sweeps, solved.ranks, solved.tangent});
    }
    if (result.status == Status::failed) return judgement;  // without factors
    const GsvdMetrics metrics = judge_gsvd(pair_, result);
    add_metrics(judgement, metrics, to_json(metrics));
    return judgement;
  }

 private:
  std::unique_ptr<Solution> solve_by_tangent(const GsvdCase& wanted) const {
    TangentOptions options;
    options.variant = *wanted.tangent;
    options.backend = parse_backend(wanted.backend);
    options.threads = wanted.on_gpu() ? 0 : wanted.threads;
    TangentResult<T> solved = gsvd_tangent<T>(pair_.F, pair_.G, options);
    TangentFacts facts = tangent_facts(solved.report, solved.fallback, solved.fallback_reason, solved.sigma_error);
    facts.error_per_estimate = largest_error_per_estimate(solved.sigma, solved.sigma_error, pair_.sigma);
    auto solution = std::make_unique<GsvdSolution<T>>(std::move(static_cast<GsvdResult<T>&>(solved)));
    solution->tangent = std::move(facts);
    return solution;
  }

  const json& problem_section() const {
    if (problem_.is_null()) problem_ = write_rows(gsvd_problem_rows(), problem_facts(pair_));
    return problem_;
  }

  Pair<T> pair_;
  CheckpointOptions checkpoint_;  ///< for solvers over ranks; without the name of a case
  mutable json problem_;          ///< computed on first use, because it is expensive and the same for all solvers
};

AnyPair make_pair(const GsvdCase& wanted, std::string_view key, const fs::path& cache) {
  if (is_file_source(wanted.generator)) return load_pair(wanted.generator);
  // Generating random numbers is faster than reading them from a file.
  const bool is_cheap =
      (wanted.m_f + wanted.m_g) * wanted.n < cached_elements || (is_drawn(wanted) && !has_computed_truth(wanted));
  if (is_cheap) return generate_pair(request_for(wanted));
  const auto write = [](const fs::path& file, const AnyPair& pair) {
    PairFileOptions options;
    options.compression = 0;  // random digits do not compress
    write_pair(file, pair, options);
  };
  return cached(
      cache_file(cache, key), read_pair, [&] { return generate_pair(request_for(wanted)); }, write);
}

}  // namespace

std::unique_ptr<Problem> make_gsvd_problem(const GsvdCase& gsvd_case, std::string_view key, const fs::path& cache) {
  return std::visit(
      []<class T>(Pair<T> pair) -> std::unique_ptr<Problem> {
        return std::make_unique<GsvdProblem<T>>(std::move(pair));
      },
      make_pair(gsvd_case, key, cache));
}

}  // namespace pivotlab::experiments
