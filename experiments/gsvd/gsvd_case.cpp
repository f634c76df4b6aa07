#include <experiments/common/axis_values.hpp>
#include <experiments/common/solver_names.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <pivotlab/peers.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

/// '?' is the letter of the type.
std::string replace_letter(std::string solver, ScalarType type) {
  if (is_peer(solver)) return peer_of_type(std::move(solver), type);
  std::replace(solver.begin(), solver.end(), '?', type == ScalarType::d ? 'D' : 'Z');
  return solver;
}

void interpret_peer(GsvdCase& result) {
  result.backend = library_of(result.solver);
  require_known_peer(result.solver, list_gsvd_peers(result.type), result.type);
}

void interpret_variant(GsvdCase& result) {
  const NamedGsvdVariant named = told_of_axis("solver", [&] { return parse_gsvd_variant(result.solver); });
  if (named.type != result.type)
    throw InputError(fmt::format("solver: '{}' is not of type {}; write '?' for the letter of the type", result.solver,
                                 static_cast<char>(result.type)));
  result.backend = backend_named(result.backend);
  result.variant = named.variant;
  result.solver = to_string(named.variant, named.type);
}

void interpret_generated(GsvdCase& result, const Case& axes) {
  result.generator = told_of_axis("generator", [&] { return canonical_generator(result.generator); });
  result.type = type_axis(axes);
  result.n = integer_axis(axes, "n", 1);
  result.seed = static_cast<std::uint64_t>(integer_axis(axes, "seed", 0));
  const auto rows = [&](const char* name) {
    const std::int64_t m = integer_axis(axes, name, 0);
    if (m != 0 && m < result.n)
      throw InputError(fmt::format("{}: is {}, must be at least n = {} (or 0 for n)", name, m, result.n));
    return m == 0 ? result.n : static_cast<Index>(m);
  };
  result.m_f = rows("m_f");
  result.m_g = rows("m_g");
}

void interpret_file(GsvdCase& result) {
  const PairIdentity& identity = identify_pair(result.generator);
  result.type = identity.type;
  result.n = identity.n;
  result.m_f = identity.m_f;
  result.m_g = identity.m_g;
  result.digest = identity.digest;
}

}  // namespace

GsvdCase interpret(const Case& axes) {
  GsvdCase result;
  result.generator = text_axis(axes, "generator");
  if (is_file_source(result.generator))
    interpret_file(result);
  else
    interpret_generated(result, axes);
  const std::int64_t threads = integer_axis(axes, "threads", 0);
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.backend = text_axis(axes, "backend");
  result.solver = replace_letter(text_axis(axes, "solver"), result.type);
  if (is_peer(result.solver))
    interpret_peer(result);
  else
    interpret_variant(result);
  if (result.on_gpu()) result.threads = 1;
  return result;
}

Case to_case(const GsvdCase& interpreted) {
  Case axes = {{"method", std::string("gsvd")},
               {"type", std::string(1, static_cast<char>(interpreted.type))},
               {"n", std::int64_t{interpreted.n}},
               {"m_f", std::int64_t{interpreted.m_f}},
               {"m_g", std::int64_t{interpreted.m_g}},
               {"generator", interpreted.generator},
               {"seed", static_cast<std::int64_t>(interpreted.seed)},
               {"solver", interpreted.solver},
               {"backend", interpreted.backend},
               {"threads", std::int64_t{interpreted.threads}}};
  if (!interpreted.digest.empty()) axes["digest"] = interpreted.digest;
  return axes;
}

}  // namespace pivotlab::experiments
