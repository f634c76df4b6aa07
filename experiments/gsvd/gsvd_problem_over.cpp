// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <experiments/common/solved.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/problems/pairs.hpp>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/device.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
struct SolvedPart final : Solved<GsvdStripes<T>> {
  explicit SolvedPart(GsvdStripes<T> part) : Solved<GsvdStripes<T>>(std::move(part)) {
    this->resumed = this->result.resumed_after > 0;
  }
  RankTimes times;
};

template <class T>
class GsvdProblemOver final : public Problem {
 public:
  GsvdProblemOver(Transport& ranks, const GsvdCase& wanted, Index limit) : ranks_(ranks), made_(wanted) {
    const bool small = std::max({wanted.m_f, wanted.m_g, wanted.n}) <= limit;
    in_agreement(ranks_, [&] {
      if (wanted.has_few_rows()) throw NotSupported(few_rows_over_ranks);
      if (small)
        whole_ = std::get<Pair<T>>(wanted.is_from_files() ? pairs().load(wanted) : pairs().generate(wanted, 0));
      else if (is_in_one_file())
        sigma_ = read_pair_head(file()).sigma;
    });
  }

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_gsvd(axes)); }

  std::unique_ptr<Solution> solve(const GsvdCase& wanted) const {
    const RankOptions options = options_of_ranks(wanted);
    in_agreement(ranks_, [&] {
      if (options.ranks != ranks_.size())
        throw InputError(fmt::format("{} processes were started for {} ranks; let the command have {{ranks}}",
                                     ranks_.size(), options.ranks));
      if (options.backend == Backend::cuda && list_devices().empty())
        throw NotSupported("backend 'cuda': " + why_no_device());
      take_columns(stripe_columns(wanted.n, options.variant, ranks_.size(), ranks_.rank()));
    });
    const std::unique_ptr<Transport> stripes =
        options.backend == Backend::cuda ? over_route(ranks_, options.transport) : through_host(ranks_);
    auto solution = std::make_unique<SolvedPart<T>>(
        gsvd_distributed<T>(*stripes, mine_.columns.F, mine_.columns.G, mine_.n, options));
    if (options.backend == Backend::cuda) solution->times.device = device_of(ranks_);
    solution->times.steps = solution->result.steps;
    return solution;
  }

  Judgement judge(const GsvdCase& judged, const Solution& solution) const {
    const auto& solved = static_cast<const SolvedPart<T>&>(solution);
    Judgement judgement;
    judgement.convergence = write_rows(gsvd_convergence_rows(), {solved.result.sweeps, {solved.times}});
    json by_rank = json::array();
    for (const std::string& times : gather_texts(ranks_, judgement.convergence["by_rank"][0].dump()))
      by_rank.push_back(json::parse(times));
    judgement.convergence["by_rank"] = std::move(by_rank);
    if (whole_) {
      const std::optional<GsvdMetrics> metrics = judge_whole(solved.result);
      if (metrics) add_metrics(judgement, *metrics, to_json(*metrics));
      if (metrics) judgement.problem = problem_section();
    } else {
      const GsvdMetrics metrics = judge_gsvd(ranks_, mine_, solved.result, options_of_ranks(judged).threads);
      add_metrics(judgement, metrics, to_json(metrics));
      judgement.problem =
          write_rows(gsvd_problem_rows(), problem_facts(mine_.columns.provenance, mine_.columns.sigma, mine_.n));
    }
    judgement.status = gather_values(ranks_, judgement.status)[0];
    return judgement;
  }

  double agreed(double mine) const override { return gather_values(ranks_, mine)[0]; }

 private:
  bool is_in_one_file() const { return made_.generator.starts_with("file:"); }

  fs::path file() const { return path_of(made_.generator); }

  void take_columns(const std::vector<Index>& places) const {
    if (mine_.n > 0 && mine_.places == places) return;
    mine_ = {};
    mine_ = {columns_at(places), places, made_.n};
  }

  Pair<T> columns_at(const std::vector<Index>& places) const {
    if (whole_)
      return {columns_of(whole_->F, places), columns_of(whole_->G, places), whole_->sigma, whole_->provenance};
    if (!is_in_one_file()) return generate_pair_columns<T>(request_for(made_), places);
    Pair<T> columns = read_pair_columns<T>(file(), places);
    columns.sigma = sigma_;
    return columns;
  }

  /// Judges the whole decomposition on the first rank; the other ranks get nothing.
  std::optional<GsvdMetrics> judge_whole(const GsvdStripes<T>& part) const {
    const bool judges = ranks_.rank() == 0;
    GsvdResult<T> result;
    if (judges) {
      const Index n = made_.n;
      result.U = Matrix<T>(made_.m_f, n), result.V = Matrix<T>(made_.m_g, n), result.Z = Matrix<T>(n, n);
      result.sigma_f = part.sigma_f, result.sigma_g = part.sigma_g, result.sigma = part.sigma;
    }
    const std::array<Matrix<T>*, 3> matrices{&result.U, &result.V, &result.Z};
    for_columns_on_first_rank(ranks_, part, [&](std::size_t matrix, Index column, std::span<const T> values) {
      std::ranges::copy(values, matrices[matrix]->col(column).begin());
    });
    if (!judges) return std::nullopt;
    return judge_gsvd(*whole_, result);
  }

  const json& problem_section() const {
    if (problem_.is_null()) problem_ = write_rows(gsvd_problem_rows(), problem_facts(*whole_));
    return problem_;
  }

  Transport& ranks_;
  GsvdCase made_;                 ///< the case of this pair
  std::optional<Pair<T>> whole_;  ///< whole pair if it is small
  std::vector<Quad> sigma_;       ///< true Σ of a large pair from a file
  mutable PairPart<T> mine_;      ///< the columns for the variant that was solved last
  mutable json problem_;          ///< computed on first use
};

}  // namespace

std::unique_ptr<Problem> make_gsvd_problem_over(Transport& ranks, const GsvdCase& gsvd_case, Index limit) {
  if (gsvd_case.type == ScalarType::z)
    return std::make_unique<GsvdProblemOver<std::complex<double>>>(ranks, gsvd_case, limit);
  return std::make_unique<GsvdProblemOver<double>>(ranks, gsvd_case, limit);
}

}  // namespace pivotlab::experiments
