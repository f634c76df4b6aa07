#include <experiments/common/axis_values.hpp>
#include <experiments/hsvd/hsvd_case.hpp>
#include <experiments/hsvd/rectangular_source.hpp>
#include <pivotlab/generate.hpp>

namespace pivotlab::experiments {
namespace {

void read_file(HsvdCase& result, const Case& axes) {
  if (read_identified(result, axes)) {
    result.m = integer_axis(axes, "m", 0);
    return;
  }
  result.generator = text_axis(axes, "generator");
  const RectangularIdentity& identity = with_axis_context(
      "generator", [&]() -> const RectangularIdentity& { return identify_rectangular(result.generator); });
  result.type = identity.type;
  result.m = identity.m;
  result.n = identity.n;
  result.seed = seed_axis(axes);
  result.digest = identity.digest;
}

void read_rows(HsvdCase& result, const Case& axes) {
  const std::int64_t m = integer_axis(axes, "m", 0);
  if (m != 0 && m < result.n)
    throw InputError(fmt::format("m: is {}, must be at least n = {} (or 0 for n)", m, result.n));
  result.m = m == 0 ? result.n : static_cast<Index>(m);
}

/// Throws InputError for a solver of singular values with signs −1.
void require_solver_for_signs(const HsvdCase& wanted) {
  if (wanted.signs == "positive" || (wanted.variant && !wanted.variant->qrp)) return;
  throw InputError(
      fmt::format("solver: {} computes singular values, and J has signs -1; take the signs 'positive'", wanted.solver));
}

}  // namespace

HsvdCase interpret_hsvd(const Case& axes) {
  HsvdCase result;
  if (is_rectangular_file(text_axis(axes, "generator"))) {
    read_file(result, axes);
  } else {
    read_generated(result, axes, canonical_rectangular_generator, 1);
    read_rows(result, axes);
  }
  result.signs = text_axis(axes, "signs");
  read_solver(result, axes, list_svd_baselines(result.type), Symmetry::hermitian,
              [&](const std::string& name) { return to_string(*(result.variant = parse_hsvd_variant(name))); });
  require_solver_for_signs(result);
  return result;
}

Case to_case(const HsvdCase& interpreted) {
  Case axes = to_case("hsvd", static_cast<const SolverCase&>(interpreted));
  axes["m"] = std::int64_t{interpreted.m};
  axes["signs"] = interpreted.signs;
  return axes;
}

}  // namespace pivotlab::experiments
