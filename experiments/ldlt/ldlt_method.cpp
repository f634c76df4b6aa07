#include <experiments/common/solver_names.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/ldlt/ldlt_case.hpp>
#include <experiments/ldlt/ldlt_estimate.hpp>
#include <experiments/ldlt/ldlt_method.hpp>
#include <experiments/ldlt/ldlt_problem.hpp>
#include <experiments/ldlt/ldlt_sections.hpp>
#include <variants/names.hpp>

#include <limits>

namespace pivotlab::experiments {
namespace {

class LdltMethod final : public Method {
 public:
  std::string_view name() const override { return "ldlt"; }
  std::string_view title() const override { return "Symmetric indefinite factorization"; }
  std::string_view summary() const override {
    return "P·A·Pᵀ = M·D·M* with complete (Bunch–Parlett), rook or partial (Bunch–Kaufman) pivoting";
  }

  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = {{"variant", variant_quantities({&ldlt_names()})},
                                             {"problem", quantities_of(ldlt_problem_rows())},
                                             {"metrics", quantities_of(ldlt_metric_rows(), ldlt_solver_rows())}};
    return all;
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {"type", "scalar type: d real, z complex", std::string("d"), {.choices = {"d", "z"}}},
        {"symmetry",
         "of complex matrices: hermitian or symmetric",
         std::string("hermitian"),
         {.choices = {"hermitian", "symmetric"}}},
        {"n", "order", std::int64_t{512}, {.minimum = 0}},
        {"generator", "where the matrix comes from: a generator, or file:", std::string("equidistant")},
        {"seed", "of the generator", std::int64_t{1}, {.minimum = 0}},
        {"solver", "a variant or a peer; '?' is the letter of the type", std::string("LDLT-BP")},
        {"storage", "of the variants: packed or full", std::string("packed"), {.choices = {"packed", "full"}}},
        {"tolerance",
         "what counts as zero, relative to max|A|",
         std::numeric_limits<double>::epsilon(),
         {.minimum = 0, .maximum = 1, .open_maximum = true}},
        {"gjg", "also G J G*, beside the same in quad", false, {.optional = true}},
        backend_axis(),
        {"threads", "0: all cores", std::int64_t{default_threads()}, {.minimum = 1}}};
    return infos;
  }

  Case canonical(const Case& axes) const override { return to_case(interpret_ldlt(axes)); }

  Case problem(const Case& axes) const override {
    Case result = axes;
    for (const char* name : {"solver", "storage", "tolerance", "gjg", "backend", "threads"}) result.erase(name);
    return result;
  }

  Estimate estimate(const Case& axes) const override { return estimate_ldlt(interpret_ldlt(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    return make_ldlt_problem(interpret_ldlt(axes), digest(canonical_json(problem(axes))), cache);
  }
};

}  // namespace

const Method& ldlt_method() {
  static const LdltMethod method;
  return method;
}

}  // namespace pivotlab::experiments
