// SPDX-License-Identifier: BSD-3-Clause
// Values with bounds of their errors: quotients s/k of two forms, and their roots.
#pragma once

#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::refine {

/// Holds approximations and bounds of their absolute errors; an infinite bound says that nothing is known.
struct Values {
  std::vector<DoubleDouble> value;
  std::vector<double> bound;

  /// Returns the bound relative to the value, 0 if both are 0.
  double relative(std::size_t i) const {
    const double size = std::fabs(value[i].hi());
    return bound[i] == 0 ? 0 : size > 0 ? bound[i] / size : std::numeric_limits<double>::infinity();
  }
  static Values unknown(std::size_t n) {
    return {std::vector<DoubleDouble>(n, 1.0), std::vector<double>(n, std::numeric_limits<double>::infinity())};
  }
  bool all_numbers() const {
    return std::ranges::none_of(value, [](const DoubleDouble& x) { return isnan(x); });
  }
  bool determined(std::size_t i) const { return relative(i) <= 0x1p-53; }
  bool all_determined() const {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!determined(i)) return false;
    return true;
  }
  /// Returns the bits that are not known of all values together, to compare two approximations.
  double unknown_bits() const {
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) sum += std::log2(std::clamp(relative(i), 0x1p-100, 1.0));
    return sum;
  }
  Values in_order(const std::vector<Index>& order) const {
    Values result;
    for (const Index i : order) result.value.push_back(value[i]), result.bound.push_back(bound[i]);
    return result;
  }
  /// Takes every value that the other has with a smaller bound.
  void improve(const Values& other) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (other.bound[i] < bound[i]) value[i] = other.value[i], bound[i] = other.bound[i];
  }
};

/// Returns columns in descending order of s/m, which is that of s and, where s + m = 1, the reverse of that of m, by
/// the one of both that has digits: bounds of s and m belong to ranks.
inline std::vector<Index> descending(const Values& s, const Values& m) {
  const auto by_m = [&](Index i) { return m.value[i].hi() < 0.5; };
  return sorted_indices(std::ssize(s.value), [&](Index i, Index j) {
    if (by_m(i) != by_m(j)) return by_m(i);
    return by_m(i) ? m.value[i] < m.value[j] : s.value[j] < s.value[i];
  });
}

/// Returns √(s/m) for s, m ≥ 0 but for errors; s + m = 1, so that one of them has digits.
inline Values root_of_quotient(const Values& s, const Values& m) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Values result;
  for (std::size_t i = 0; i < s.value.size(); ++i) {
    const DoubleDouble a = s.value[i].hi() > 0 ? s.value[i] : DoubleDouble(0), b = m.value[i];
    const double below = b.hi() - m.bound[i], largest = (a.hi() + s.bound[i]) * (1 + 0x1p-40);
    const DoubleDouble value = b.hi() > 0 ? sqrt(a) / sqrt(b) : DoubleDouble(infinity);
    const double relative = s.relative(i) + m.relative(i);
    double bound = infinity;
    if (s.bound[i] == 0 && a.hi() == 0 && below > 0) {
      bound = 0;
    } else if (a.hi() > 0 && relative < 0.25) {
      // |√((1 ± x)/(1 ∓ y)) − 1| ≤ (x + y)/2·(1 + 4(x + y))
      bound = value.hi() * (relative / 2 * (1 + 4 * relative) + 0x1p-98) * (1 + 0x1p-40);
    } else if (below > 0) {
      bound = std::sqrt(largest / below) * (1 + 0x1p-40);  // both the value and the truth are between 0 and this
    }
    result.value.push_back(value), result.bound.push_back(bound);
  }
  return result;
}

}  // namespace pivotlab::refine
