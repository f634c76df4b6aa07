#include <experiments/common/solver_names.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/ldlt/ldlt_case.hpp>
#include <experiments/ldlt/ldlt_estimate.hpp>
#include <experiments/ldlt/ldlt_method.hpp>
#include <experiments/ldlt/ldlt_problem.hpp>

#include <limits>

namespace pivotlab::experiments {
namespace {

class LdltMethod final : public Method {
 public:
  std::string_view name() const override { return "ldlt"; }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = {
        {"type", "scalar type: d real, z complex", std::string("d")},
        {"symmetry", "of complex matrices: hermitian or symmetric", std::string("hermitian")},
        {"n", "order", std::int64_t{512}},
        {"generator", "where the matrix comes from: a generator, or file:", std::string("equidistant")},
        {"seed", "of the generator", std::int64_t{1}},
        {"solver", "a variant or a peer; '?' is the letter of the type", std::string("LDLT-BP")},
        {"storage", "of the variants: packed or full", std::string("packed")},
        {"tolerance", "what counts as zero, relative to max|A|", std::numeric_limits<double>::epsilon()},
        {"gjg", "also G J G*, beside the same in quad", false},
        backend_axis(),
        {"threads", "0: all cores", std::int64_t{default_threads()}}};
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
