// SPDX-License-Identifier: BSD-3-Clause
// Patterns of signs ±1.
#include <generators/random.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace pivotlab {

std::vector<int> generate_signs(std::string_view pattern, Index m, std::uint64_t seed) {
  constexpr int sign_stream = 79;
  if (std::ranges::find(sign_patterns, pattern) == sign_patterns.end())
    throw InputError(fmt::format("signs '{}': no such pattern; use {}", pattern, fmt::join(sign_patterns, ", ")));
  RandomStream stream(seed, sign_stream);
  std::vector<int> signs;
  for (Index i = 0; i < m; ++i) {
    const bool negative = pattern == "third"    ? i % 3 == 0
                          : pattern == "random" ? stream.uniform() < 0.5
                          : pattern == "halves" ? i >= m / 2
                                                : false;
    signs.push_back(negative ? -1 : 1);
  }
  return signs;
}

}  // namespace pivotlab
