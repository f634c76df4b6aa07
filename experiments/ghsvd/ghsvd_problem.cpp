#include <fmt/format.h>
#include <experiments/common/solved.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/engine/prepared.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/ghsvd/ghsvd_problem.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <kernels/verification/norms.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <variants/names.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

template <class T>
class GhsvdProblem final : public Problem {
 public:
  GhsvdProblem(Pair<T> pair, std::vector<int> J, std::string provenance)
      : pair_(std::move(pair)),
        J_(std::move(J)),
        provenance_(std::move(provenance)),
        truth_(ghsvd_truth(pair_.F, pair_.G, J_)) {}

  std::unique_ptr<Run> prepare(const Case& axes) const override { return prepared(*this, interpret_ghsvd(axes)); }

  std::unique_ptr<Solution> solve(const GhsvdCase& wanted) const {
    if (!wanted.variant)
      return std::make_unique<Solved<GhsvdResult<T>>>(
          solve_ghsvd_with_baseline<T>(wanted.solver, pair_.F, pair_.G, J_, wanted.threads));
    return std::make_unique<Solved<GhsvdResult<T>>>(
        ghsvd<T>(pair_.F, pair_.G, J_,
                 {.variant = *wanted.variant, .backend = parse_backend(wanted.backend), .threads = wanted.threads}));
  }

  Judgement judge(const GhsvdCase& judged, const Solution& solution) const {
    const GhsvdResult<T>& result = static_cast<const Solved<GhsvdResult<T>>&>(solution).result;
    Judgement judgement;
    judgement.problem = write_rows(ghsvd_problem_rows(), problem_facts());
    if (judged.variant) {
      judgement.variant = variant_section(ghsvd_names(), judged.solver);
      judgement.convergence = write_rows(ghsvd_convergence_rows(), GhsvdConvergence(result));
    }
    if (result.status == Status::failed) return judgement;  // without factors
    const GhsvdMetrics metrics = judge_ghsvd(pair_.F, pair_.G, J_, truth_, result);
    add_metrics(judgement, metrics, write_judged(ghsvd_metric_rows(), metrics));
    return judgement;
  }

 private:
  GhsvdProblemFacts problem_facts() const {
    GhsvdProblemFacts facts{.provenance = provenance_,
                            .norm_f = frobenius_norm(pair_.F),
                            .norm_g = frobenius_norm(pair_.G),
                            .negative_signs = std::ranges::count(J_, -1)};
    if (truth_.eigenvalues.empty()) return facts;
    std::vector<double> moduli;
    for (const Quad& x : truth_.eigenvalues) moduli.push_back(std::abs(static_cast<double>(x)));
    const auto [least, most] = std::ranges::minmax(moduli);
    facts.smallest_eigenvalue = least, facts.largest_eigenvalue = most;
    return facts;
  }

  Pair<T> pair_;
  std::vector<int> J_;
  std::string provenance_;
  GhsvdTruth truth_;
};

AnyPair make_pair(const GhsvdCase& wanted) {
  if (is_file_source(wanted.generator)) return load_pair(wanted.generator);
  return generate_pair({.generator = wanted.generator,
                        .type = wanted.type,
                        .n = wanted.n,
                        .m_f = wanted.m_f,
                        .m_g = wanted.m_g,
                        .seed = wanted.seed,
                        .sigma = false});
}

}  // namespace

std::unique_ptr<Problem> make_ghsvd_problem(const GhsvdCase& ghsvd_case) {
  return std::visit(
      [&]<class T>(Pair<T> pair) -> std::unique_ptr<Problem> {
        const std::string provenance = fmt::format("{}, signs {}", pair.provenance, ghsvd_case.signs);
        return std::make_unique<GhsvdProblem<T>>(
            std::move(pair), generate_signs(ghsvd_case.signs, ghsvd_case.m_f, ghsvd_case.seed), provenance);
      },
      make_pair(ghsvd_case));
}

}  // namespace pivotlab::experiments
