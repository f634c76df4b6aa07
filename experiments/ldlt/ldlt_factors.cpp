// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/ldlt_factors.hpp>

#include <cstdlib>

namespace pivotlab::experiments {

std::vector<int> pivot_orders(const std::vector<Index>& interchanges) {
  std::vector<int> orders;
  for (std::size_t k = 0; k < interchanges.size(); k += static_cast<std::size_t>(orders.back()))
    orders.push_back(k + 1 < interchanges.size() && interchanges[k + 1] < 0 ? 2 : 1);
  return orders;
}

Index count_swaps(const std::vector<Index>& interchanges, int order) {
  Index swaps = 0, k = 0;
  for (const int size : pivot_orders(interchanges))
    for (const Index end = k + size; k < end; ++k) swaps += size == order && std::abs(interchanges[k]) != k + 1;
  return swaps;
}

LdltClaims claims_of_baseline(std::string_view name, ScalarType type) {
  if (type == ScalarType::z || !name.ends_with("_rook")) return {};
  const LdltVariant rook{.pivoting = Pivoting::rook};
  return {.multiplier_bound = rook.multiplier_bound(), .condition_bound = rook.condition_bound()};
}

}  // namespace pivotlab::experiments
