#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/gsvd_commands.hpp>
#include <experiments/gsvd/gsvd_estimate.hpp>
#include <experiments/gsvd/gsvd_method.hpp>
#include <experiments/gsvd/gsvd_problem.hpp>
#include <experiments/gsvd/gsvd_problem_over.hpp>
#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/gsvd/pair_source.hpp>
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
  Claims claims() const override {
    return {
        "each column of U, V and Z is exact for a pair whose columns differ from the given ones by no more than "
        "the bounds of backward_f and backward_g, and U and V are orthonormal to working precision",
        "digits of single σ, which are compared with the true ones only where these are known; ranks k and l "
        "that rounding errors decide; of large pairs (probes above 0) the residuals themselves, which are "
        "estimated with random vectors"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(gsvd_problem_rows())},
                                             {"convergence", quantities_of(gsvd_convergence_rows())},
                                             {"metrics", quantities_of(gsvd_metric_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("d"),
        order_axis_info("Order: columns of F and G", 512, 1),
        row_count_axis_info("m_f", "Rows of F: one for all n, one for each, or a multiple like 2n; 0: n"),
        row_count_axis_info("m_g", "Rows of G, in the same form"),
        generator_axis_info(
            "Source of the pair: a generator such as 'graded;g={4,8}', or file:, files:, cholesky:, difference:",
            "paper", is_file_source),
        seed_axis_info(),
        solver_axis_info("?HZ0-(ME-FB-ME)"),
        backend_axis_info(),
        threads_axis_info(),
        {.name = "ranks",
         .summary =
             "Number of GPUs, or of groups of threads, of a solver such as '?HZ0-(ME-BO, ME-FB-ME)'; others have none",
         .default_value = std::int64_t{1},
         .domain = {.optional = true, .minimum = 1},
         .role = AxisRole::platform,
         .without_cases = "take a solver over ranks, such as '?HZ0-(ME-BO, ME-FB-ME)'"},
        {.name = "transport",
         .summary = "Way of its stripes from GPU to GPU: copy, nccl, mpi (of processes), host (through its memory)",
         .default_value = std::string("copy"),
         .domain = {.optional = true, .choices = {"copy", "nccl", "mpi", "host"}},
         .role = AxisRole::platform,
         .without_cases = "it is a way from GPU to GPU; take --backend cuda and a solver over ranks"}};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override {
    return {&gsvd_names(), &distributed_names(), &tangent_names()};
  }
  std::vector<ListEntry> generators() const override { return entries_of(list_pair_generators(), pair_sources()); }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_gsvd_baselines(ScalarType::d), list_gsvd_baselines(ScalarType::z)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"--variant 0:7 --block FB,BO -n 64:256:64 --baseline lapack:dggsvd3",
            "--type d,z --variant 0:7 --block FB,BO --outer ME,MM -n 128",
            "-n 256 -w 8,16,32,64 --sort on,off --repeat 5",
            "-n 100,200 --m-f 2n --m-g 400 --generator 'graded;g={4,8,12}' --format csv",
            "-n 96 --solver '?HZ{0..7}-({ME,MM}-FB-ME)' -o runs/strategies",
            "--type z -n 192 --solver A,B,C,D --ranks 1,2,4",
            "-n 12 --m-f 9 --m-g 7 --generator 'ranks;k=2;l={3,5}' --baseline lapack:?ggsvd3"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_gsvd(interpret(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_gsvd_problem(interpret(axes), digest(canonical_json(problem(axes))), cache);
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_gsvd_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_gsvd_command(); }

  std::string_view ranks_axis() const override { return "ranks"; }
  std::unique_ptr<Problem> make_problem_over(Transport& ranks, const Case& axes) const override {
    return make_gsvd_problem_over(ranks, interpret(axes));
  }
  std::shared_ptr<const CommandDescription> solve_command_over(Transport& ranks) const override {
    return solve_gsvd_command_over(ranks);
  }
};

}  // namespace

const Method& gsvd_method() {
  static const GsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
