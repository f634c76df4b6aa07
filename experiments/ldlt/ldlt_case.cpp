#include <experiments/common/axis_values.hpp>
#include <experiments/common/solver_names.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/ldlt/ldlt_case.hpp>
#include <experiments/ldlt/matrix_source.hpp>

namespace pivotlab::experiments {
namespace {

Symmetry symmetry_axis(const Case& axes) {
  const std::string& name = text_axis(axes, "symmetry");
  if (name == "symmetric") return Symmetry::symmetric;
  if (name == "hermitian") return Symmetry::hermitian;
  throw InputError(fmt::format("symmetry: unknown symmetry '{}'; take hermitian or symmetric", name));
}

LdltStorage storage_axis(const Case& axes) {
  const std::string& name = text_axis(axes, "storage");
  if (name == "packed") return LdltStorage::packed;
  if (name == "full") return LdltStorage::full;
  throw InputError(fmt::format("storage: unknown storage '{}'; take packed or full", name));
}

double tolerance_axis(const Case& axes) {
  const double tolerance = number_axis(axes, "tolerance");
  if (!(0 <= tolerance && tolerance < 1))
    throw InputError(fmt::format("tolerance: {} is not in [0, 1); it is relative to max|A|", tolerance));
  return tolerance;
}

std::uint64_t seed_axis(const Case& axes) {
  return static_cast<std::uint64_t>(integer_axis(axes, "seed", 0));
}

void interpret_generated(LdltCase& result, const Case& axes) {
  result.generator = told_of_axis("generator", [&] { return canonical_symmetric_generator(result.generator); });
  result.type = type_axis(axes);
  result.symmetry = symmetry_axis(axes);
  result.n = integer_axis(axes, "n", 0);
  result.seed = seed_axis(axes);
}

void interpret_file(LdltCase& result, const Case& axes) {
  const MatrixIdentity& identity = identify_matrix(result.generator, symmetry_axis(axes));
  result.type = identity.type;
  result.symmetry = identity.symmetry;
  result.n = identity.n;
  result.digest = identity.digest;
  if (is_permuted_file(result.generator)) result.seed = seed_axis(axes);
}

/// Of variants only: libraries have no such thing.
bool gjg_axis(const LdltCase& of, const Case& axes) {
  const bool wanted = flag_axis(axes, "gjg") && of.variant;
  if (wanted && of.type == ScalarType::z && of.symmetry == Symmetry::symmetric)
    throw InputError("gjg: a complex symmetric matrix has no signs for J; take hermitian, or leave it out");
  return wanted;
}

void interpret_solver(LdltCase& result) {
  if (is_peer(result.solver)) {
    result.solver = peer_of_type(std::move(result.solver), result.type, result.symmetry);
    result.backend = library_of(result.solver);
    require_known_peer(result.solver, list_ldlt_peers(result.type, result.symmetry), result.type);
    const bool packed =
        result.solver.find("sptrf") != std::string::npos || result.solver.find("hptrf") != std::string::npos;
    result.storage = packed ? LdltStorage::packed : LdltStorage::full;
  } else {
    result.variant = told_of_axis("solver", [&] { return parse_ldlt_variant(result.solver); });
    result.solver = to_string(*result.variant);
    result.backend = backend_named(result.backend);
  }
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
  result.generator = text_axis(axes, "generator");
  if (is_matrix_file(result.generator))
    interpret_file(result, axes);
  else
    interpret_generated(result, axes);
  if (result.type == ScalarType::d) result.symmetry = Symmetry::symmetric;
  result.storage = storage_axis(axes);
  result.tolerance = tolerance_axis(axes);
  const std::int64_t threads = integer_axis(axes, "threads", 0);
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.backend = text_axis(axes, "backend");
  result.solver = text_axis(axes, "solver");
  interpret_solver(result);
  result.gjg = gjg_axis(result, axes);
  if (result.on_gpu()) result.threads = 1;
  return result;
}

Case to_case(const LdltCase& interpreted) {
  const Value tolerance = interpreted.tolerance == 0 ? Value(std::int64_t{0}) : Value(interpreted.tolerance);
  Case axes = {{"method", std::string("ldlt")},
               {"type", std::string(1, static_cast<char>(interpreted.type))},
               {"symmetry", std::string(to_string(interpreted.symmetry))},
               {"n", std::int64_t{interpreted.n}},
               {"generator", interpreted.generator},
               {"seed", static_cast<std::int64_t>(interpreted.seed)},
               {"solver", interpreted.solver},
               {"storage", std::string(to_string(interpreted.storage))},
               {"tolerance", tolerance},
               {"backend", interpreted.backend},
               {"threads", std::int64_t{interpreted.threads}}};
  if (interpreted.gjg) axes["gjg"] = true;  // cases without keep the keys that they had before there was this axis
  if (!interpreted.digest.empty()) axes["digest"] = interpreted.digest;
  return axes;
}

}  // namespace pivotlab::experiments
