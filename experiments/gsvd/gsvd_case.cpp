#include <experiments/common/axis_values.hpp>
#include <experiments/gsvd/gsvd_case.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <array>

namespace pivotlab::experiments {
namespace {

/// Returns whether the name has an outermost level: only such names have a comma, and the presets are single letters.
bool is_over_ranks(const std::string& solver) {
  return solver.size() == 1 || solver.find(',') != std::string::npos;
}

/// Returns the canonical name and sets the variant; '?' stands for the letter of the type.
std::string read_variant(GsvdCase& result, std::string name) {
  std::ranges::replace(name, '?', result.type == ScalarType::d ? 'D' : 'Z');
  const auto take = [&](const auto& named) {
    if (named.type != result.type)
      throw InputError(fmt::format("'{}' is not of type {}; write '?' for the letter of the type", name,
                                   static_cast<char>(result.type)));
    name = to_string(named.variant, named.type);
    return named.variant;
  };
  if (is_tangent(name)) {
    result.tangent = take(parse_tangent_variant(name));
  } else if (is_over_ranks(name)) {
    const DistributedVariant variant = take(parse_distributed_variant(name));
    result.over_ranks = OverRanks{.variant = variant};
    result.variant = variant.inner;
  } else {
    result.variant = take(parse_gsvd_variant(name));
  }
  return name;
}

/// Returns whether pairs of a generator, or from files, may have fewer rows than columns.
bool takes_few_rows(const std::string& generator) {
  if (is_file_source(generator)) return true;
  const std::vector<GeneratorInfo> all = list_pair_generators();
  const auto kind = std::ranges::find(all, generator.substr(0, generator.find(';')), &GeneratorInfo::name);
  return kind != all.end() && kind->any_shape;
}

Index row_count(const Case& axes, const char* name, const SolverCase& pair) {
  const std::int64_t m = integer_axis(axes, name, 0);
  if (m != 0 && m < pair.n && !takes_few_rows(pair.generator))
    throw InputError(fmt::format("{}: is {}, must be at least n = {} (or 0 for n) with generator '{}'", name, m, pair.n,
                                 pair.generator));
  return m == 0 ? pair.n : static_cast<Index>(m);
}

}  // namespace

void read_row_counts(PairCase& result, const Case& axes) {
  result.m_f = row_count(axes, "m_f", result);
  result.m_g = row_count(axes, "m_g", result);
}

void read_pair_file(PairCase& result, const Case& axes) {
  if (read_identified(result, axes)) return read_row_counts(result, axes);
  result.generator = text_axis(axes, "generator");
  const PairIdentity& identity =
      with_axis_context("generator", [&]() -> const PairIdentity& { return identify_pair(result.generator); });
  result.type = identity.type;
  result.n = identity.n;
  result.m_f = identity.m_f;
  result.m_g = identity.m_g;
  result.digest = identity.digest;
}

bool is_tangent(std::string_view solver) {
  return solver.size() > 2 && lower_case(solver.substr(1, 2)) == "gt";
}

GsvdCase interpret(const Case& axes) {
  GsvdCase result;
  if (is_file_source(text_axis(axes, "generator"))) {
    read_pair_file(result, axes);
  } else {
    read_generated(result, axes, canonical_generator, 1);
    read_row_counts(result, axes);
  }
  read_solver(result, axes, list_gsvd_baselines(result.type), Symmetry::hermitian,
              [&](const std::string& name) { return read_variant(result, name); });
  if (result.over_ranks) {
    result.over_ranks->ranks = static_cast<int>(integer_axis(axes, "ranks", 1));
    result.over_ranks->transport = result.backend == "cuda" ? text_axis(axes, "transport") : "copy";
  }
  return result;
}

bool is_drawn(const GsvdCase& interpreted) {
  return std::ranges::any_of(std::array{"random", "graded", "two-sided"},
                             [&](const char* kind) { return interpreted.generator.starts_with(kind); });
}

bool has_computed_truth(const GsvdCase& interpreted) {
  constexpr Index usual_order = 64;
  return interpreted.generator.find("truth=rounded") != std::string::npos ||
         (interpreted.n <= usual_order && interpreted.generator.find("truth=none") == std::string::npos);
}

PairRequest request_for(const GsvdCase& wanted) {
  return {.generator = wanted.generator,
          .type = wanted.type,
          .n = wanted.n,
          .m_f = wanted.m_f,
          .m_g = wanted.m_g,
          .seed = wanted.seed};
}

Case to_case(const GsvdCase& interpreted) {
  Case axes = to_case("gsvd", static_cast<const SolverCase&>(interpreted));
  axes["m_f"] = std::int64_t{interpreted.m_f};
  axes["m_g"] = std::int64_t{interpreted.m_g};
  if (interpreted.over_ranks) {
    axes["ranks"] = std::int64_t{interpreted.over_ranks->ranks};
    axes["transport"] = interpreted.over_ranks->transport;
  }
  return axes;
}

}  // namespace pivotlab::experiments
