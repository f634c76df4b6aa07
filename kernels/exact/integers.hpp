// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of exact products, a number at a time: exponents, integers of a row, residues, and the way back. This
// header is plain C++, which a device compiler also reads; host and device compute the same bits.
#pragma once

#include "kernels/exact/residue_system.hpp"
#include "kernels/numerics/double_double.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace pivotlab::exact {

using std::uint32_t, std::uint64_t;

/// Exponents of vectors without a number other than zero, and with NaN or Inf; any number of either may be added.
inline constexpr int exponent_of_zero = -100000, exponent_not_finite = 100000;

PIVOTLAB_DEVICE inline bool is_ordinary(int exponent) {
  return exponent > exponent_of_zero / 2 && exponent < exponent_not_finite / 2;
}

/// Holds a double as (−1)^negative·mantissa·2^exponent.
struct Decoded {
  uint64_t mantissa;
  int exponent;
  bool negative;
};

PIVOTLAB_DEVICE inline Decoded decode(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  return {biased == 0 ? fraction : fraction | uint64_t(1) << 52, (biased == 0 ? 1 : biased) - 1075, bits >> 63 != 0};
}

/// Returns the position of the highest bit of 0 < x < 2⁵³.
PIVOTLAB_DEVICE inline int highest_bit(uint64_t x) {
  return static_cast<int>(std::bit_cast<uint64_t>(static_cast<double>(x)) >> 52) - 1023;
}

/// Returns ⌊log₂|x|⌋.
PIVOTLAB_DEVICE inline int exponent_of(double x) {
  const Decoded d = decode(x);
  if (d.exponent == 2047 - 1075) return exponent_not_finite;
  return d.mantissa == 0 ? exponent_of_zero : highest_bit(d.mantissa) + d.exponent;
}

/// Returns the exponent of the lowest bit that is set, of a finite x; `none` for 0.
PIVOTLAB_DEVICE inline int lowest_exponent(double x, int none) {
  const Decoded d = decode(x);
  return d.mantissa == 0 ? none : highest_bit(d.mantissa & (~d.mantissa + 1)) + d.exponent;
}

/// Returns 2^e for −1022 ≤ e ≤ 1023.
PIVOTLAB_DEVICE inline double power_of_two(int e) {
  return std::bit_cast<double>(static_cast<uint64_t>(e + 1023) << 52);
}

/// Returns x·2^e with one rounding, for |x| ≥ 1, x = 0, or results that are not subnormal.
PIVOTLAB_DEVICE inline double scaled(double x, int e) {
  for (int step = 0; step < 2 && e > 1023; ++step, e -= 1023) x *= power_of_two(1023);
  for (int step = 0; step < 2 && e < -1022; ++step, e += 1022) x *= power_of_two(-1022);
  return x * power_of_two(e < -1022 ? -1022 : e > 1023 ? 1023 : e);
}

/// Returns at least log₂x, at most 0.09 more, as a multiple of 2⁻²⁰, for a normal x: exponent and a table, so that its
/// bits depend on no library.
PIVOTLAB_DEVICE inline double log2_bound(double x) {
  constexpr int table[16] = {91712,  178180, 259971, 337567, 411375, 481749, 548995,  613378,
                             675133, 734465, 791557, 846573, 899659, 950944, 1000548, 1048576};
  const auto bits = std::bit_cast<uint64_t>(x);
  return static_cast<int>(bits >> 52) - 1023 + table[bits >> 48 & 15] * 0x1p-20;
}

// ---- Integers of a row ----

__extension__ typedef unsigned __int128 Wide;

/// Holds round(x·2^shift) as magnitude and sign.
struct Rounded {
  Wide magnitude;
  bool negative, inexact;
};

PIVOTLAB_DEVICE inline Rounded rounded_integer(double x, int shift) {
  const Decoded d = decode(x);
  const int left = d.exponent + shift;
  if (d.mantissa == 0) return {0, d.negative, false};
  if (left >= 0) return {static_cast<Wide>(d.mantissa) << left, d.negative, false};
  if (left < -54) return {0, d.negative, true};
  const uint64_t unit = uint64_t(1) << -left;
  return {(d.mantissa + unit / 2) >> -left, d.negative, (d.mantissa & (unit - 1)) != 0};
}

/// Holds an integer as sixteen digits to the base 256 between −128 and 127, four bytes a word, lowest first.
struct Integer {
  std::int32_t digits[4];
  int lost;  ///< the square of its error is at most lost/4
};

PIVOTLAB_DEVICE inline Integer integer_of(Wide magnitude, bool negative, int lost) {
  constexpr uint32_t all = 0x80808080;
  constexpr Wide offset = ((Wide(all) << 32 | all) << 32 | all) << 32 | all;
  const Wide x = (negative ? Wide(0) - magnitude : magnitude) + offset;
  const auto word = [&](int w) { return static_cast<std::int32_t>(static_cast<uint32_t>(x >> 32 * w) ^ all); };
  return {{word(0), word(1), word(2), word(3)}, lost};
}

