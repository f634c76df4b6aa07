#include <experiments/common/problem_cache.hpp>
#include <experiments/engine/judgement.hpp>
#include <experiments/gsvd/gsvd_problem.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <experiments/metrics/condition.hpp>
#include <experiments/metrics/device_judge.hpp>
#include <experiments/metrics/gsvd_metrics.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/peers.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
struct GsvdSolution final : Solution {
  explicit GsvdSolution(GsvdResult<T> computed) : result(std::move(computed)) {
    status = result.status;
    message = result.message;
    compute_s = result.compute_seconds;
  }
  GsvdResult<T> result;
  std::vector<RankTimes> ranks;  ///< of a solver over ranks
};

json describe(const GsvdVariant& variant) {
  return {{"id", variant.id},
          {"outer", to_string(variant.outer)},
          {"blocking", to_string(variant.blocking)},
          {"inner", to_string(variant.inner)},
          {"width", variant.width},
          {"sorting", variant.sorting},
          {"factor", to_string(variant.factor)}};
}

/// With the outermost level.
json describe(const GsvdCase& solved) {
  json parameters = describe(*solved.variant);
  if (solved.over_ranks) {
    parameters["outermost"] = to_string(solved.over_ranks->variant.outermost);
    parameters["stripes"] = to_string(solved.over_ranks->variant.stripes);
  }
  return parameters;
}

json describe(const std::vector<SweepCounters>& sweeps) {
  json per_sweep = json::array();
  std::uint64_t transformations = 0, big = 0;
  for (const SweepCounters& sweep : sweeps) {
    transformations += sweep.transformations;
    big += sweep.big;
    per_sweep.push_back({{"transformations", sweep.transformations},
                         {"big", sweep.big},
                         {"swaps", sweep.swaps},
                         {"skipped_tiles", sweep.skipped_tiles},
                         {"qr_tiles", sweep.qr_tiles},
                         {"max_inner_sweeps", sweep.max_inner_sweeps},
                         {"seconds", sweep.seconds}});
  }
  return {{"sweeps", sweeps.size()}, {"transformations", transformations}, {"big", big}, {"per_sweep", per_sweep}};
}

template <class T>
class GsvdProblem final : public Problem {
 public:
  explicit GsvdProblem(Pair<T> pair) : pair_(std::move(pair)) {}

  std::unique_ptr<Solution> solve(const Case& axes) const override {
    const GsvdCase wanted = interpret(axes);
    const MatrixView<const T> F = pair_.F, G = pair_.G;
    if (!wanted.variant)
      return std::make_unique<GsvdSolution<T>>(solve_gsvd_with_peer<T>(wanted.solver, F, G, wanted.threads));
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
    judgement.problem = describe_problem();
    if (judged.variant) {
      judgement.variant = describe(judged);
      judgement.convergence = describe(result.sweeps);
      if (judged.over_ranks) judgement.convergence["by_rank"] = to_json(solved.ranks);
    }
    if (result.status == Status::failed) return judgement;  // there are no factors
    JudgeOptions options;
    options.full_limit = full_limit();
    const GsvdMetrics metrics = judge_gsvd(pair_, result, options);
    judgement.status = metrics.verdict;
    judgement.message = metrics.message;
    judgement.metrics = to_json(metrics);
    return judgement;
  }

 private:
  /// Where Σ is known the judge spares no pains.
  Index full_limit() const {
    if (pair_.sigma.empty()) return full_judgement_limit;
    return std::max(full_judgement_limit, largest_order_on_gpus(is_complex<T>));
  }

  const json& describe_problem() const {
    if (problem_.is_null()) {
      const bool truth = !pair_.sigma.empty();
      const bool in_full = std::max(pair_.F.rows(), pair_.G.rows()) <= full_limit();
      const PairCondition condition =
          in_full ? condition_numbers<T>(pair_.F, pair_.G) : PairCondition{{not_a_number, {}}, {not_a_number, {}}};
      problem_ = {{"provenance", pair_.provenance},
                  {"kappa_f", number_or_null(condition.f.value)},
                  {"kappa_g", number_or_null(condition.g.value)},
                  {"sigma_max", truth ? json(static_cast<double>(pair_.sigma.front())) : json()},
                  {"sigma_min", truth ? json(static_cast<double>(pair_.sigma.back())) : json()},
                  {"truth", truth}};
    }
    return problem_;
  }

  Pair<T> pair_;
  CheckpointOptions checkpoint_;  ///< of solvers over ranks; without a case's name
  mutable json problem_;          ///< made when first asked for: it is costly and the same for all solvers
};

AnyPair generate(const GsvdCase& wanted) {
  PairRequest request;
  request.generator = wanted.generator;
  request.type = wanted.type;
  request.n = wanted.n;
  request.m_f = wanted.m_f;
  request.m_g = wanted.m_g;
  request.seed = wanted.seed;
  return generate_pair(request);
}

AnyPair make_pair(const GsvdCase& wanted, std::string_view key, const fs::path& cache) {
  if (is_file_source(wanted.generator)) return load_pair(wanted.generator);
  // Random numbers are made faster than they are read.
  const bool is_cheap =
      (wanted.m_f + wanted.m_g) * wanted.n < cached_elements || wanted.generator.starts_with("random");
  if (is_cheap) return generate(wanted);
  const auto write = [](const fs::path& file, const AnyPair& pair) {
    PairFileOptions options;
    options.compression = 0;  // random digits do not compress
    write_pair(file, pair, options);
  };
  return cached(
      cache_file(cache, key), read_pair, [&] { return generate(wanted); }, write);
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
