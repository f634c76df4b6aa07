#include <experiments/common/solver_names.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/gsvd_estimate.hpp>
#include <experiments/gsvd/gsvd_method.hpp>
#include <experiments/gsvd/gsvd_problem.hpp>
#include <experiments/gsvd/gsvd_problem_over.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

class GsvdMethod final : public Method {
 public:
  std::string_view name() const override { return "gsvd"; }
  std::string_view title() const override { return "Generalized singular value decomposition"; }
  std::string_view summary() const override {
    return "F = U·Σ_F·X, G = V·Σ_G·X by the blocked one-sided Hari–Zimmermann method";
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities({&gsvd_names(), &distributed_names()})},
                                             {"problem", quantities_of(gsvd_problem_rows())},
                                             {"convergence", quantities_of(gsvd_convergence_rows())},
                                             {"metrics", quantities_of(gsvd_metric_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {"type", "scalar type: d real, z complex", std::string("d"), {.choices = {"d", "z"}}},
        {"n", "columns of F and G", std::int64_t{512}, {.minimum = 1}},
        {"m_f", "rows of F; 0: n", std::int64_t{0}, {.minimum = 1}},
        {"m_g", "rows of G; 0: n", std::int64_t{0}, {.minimum = 1}},
        {"generator",
         "where the pair comes from: a generator, or file:, files:, cholesky:, difference:", std::string("paper")},
        {"seed", "of the generator", std::int64_t{1}, {.minimum = 0}},
        {"solver", "a variant or a peer; '?' is the letter of the type", std::string("?HZ0-(ME-FB-ME)")},
        backend_axis(),
        {"threads", "0: all cores", std::int64_t{default_threads()}, {.minimum = 1}},
        {"ranks",
         "GPUs, or groups of threads, of a solver such as ?HZ0-(ME-BO, ME-FB-ME); others have none",
         std::int64_t{1},
         {.optional = true, .minimum = 1}},
        {"transport",
         "of its stripes from GPU to GPU: copy, nccl, mpi (of processes), host (through its memory)",
         std::string("copy"),
         {.optional = true, .choices = {"copy", "nccl", "mpi", "host"}}}};
    return infos;
  }

  Case canonical(const Case& axes) const override { return to_case(interpret(axes)); }

  Case problem(const Case& axes) const override {
    Case result = axes;
    for (const char* name : {"solver", "backend", "threads", "ranks", "transport"}) result.erase(name);
    return result;
  }

  Estimate estimate(const Case& axes) const override { return estimate_gsvd(interpret(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_gsvd_problem(interpret(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const override {
    return make_gsvd_problem_over(ranks, interpret(axes));
  }
};

}  // namespace

const Method& gsvd_method() {
  static const GsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
