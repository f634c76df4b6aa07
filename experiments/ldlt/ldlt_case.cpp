#include <experiments/ldlt/ldlt.hpp>
#include <experiments/problems/axis_values.hpp>

namespace pivotlab::experiments {
namespace {

double tolerance_axis(const Case& axes) {
  const double tolerance = number_axis(axes, "tolerance");
  if (!(0 <= tolerance && tolerance < 1))
    throw InputError(fmt::format("tolerance: {} is not in [0, 1); it is relative to max|A|", tolerance));
  return tolerance;
}

/// Reads the axis `gjg`, which applies to variants only.
bool gjg_axis(const LdltCase& of, const Case& axes) {
  const bool wanted = flag_axis(axes, "gjg") && of.variant;
  if (wanted && of.type == ScalarType::z && of.symmetry == Symmetry::symmetric)
    throw InputError("gjg: a complex symmetric matrix has no signs for J; take hermitian, or leave it out");
  return wanted;
}

LdltStorage storage_of(const LdltCase& of, const Case& axes) {
  const auto calls = [&](const char* routine) { return of.solver.find(routine) != std::string::npos; };
  const bool packed = of.variant ? text_axis(axes, "storage") == "packed" : calls("sptrf") || calls("hptrf");
  return packed ? LdltStorage::packed : LdltStorage::full;
}

}  // namespace

std::string_view to_string(Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? "hermitian" : "symmetric";
}

std::string_view to_string(LdltStorage storage) {
  return storage == LdltStorage::packed ? "packed" : "full";
}

LdltCase interpret_ldlt(const Case& axes) {
  LdltCase result;
  static_cast<ProblemCase&>(result) = read_problem(symmetrics(), axes);
  if (result.type == ScalarType::d) result.symmetry = Symmetry::symmetric;
  result.tolerance = tolerance_axis(axes);
  read_solver(result, axes, list_ldlt_baselines(result.type, result.symmetry),
              [&](const std::string& name) { return to_string(*(result.variant = parse_ldlt_variant(name))); });
  result.storage = storage_of(result, axes);
  result.gjg = gjg_axis(result, axes);
  return result;
}

void write_axes(const LdltCase& interpreted, Case& axes) {
  axes["symmetry"] = std::string(to_string(interpreted.symmetry));
  axes["storage"] = std::string(to_string(interpreted.storage));
  axes["tolerance"] = interpreted.tolerance == 0 ? Value(std::int64_t{0}) : Value(interpreted.tolerance);
  if (interpreted.gjg) axes["gjg"] = true;  // cases without gjg keep their keys from before this axis was added
}

}  // namespace pivotlab::experiments
