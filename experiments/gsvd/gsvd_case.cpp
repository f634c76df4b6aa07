#include <experiments/common/axis_values.hpp>
#include <experiments/common/solver_names.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <pivotlab/peers.hpp>

#include <algorithm>
#include <array>

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

/// Only names with an outermost level hold a comma; the presets are single letters.
bool is_over_ranks(const std::string& solver) {
  return solver.size() == 1 || solver.find(',') != std::string::npos;
}

OverRanks over_ranks(const DistributedVariant& variant, const std::string& backend, const Case& axes) {
  static constexpr std::array transports{"copy", "nccl", "mpi", "host"};
  const std::string& transport = text_axis(axes, "transport");
  if (std::ranges::find(transports, transport) == transports.end())
    throw InputError(fmt::format("transport: unknown '{}'; take copy, nccl, mpi or host", transport));
  return {variant, static_cast<int>(integer_axis(axes, "ranks", 1)), backend == "cuda" ? transport : "copy"};
}

void interpret_variant(GsvdCase& result, const Case& axes) {
  result.backend = backend_named(result.backend);
  const auto take = [&](const auto& named) {
    if (named.type != result.type)
      throw InputError(fmt::format("solver: '{}' is not of type {}; write '?' for the letter of the type",
                                   result.solver, static_cast<char>(result.type)));
    result.solver = to_string(named.variant, named.type);
    return named.variant;
  };
  if (is_over_ranks(result.solver)) {
    const DistributedVariant variant =
        take(told_of_axis("solver", [&] { return parse_distributed_variant(result.solver); }));
    result.over_ranks = over_ranks(variant, result.backend, axes);
    result.variant = variant.inner;
  } else {
    result.variant = take(told_of_axis("solver", [&] { return parse_gsvd_variant(result.solver); }));
  }
}

void interpret_shape(GsvdCase& result, const Case& axes) {
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

void interpret_generated(GsvdCase& result, const Case& axes) {
  result.generator = told_of_axis("generator", [&] { return canonical_generator(result.generator); });
  interpret_shape(result, axes);
}

/// A canonical case has all that the file tells.
void interpret_file(GsvdCase& result, const Case& axes) {
  if (axes.contains("digest")) {
    interpret_shape(result, axes);
    result.digest = text_axis(axes, "digest");
    return;
  }
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
    interpret_file(result, axes);
  else
    interpret_generated(result, axes);
  const std::int64_t threads = integer_axis(axes, "threads", 0);
  result.threads = threads == 0 ? default_threads() : static_cast<int>(threads);
  result.backend = text_axis(axes, "backend");
  result.solver = replace_letter(text_axis(axes, "solver"), result.type);
  if (is_peer(result.solver))
    interpret_peer(result);
  else
    interpret_variant(result, axes);
  if (result.on_gpu()) result.threads = 1;
  return result;
}

PairRequest request_for(const GsvdCase& wanted) {
  PairRequest request;
  request.generator = wanted.generator;
  request.type = wanted.type;
  request.n = wanted.n;
  request.m_f = wanted.m_f;
  request.m_g = wanted.m_g;
  request.seed = wanted.seed;
  return request;
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
  if (interpreted.over_ranks) {
    axes["ranks"] = std::int64_t{interpreted.over_ranks->ranks};
    axes["transport"] = interpreted.over_ranks->transport;
  }
  return axes;
}

}  // namespace pivotlab::experiments
