#include <experiments/common/axis_values.hpp>
#include <experiments/eigh/eigh_case.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <pivotlab/generate.hpp>

namespace pivotlab::experiments {
namespace {

void read_file(EighCase& result, const Case& axes) {
  if (read_identified(result, axes)) return;
  result.generator = text_axis(axes, "generator");
  const MatrixIdentity& identity = with_axis_context(
      "generator", [&]() -> const MatrixIdentity& { return identify_matrix(result.generator, Symmetry::hermitian); });
  if (identity.type == ScalarType::z && identity.symmetry == Symmetry::symmetric)
    throw InputError("generator: the matrix is complex symmetric; give a Hermitian one");
  result.type = identity.type;
  result.n = identity.n;
  result.digest = identity.digest;
  if (is_permuted_file(result.generator)) result.seed = seed_axis(axes);
}

}  // namespace

EighCase interpret_eigh(const Case& axes) {
  EighCase result;
  if (is_matrix_file(text_axis(axes, "generator")))
    read_file(result, axes);
  else
    read_generated(result, axes, canonical_symmetric_generator, 0);
  read_solver(result, axes, list_eigh_baselines(result.type), Symmetry::hermitian,
              [&](const std::string& name) { return to_string(*(result.variant = parse_eigh_variant(name))); });
  return result;
}

Case to_case(const EighCase& interpreted) {
  return to_case("eigh", static_cast<const SolverCase&>(interpreted));
}

}  // namespace pivotlab::experiments
