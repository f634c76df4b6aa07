// SPDX-License-Identifier: BSD-3-Clause
// Slices of numbers for extended products (extended_product.hpp): the part that host and device share.
#pragma once

#include "kernels/numerics/double_double.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pivotlab::slicing {

/// β, the width of a slice in bits, and p, the precision of the result. Wide slices need fewer products, but allow only
/// short sums, because the sums of a level are exact only if they fit in 53 bits: DoubleDouble uses 5 slices of 22 bits
/// and sums of about 400 terms.
struct Scheme {
  int beta, precision;

  /// Returns the number of correct bits with s slices: the omitted ones are (s + 1)·k·2^(−βs) of |A|·|B|.
  constexpr int bits(int s) const { return beta * s - static_cast<int>(std::bit_width(static_cast<unsigned>(s))); }
  /// Returns the least s with p + more correct bits.
  constexpr int slices(int more) const {
    int s = 1;
    while (bits(s) < precision + more) ++s;
    return s;
  }
  /// Returns the number of bits by which an entry may be below the bound before the least number of slices is
  /// insufficient.
  constexpr int slack() const { return bits(slices(0)) - precision; }
  /// Returns the scheme with the narrowest slices for the number `slices(more)`, which allows the longest sums.
  constexpr Scheme narrowest(int more) const {
    const int s = slices(more);
    Scheme scheme = *this;
    while (Scheme{scheme.beta - 1, precision}.bits(s) >= precision + more) --scheme.beta;
    return scheme;
  }
  /// Returns the number of inner indices whose real products can be summed exactly within a level.
  constexpr std::ptrdiff_t depth(int s) const { return (std::ptrdiff_t(1) << (55 - 2 * beta)) / s; }
};

inline constexpr Scheme double_double_scheme{22, 104};

/// Exponents below this mean zero; sums of two still fit in 16 bits.
inline constexpr std::int16_t exponent_of_zero = -16000;

/// Returns e with 2^(e−1) ≤ |x| < 2^e. Zero, NaN and Inf do not count in the scaling.
PIVOTLAB_DEVICE inline int exponent(double x) {
  constexpr int bias = 1022;
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff;
  if (biased == 0x7ff || x == 0) return exponent_of_zero;
  return biased != 0 ? biased - bias : std::ilogb(x) + 1;
}
PIVOTLAB_DEVICE inline int exponent(const DoubleDouble& x) {
  return exponent(x.hi());
}

// Returns 2^e·x as an exact sum of doubles, largest first.
PIVOTLAB_DEVICE inline std::array<double, 1> expansion(double x, int e) {
  return {std::ldexp(x, e)};
}
PIVOTLAB_DEVICE inline std::array<double, 2> expansion(const DoubleDouble& x, int e) {
  return {std::ldexp(x.hi(), e), std::ldexp(x.lo(), e)};
}

/// Cuts |x| < 2^e, given as the expansion of 2^(β − 1 − e)·x, into slices: x = 2^e Σ_i 2^(−βi − β + 1) take(i, d_i),
/// integers |d_i| ≤ 2^(β−1).
template <std::size_t count, class Take>
PIVOTLAB_DEVICE void cut(int beta, std::array<double, count> parts, int slices, Take&& take) {
  for (int i = 0; i < slices; ++i) {
    const double digit = std::rint(parts[0]);
    take(i, digit);
    parts[0] -= digit;
    for (std::size_t p = 0; p + 1 < count; ++p) {  // make the leading part the sum to working precision
      const DoubleDouble s = DoubleDouble::sum(parts[p], parts[p + 1]);
      parts[p] = s.hi(), parts[p + 1] = s.lo();
    }
    for (double& part : parts) part *= double(1 << beta);
  }
}

/// Adds x to high + middle + low, the sum of a few doubles with an error of about 2⁻¹⁵⁰.
PIVOTLAB_DEVICE inline void add(double x, double& high, double& middle, double& low) {
  const DoubleDouble h = DoubleDouble::sum(high, x);
  const DoubleDouble m = DoubleDouble::sum(middle, h.lo());
  high = h.hi(), middle = m.hi(), low += m.lo();
}

/// Returns high + middle + low in double-double.
PIVOTLAB_DEVICE inline DoubleDouble rounded(double high, double middle, double low) {
  return DoubleDouble::sum(high, middle) + low;
}

}  // namespace pivotlab::slicing
