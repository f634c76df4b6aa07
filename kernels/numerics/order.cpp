// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/order.hpp"

#include <numeric>

namespace pivotlab {

void sort_indices(std::vector<Index>& indices, const std::function<bool(Index, Index)>& before) {
  std::ranges::stable_sort(indices, before);
}

std::vector<Index> sorted_indices(Index n, const std::function<bool(Index, Index)>& before) {
  std::vector<Index> indices(n);
  std::iota(indices.begin(), indices.end(), Index(0));
  sort_indices(indices, before);
  return indices;
}

}  // namespace pivotlab
