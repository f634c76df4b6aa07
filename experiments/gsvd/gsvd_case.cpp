#include <fmt/format.h>
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <kernels/text/nearest.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/peers.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

std::int64_t integer(const Case& axes, const char* name, std::int64_t least) {
  const auto value = std::get<std::int64_t>(axes.at(name));
  if (value < least) throw InputError(fmt::format("{}: is {}, must be at least {}", name, value, least));
  return value;
}

const std::string& text(const Case& axes, const char* name) {
  return std::get<std::string>(axes.at(name));
}

ScalarType parse_type(const std::string& name) {
  if (name == "d") return ScalarType::d;
  if (name == "z") return ScalarType::z;
  throw InputError(fmt::format("type: unknown scalar type '{}'; take d (real) or z (complex)", name));
}

/// Peers have a namespace, "lapack:dggsvd3"; variants never hold a colon.
bool is_peer(std::string_view solver) {
  return solver.find(':') != std::string_view::npos;
}

/// '?' is the letter of the type. LAPACK calls symmetric what is Hermitian in the complex case, and orthogonal what is
/// unitary, so that "?sy" and "?he", "?or" and "?un" mean the same here.
std::string replace_letter(std::string solver, ScalarType type) {
  const bool real = type == ScalarType::d;
  if (!is_peer(solver)) {
    std::replace(solver.begin(), solver.end(), '?', real ? 'D' : 'Z');
    return solver;
  }
  for (std::size_t at = 0; (at = solver.find('?', at)) != std::string::npos; ++at) {
    const std::string stem = solver.substr(at + 1, 2);
    if (stem == "sy" || stem == "he") solver.replace(at + 1, 2, real ? "sy" : "he");
    if (stem == "or" || stem == "un") solver.replace(at + 1, 2, real ? "or" : "un");
    solver[at] = static_cast<char>(type);
  }
  return solver;
}

void interpret_peer(GsvdCase& result) {
  result.backend = result.solver.substr(0, result.solver.find(':'));
  const std::vector<PeerInfo> peers = list_gsvd_peers(result.type);
  std::vector<std::string> names;
  bool library_is_known = false;
  for (const PeerInfo& peer : peers) {
    names.push_back(peer.name);
    library_is_known |= peer.name.starts_with(result.backend + ":");
  }
  // A build without LAPACK knows no names of it; the case will tell that it is not supported.
  if (result.backend == "lapack" && !library_is_known) return;
  if (std::find(names.begin(), names.end(), result.solver) == names.end())
    throw InputError(fmt::format("solver: unknown peer '{}' for type {}; {}", result.solver,
                                 static_cast<char>(result.type), nearest_text(result.solver, names)));
}

void interpret_variant(GsvdCase& result) {
  NamedGsvdVariant named;
  try {
    named = parse_gsvd_variant(result.solver);
  } catch (const InputError& error) {
    throw InputError(fmt::format("solver: {}", error.what()));
  }
  if (named.type != result.type)
    throw InputError(fmt::format("solver: '{}' is not of type {}; write '?' for the letter of the type", result.solver,
                                 static_cast<char>(result.type)));
  try {
    result.backend = to_string(parse_backend(result.backend));
  } catch (const InputError& error) {
    throw InputError(fmt::format("backend: {}", error.what()));
  }
  result.variant = named.variant;
  result.solver = to_string(named.variant, named.type);
}

void interpret_generated(GsvdCase& result, const Case& axes) {
  try {
    result.generator = canonical_generator(result.generator);
  } catch (const InputError& error) {
    throw InputError(fmt::format("generator: {}", error.what()));
  }
  result.type = parse_type(text(axes, "type"));
  result.n = integer(axes, "n", 1);
  result.seed = static_cast<std::uint64_t>(integer(axes, "seed", 0));
  const auto rows = [&](const char* name) {
    const std::int64_t m = integer(axes, name, 0);
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
  result.generator = text(axes, "generator");
  if (is_file_source(result.generator))
    interpret_file(result);
  else
    interpret_generated(result, axes);
  const std::int64_t threads = integer(axes, "threads", 0);
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.backend = text(axes, "backend");
  result.solver = replace_letter(text(axes, "solver"), result.type);
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
