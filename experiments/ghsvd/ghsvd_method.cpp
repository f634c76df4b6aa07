#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/ghsvd/ghsvd_case.hpp>
#include <experiments/ghsvd/ghsvd_commands.hpp>
#include <experiments/ghsvd/ghsvd_estimate.hpp>
#include <experiments/ghsvd/ghsvd_method.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/ghsvd/ghsvd_problem.hpp>
#include <experiments/ghsvd/ghsvd_sections.hpp>
#include <experiments/gsvd/gsvd_commands.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <variants/names.hpp>

namespace pivotlab::experiments {
namespace {

class GhsvdMethod final : public Method {
 public:
  std::string_view name() const override { return "ghsvd"; }
  std::string_view title() const override { return "Generalized hyperbolic singular value decomposition"; }
  std::string_view summary() const override {
    return "F·Z = U·Σ_F, G·Z = V·Σ_G with U*JU = J', V*V = I: eigenvalues of (F*JF, G*G) by tangent reduction and "
           "Jacobi";
  }
  Claims claims() const override {
    return {
        "the factors satisfy all equations to their bounds, so that all λ belong to a pair nearby, normwise; "
        "and, up to n = 64, that every error is at most 10 estimates (30 with the direct method) and no sign is "
        "wrong that is not marked as noise. Gershgorin's theorem for the pencil (Z*F*JFZ, Z*G*GZ) encloses "
        "the true eigenvalues for any Z",
        "eigenvalues above n = 64, or without 20 enclosed digits; errors of single columns of Z"};
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities(variants())},
                                             {"problem", quantities_of(ghsvd_problem_rows())},
                                             {"convergence", quantities_of(ghsvd_convergence_rows())},
                                             {"metrics", quantities_of(ghsvd_metric_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        type_axis_info("d"),
        order_axis_info("Order: columns of F and G", 128, 1),
        row_count_axis_info("m_f", "Rows of F: one for all n, one for each, or a multiple like 2n; 0: n"),
        row_count_axis_info("m_g", "Rows of G, in the same form; at least n"),
        generator_axis_info("Source of the pair: a generator such as 'two-sided;columns_f=random;g={2..6}', or file:, "
                            "files:, cholesky:, difference:",
                            "random", is_file_source),
        {.name = "signs",
         .summary = "Diagonal of J: positive (J = I), halves (the second is -1), third (every third is -1), random",
         .default_value = std::string("third"),
         .domain = {.choices = {sign_patterns.begin(), sign_patterns.end()}}},
        seed_axis_info(),
        solver_axis_info(to_string(GhsvdVariant{})),
        backend_axis_info(),
        threads_axis_info()};
    return infos;
  }

  std::vector<const VariantNames*> variants() const override { return {&ghsvd_names()}; }
  std::vector<ListEntry> generators() const override {
    std::vector<GeneratorInfo> kinds = list_pair_generators();
    for (GeneratorInfo& kind : kinds)
      std::erase_if(kind.options, [](const auto& option) { return option.name == "truth"; });  // of σ
    return entries_of(kinds, pair_sources());
  }
  std::vector<ListEntry> baselines() const override {
    return entries_of({list_ghsvd_baselines(ScalarType::d), list_ghsvd_baselines(ScalarType::z)});
  }
  std::vector<std::string> sweep_examples() const override {
    return {"-n 32 --m-f 2n --m-g 2n --generator 'two-sided;columns_f=random;g={2,4,6}' --baseline lapack:dsygvd",
            "-n 32,64 --solver 'GHSVD-TR-ME-BO{,;precision=working},GHSVD-HZ-ME-PT'",
            "-n 32 --m-f 2n --generator neutral --signs halves",
            "-n 64 --m-g 2n --generator 'waves;overlap=0.1' --type z --format csv"};
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_ghsvd(axes)); }

  Estimate estimate(const Case& axes) const override { return estimate_ghsvd(interpret_ghsvd(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path&) const override {
    return make_ghsvd_problem(interpret_ghsvd(axes));
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return solve_ghsvd_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return generate_signed_pair_command(); }
};

}  // namespace

const Method& ghsvd_method() {
  static const GhsvdMethod method;
  return method;
}

}  // namespace pivotlab::experiments