/// Returns round(hi·2^shift) + round(lo·2^shift), which must be less than 2¹²⁶ in modulus.
PIVOTLAB_DEVICE inline Integer integer_of(double hi, double lo, int shift) {
  Rounded x = rounded_integer(hi, shift);
  int lost = x.inexact ? 1 : 0;
  if (lo != 0) {
    const Rounded y = rounded_integer(lo, shift);
    if (y.inexact) lost = lost == 0 ? 1 : 4;
    if (x.negative == y.negative)
      x.magnitude += y.magnitude;
    else if (x.magnitude >= y.magnitude)
      x.magnitude -= y.magnitude;
    else
      x = {y.magnitude - x.magnitude, y.negative, false};
  }
  return integer_of(x.magnitude, x.negative, lost);
}

// ---- Residues ----

PIVOTLAB_DEVICE inline uint32_t multiply_high(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(static_cast<uint64_t>(a) * b >> 32);
}

/// Returns the lowest byte, from −128 to 127.
PIVOTLAB_DEVICE inline int signed_byte(uint32_t x) {
  return static_cast<int>((x & 255) ^ 128) - 128;
}

/// Returns c + the dot product of four bytes with signs.
PIVOTLAB_DEVICE inline std::int32_t add_dot(std::int32_t a, std::int32_t b, std::int32_t c) {
#ifdef __CUDA_ARCH__
  return __dp4a(a, b, c);
#else
  const auto x = static_cast<uint32_t>(a), y = static_cast<uint32_t>(b);
  for (int i = 0; i < 32; i += 8) c += signed_byte(x >> i) * signed_byte(y >> i);
  return c;
#endif
}

/// Returns x mod p for x < 2²⁴.
PIVOTLAB_DEVICE inline uint32_t reduced(uint32_t x, const Modulus& m) {
  return x - m.p * multiply_high(x, m.ceil_reciprocal);
}

/// Returns the residue of an integer of 4·words digits, between −p/2 and p/2, in the lowest byte.
PIVOTLAB_DEVICE inline uint32_t residue_byte(const Integer& x, int words, const Modulus& m) {
  auto sum = static_cast<std::int32_t>(m.bias);
  for (int w = 0; w < 3; ++w) sum = add_dot(x.digits[w], m.powers[w], sum);
  if (words == 4) sum = add_dot(x.digits[3], m.powers[3], sum);
  return reduced(static_cast<uint32_t>(sum), m) - m.half;
}

/// Returns a number below 2p that is congruent to the sum of products, |sum| ≤ 2³⁰.
PIVOTLAB_DEVICE inline uint32_t nearly_reduced(std::int32_t sum, const Modulus& m) {
  const auto x = static_cast<uint32_t>(sum) + m.offset;
  return x - m.p * multiply_high(x, m.floor_reciprocal);
}

// ---- The way back ----

/// Returns X·2^e for the X, 2|X| < P, that is congruent to residue(i), a number below 2¹⁶, modulo every p_i. With
/// t_i = residue(i)·(P/p_i)⁻¹ mod p_i, X = Σ t_i·(P/p_i) − q·P, q = rint(Σ t_i/p_i); sums of chunks of 40 bits are
/// exact in any order. hi + lo has an error of at most 2⁻¹⁰⁴·|X|·2^e.
template <int chunks, class Residue>
PIVOTLAB_DEVICE DoubleDouble rebuilt(const ResidueSystem& z, int e, Residue&& residue) {
  constexpr double radix = 0x1p40, per_radix = 0x1p-40;
  double sum[chunks] = {};
#pragma unroll 4
  for (int i = 0; i < z.moduli; ++i) {
    const Modulus& m = z.modulus[i];
    const uint32_t t = reduced(residue(i, m) * m.inverse, m);
    const double digit = std::bit_cast<double>(uint64_t(0x433) << 52 | t) - 0x1p52;  // t, without a conversion
    for (int c = 0; c < chunks; ++c) sum[c] = std::fma(digit, m.weight[c], sum[c]);
  }
  const double q = std::rint((sum[chunks - 1] + sum[chunks - 2] * per_radix) * z.quotient_scale);
  for (int c = 0; c < chunks; ++c) sum[c] = std::fma(-q, z.product[c], sum[c]);
  for (int c = 0; c + 1 < chunks; ++c) {
    const double carry = std::rint(sum[c] * per_radix);
    sum[c] = std::fma(-carry, radix, sum[c]);
    sum[c + 1] += carry;
  }
  // The digits do not overlap now: one pass upward gives the leading part and what it leaves.
  double high = sum[0], left[chunks], scale = 1;
  for (int c = 1; c < chunks; ++c) {
    scale *= radix;
    const DoubleDouble s = DoubleDouble::sum(sum[c] * scale, high);
    high = s.hi(), left[c] = s.lo();
  }
  double low = left[1];
  for (int c = 2; c < chunks; ++c) low += left[c];
  const DoubleDouble x = DoubleDouble::ordered_sum(high, low);
  return DoubleDouble::from_parts(scaled(x.hi(), e), scaled(x.lo(), e));
}

}  // namespace pivotlab::exact
