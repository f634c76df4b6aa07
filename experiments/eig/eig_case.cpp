#include <experiments/common/axis_values.hpp>
#include <experiments/common/solver_names.hpp>
#include <experiments/eig/eig_case.hpp>
#include <experiments/eig/general_source.hpp>
#include <experiments/engine/environment.hpp>

namespace pivotlab::experiments {
namespace {

bool wants_left(const Case& axes) {
  const std::string& name = text_axis(axes, "vectors");
  if (name != "right" && name != "both")
    throw InputError(fmt::format("vectors: there is no '{}'; take right or both", name));
  return name == "both";
}

void interpret_matrix(EigCase& result, const Case& axes) {
  result.generator = text_axis(axes, "generator");
  if (is_general_file(result.generator)) {
    const GeneralIdentity& identity = identify_general(result.generator);
    result.type = identity.type;
    result.n = identity.n;
    result.digest = identity.digest;
    return;
  }
  result.generator = told_of_axis("generator", [&] { return canonical_general_generator(result.generator); });
  result.type = type_axis(axes);
  result.n = integer_axis(axes, "n", 0);
  result.seed = static_cast<std::uint64_t>(integer_axis(axes, "seed", 0));
}

void interpret_solver(EigCase& result) {
  if (is_peer(result.solver)) {
    result.solver = peer_of_type(std::move(result.solver), result.type);
    result.backend = library_of(result.solver);
    require_known_peer(result.solver, list_eig_peers(result.type), result.type);
  } else {
    result.variant = told_of_axis("solver", [&] { return parse_eig_variant(result.solver); });
    result.solver = to_string(*result.variant);
    result.backend = backend_named(result.backend);
  }
}

}  // namespace

EigCase interpret_eig(const Case& axes) {
  EigCase result;
  interpret_matrix(result, axes);
  result.left = wants_left(axes);
  const std::int64_t threads = integer_axis(axes, "threads", 0);
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.backend = text_axis(axes, "backend");
  result.solver = text_axis(axes, "solver");
  interpret_solver(result);
  if (result.on_gpu()) result.threads = 1;
  return result;
}

Case to_case(const EigCase& interpreted) {
  Case axes = {{"method", std::string("eig")},
               {"type", std::string(1, static_cast<char>(interpreted.type))},
               {"n", std::int64_t{interpreted.n}},
               {"generator", interpreted.generator},
               {"seed", static_cast<std::int64_t>(interpreted.seed)},
               {"solver", interpreted.solver},
               {"vectors", std::string(interpreted.left ? "both" : "right")},
               {"backend", interpreted.backend},
               {"threads", std::int64_t{interpreted.threads}}};
  if (!interpreted.digest.empty()) axes["digest"] = interpreted.digest;
  return axes;
}

}  // namespace pivotlab::experiments
