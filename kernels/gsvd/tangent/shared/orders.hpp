// SPDX-License-Identifier: BSD-3-Clause
// Orders of columns and rows by their norms.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace pivotlab::tangent {

using Reals = std::vector<double>;
/// The place in the original sequence of each element of the ordered one.
using Order = std::vector<int>;

/// Sorts by keys; equal ones keep their order.
template <class Before>
Order order_by(const Reals& keys, Before before) {
  Order order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return before(keys[a], keys[b]); });
  return order;
}
inline Order ascending(const Reals& keys) {
  return order_by(keys, std::less<>());
}
inline Order descending(const Reals& keys) {
  return order_by(keys, std::greater<>());
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
