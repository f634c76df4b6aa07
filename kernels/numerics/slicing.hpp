// How numbers are cut into slices for extended products (extended_product.hpp): what host and device do alike.
#pragma once

#include "kernels/numerics/double_double.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pivotlab::slicing {

/// β, the width of a slice in bits, and p, the precision promised. Wide slices mean few products, but then short ones,
/// for the sums of a level are exact only as long as they fit in 53 bits: DoubleDouble takes 5 slices of 22 bits and
/// sums of about 400 terms.
struct Scheme {
  int beta, precision;

  /// The bits that s slices leave right: they leave out (s + 1)·k·2^(−βs) of |A|·|B|.
  constexpr int bits(int s) const { return beta * s - static_cast<int>(std::bit_width(static_cast<unsigned>(s))); }
  /// The least s that leaves p + more bits right.
  constexpr int slices(int more) const {
    int s = 1;
    while (bits(s) < precision + more) ++s;
    return s;
  }
  /// How many bits an entry may be below the bound before the least number of slices is too few for it.
  constexpr int slack() const { return bits(slices(0)) - precision; }
  /// With slices as narrow as `slices(more)` of them may be: sums can be the longer.
  constexpr Scheme narrowest(int more) const {
    const int s = slices(more);
    Scheme scheme = *this;
    while (Scheme{scheme.beta - 1, precision}.bits(s) >= precision + more) --scheme.beta;
    return scheme;
  }
  /// Inner indices whose products, real ones, can be summed exactly within a level.
  constexpr std::ptrdiff_t depth(int s) const { return (std::ptrdiff_t(1) << (55 - 2 * beta)) / s; }
};

inline constexpr Scheme double_double_scheme{22, 104};

/// Exponents below this are those of zeros; sums of two still fit in 16 bits.
inline constexpr std::int16_t exponent_of_zero = -16000;

/// e with 2^(e−1) ≤ |x| < 2^e. A zero, NaN or Inf does not count in the scaling.
PIVOTLAB_DEVICE inline int exponent(double x) {
  constexpr int bias = 1022;
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff;
  if (biased == 0x7ff || x == 0) return exponent_of_zero;
  return biased != 0 ? biased - bias : std::ilogb(x) + 1;
}
PIVOTLAB_DEVICE inline int exponent(const DoubleDouble& x) {
  return exponent(x.hi());
}

// 2^e·x as an exact sum of doubles, largest first.
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
    for (std::size_t p = 0; p + 1 < count; ++p) {  // the leading part again the sum to working precision
      const DoubleDouble s = DoubleDouble::sum(parts[p], parts[p + 1]);
      parts[p] = s.hi(), parts[p + 1] = s.lo();
    }
    for (double& part : parts) part *= double(1 << beta);
  }
}

/// Adds x to high + middle + low, which hold a sum of a few doubles with an error of 2⁻¹⁵⁰ or so.
PIVOTLAB_DEVICE inline void add(double x, double& high, double& middle, double& low) {
  const DoubleDouble h = DoubleDouble::sum(high, x);
  const DoubleDouble m = DoubleDouble::sum(middle, h.lo());
  high = h.hi(), middle = m.hi(), low += m.lo();
}

/// high + middle + low in double-double.
PIVOTLAB_DEVICE inline DoubleDouble rounded(double high, double middle, double low) {
  return DoubleDouble::sum(high, middle) + low;
}

}  // namespace pivotlab::slicing
