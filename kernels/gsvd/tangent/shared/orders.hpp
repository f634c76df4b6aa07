// SPDX-License-Identifier: BSD-3-Clause
// Orders of columns and rows by their norms.
#pragma once

#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pivotlab::tangent {

using Reals = std::vector<double>;
/// The place in the original sequence of each element of the ordered one.
using Order = std::vector<int>;

inline Order ascending(const Reals& keys) {
  const std::vector<Index> order = ascending_indices(keys);
  return {order.begin(), order.end()};
}
inline Order descending(const Reals& keys) {
  const std::vector<Index> order = descending_indices(keys);
  return {order.begin(), order.end()};
}

inline Order inverse(const Order& order) {
  Order result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) result[order[i]] = static_cast<int>(i);
  return result;
}

template <class X>
std::vector<X> permuted(const std::vector<X>& values, const Order& order) {
  std::vector<X> result;
  result.reserve(order.size());
  for (const int i : order) result.push_back(values[i]);
  return result;
}

inline bool all_finite(const Reals& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace pivotlab::tangent
