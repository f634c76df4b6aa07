// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/gsvd/gsvd.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

/// Returns whether the name has an outermost level: only such names have a comma, and the presets are single letters.
bool is_over_ranks(const std::string& solver) {
  return solver.size() == 1 || solver.find(',') != std::string::npos;
}

}  // namespace

bool is_tangent(std::string_view solver) {
  return solver.size() > 2 && lower_case(solver.substr(1, 2)) == "gt";
}

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

}  // namespace pivotlab::experiments
