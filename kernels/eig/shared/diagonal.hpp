// SPDX-License-Identifier: BSD-3-Clause
// Parameters of diagonal transformations. This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cmath>

namespace pivotlab::eig_detail {

/// Computes x^exponent by square roots, exponent < 1 in units of 2⁻²⁰. This gives the same bits on every machine, and
/// is accurate enough, because any positive diagonal transformation is a similarity.
template <class R>
PIVOTLAB_DEVICE inline R fractional_power(R x, double exponent) {
  R power(1);
  for (int bit = 0; bit < 20 && exponent > 0; ++bit) {
    x = square_root(x);
    exponent *= 2;
    if (exponent < 1) continue;
    power = power * x;
    exponent -= 1;
  }
  return power;
}

/// Diagonal transformations at the end of a sweep, each with half the variant's exponent (iteration.hpp).
inline constexpr int diagonal_steps = 4;

/// Returns t_j from the squared norms of column j (g²) and row j (h²) without the diagonal. Norms below `noise` are
/// replaced by it: the remainders of annihilated elements must not scale the columns of E.
template <class R>
PIVOTLAB_DEVICE inline R diagonal_parameter(const R& g_squared, const R& h_squared, const R& noise, double exponent) {
  const R least(1e-8), most(1e8);
  const R g = square_root(g_squared), h = square_root(h_squared);
  if (!(g > R(0)) || !(h > R(0))) return R(1);
  const R t = fractional_power(R((h < noise ? noise : h) / (g < noise ? noise : g)), exponent);
  return t < least ? least : most < t ? most : t;
}

/// Returns the exponent of t_j = (h_j/g_j)^0.4 for sums over column j and row j, to balance by powers of two. The
/// exponent 0.4 instead of ½ prevents oscillation for [0, 100; 1, 0].
template <class R>
PIVOTLAB_DEVICE inline int balancing_exponent(const R& g, const R& h) {
  using std::ilogb;
  if (!(g > R(0)) || !(h > R(0))) return 0;
  const auto t = static_cast<int>(std::lround(0.4 * (static_cast<int>(ilogb(h)) - static_cast<int>(ilogb(g)))));
  return t < -500 ? -500 : t > 500 ? 500 : t;
}

}  // namespace pivotlab::eig_detail
