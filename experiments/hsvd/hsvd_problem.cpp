#include <fmt/format.h>
#include <experiments/common/problem_cache.hpp>
#include <experiments/common/solved.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/hsvd/hsvd_problem.hpp>
#include <experiments/hsvd/hsvd_sections.hpp>
#include <experiments/hsvd/rectangular_source.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
class HsvdProblem final : public Problem {
 public:
  HsvdProblem(Matrix<T> G, std::vector<int> J, std::string provenance)
      : G_(std::move(G)), J_(std::move(J)), provenance_(std::move(provenance)), truth_(hsvd_truth(G_, J_)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_hsvd(axes)); }

  std::unique_ptr<Solution> solve(const HsvdCase& wanted) const {
    if (!wanted.variant)
      return std::make_unique<Solved<HsvdResult<T>>>(solve_svd_with_baseline<T>(wanted.solver, G_, wanted.threads));
    return std::make_unique<Solved<HsvdResult<T>>>(hsvd<T>(G_, J_,
                                                           {.variant = *wanted.variant,
                                                            .backend = parse_backend(wanted.backend),
                                                            .compute_v = true,
                                                            .threads = wanted.threads}));
  }

  Judgement judge(const HsvdCase& judged, const Solution& solution) const {
    const HsvdResult<T>& result = static_cast<const Solved<HsvdResult<T>>&>(solution).result;
    Judgement judgement;
    judgement.problem = write_rows(hsvd_problem_rows(), problem_facts());
    if (judged.variant) {
      judgement.variant = variant_section(hsvd_names(), judged.solver);
      judgement.convergence = write_rows(hsvd_convergence_rows(), HsvdConvergence{result.sweeps});
    }
    if (result.sigma.empty()) return judgement;  // a baseline that did not converge
    const HsvdMetrics metrics = judge_hsvd(G_, J_, truth_, result);
    add_metrics(judgement, metrics, write_judged(hsvd_metric_rows(), metrics));
    return judgement;
  }

 private:
  HsvdProblemFacts problem_facts() const {
    HsvdProblemFacts facts{
        .provenance = provenance_, .norm_f = frobenius_norm(G_), .negative_signs = std::ranges::count(J_, -1)};
    if (truth_.sigma.empty()) return facts;
    const auto [least, most] = std::ranges::minmax_element(truth_.sigma);
    facts.smallest_sigma = static_cast<double>(*least), facts.largest_sigma = static_cast<double>(*most);
    return facts;
  }

  Matrix<T> G_;
  std::vector<int> J_;
  std::string provenance_;
  HsvdTruth truth_;
};

AnyMatrix make_matrix(const HsvdCase& wanted, std::string_view key, const std::filesystem::path& cache) {
  namespace fs = std::filesystem;
  if (is_rectangular_file(wanted.generator)) return load_rectangular(wanted.generator);
  const auto generate = [&] {
    return generate_rectangular(
        {.generator = wanted.generator, .type = wanted.type, .n = wanted.n, .m = wanted.m, .seed = wanted.seed});
  };
  if (wanted.m * wanted.n < cached_elements || !wanted.generator.starts_with("spectrum")) return generate();
  return cached(
      cache_file(cache, key), [](const fs::path& file) { return read_matrix(file); }, generate,
      [](const fs::path& file, const AnyMatrix& matrix) { write_matrix_market(file, matrix); });
}

}  // namespace

std::unique_ptr<Problem> make_hsvd_problem(const HsvdCase& hsvd_case, std::string_view key,
                                           const std::filesystem::path& cache) {
  return std::visit(
      [&]<class T>(Matrix<T> G) -> std::unique_ptr<Problem> {
        return std::make_unique<HsvdProblem<T>>(
            std::move(G), generate_signs(hsvd_case.signs, hsvd_case.n, hsvd_case.seed),
            fmt::format("{}, seed {}, signs {}", hsvd_case.generator, hsvd_case.seed, hsvd_case.signs));
      },
      make_matrix(hsvd_case, key, cache));
}

}  // namespace pivotlab::experiments
