#include <experiments/common/axis_values.hpp>
#include <experiments/eig/eig_case.hpp>
#include <experiments/eig/general_source.hpp>

namespace pivotlab::experiments {
namespace {

void read_file(EigCase& result, const Case& axes) {
  if (read_identified(result, axes)) return;
  result.generator = text_axis(axes, "generator");
  const GeneralIdentity& identity =
      with_axis_context("generator", [&]() -> const GeneralIdentity& { return identify_general(result.generator); });
  result.type = identity.type;
  result.n = identity.n;
  result.digest = identity.digest;
}

}  // namespace

EigCase interpret_eig(const Case& axes) {
  EigCase result;
  if (is_general_file(text_axis(axes, "generator")))
    read_file(result, axes);
  else
    read_generated(result, axes, canonical_general_generator, 0);
  result.left = text_axis(axes, "vectors") == "both";
  read_solver(result, axes, list_eig_baselines(result.type), Symmetry::hermitian,
              [&](const std::string& name) { return to_string(*(result.variant = parse_eig_variant(name))); });
  return result;
}

Case to_case(const EigCase& interpreted) {
  Case axes = to_case("eig", static_cast<const SolverCase&>(interpreted));
  axes["vectors"] = std::string(interpreted.left ? "both" : "right");
  return axes;
}

}  // namespace pivotlab::experiments
