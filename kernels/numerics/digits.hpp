// SPDX-License-Identifier: BSD-3-Clause
// Numbers in single precision as integers of four signed digits of base 2⁸, relative to the largest number of a row of
// the left or of a column of the right operand: tensor cores multiply such digits twenty times as fast as doubles, and
// without rounding errors.
//
// With 2^e ≤ max|x| < 2^(e+1), x becomes q = round(x·2^(29−e)) = Σ dᵢ·2^(8(3−i)), |d₀| ≤ 64 and −128 ≤ dᵢ < 128, which
// has all digits of a float above max|x|/2⁶. A product of digits i and j is of level i + j; levels below four are
// summed, so that errors of a sum of k products are below k·2^-26 of the product of both largest numbers. This header
// is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pivotlab {

namespace digits {

inline constexpr int count = 4;

/// Returns an integer that orders numbers as their absolute values do, NaN last.
PIVOTLAB_DEVICE inline std::int32_t size_of(float x) {
  return std::bit_cast<std::int32_t>(x) & 0x7fffffff;
}

PIVOTLAB_DEVICE inline std::int32_t larger(std::int32_t size, std::int32_t other) {
  return size < other ? other : size;
}

/// Returns the largest of the sizes of those lanes whose numbers differ in the bits from `first` to `last` alone.
template <int first, int last, class Context>
PIVOTLAB_DEVICE inline std::int32_t largest(Context& context, std::int32_t size) {
#pragma unroll
  for (int mask = first; mask <= last; mask *= 2) size = larger(size, context.shuffle_xor(size, mask));
  return size;
}

/// Returns bytes of b:a (8 of them, the lowest first), selected by the four digits of `selector`.
PIVOTLAB_DEVICE inline std::uint32_t select_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, selector);
#else
  const std::uint64_t bytes = std::uint64_t(b) << 32 | a;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) result |= std::uint32_t(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
  return result;
#endif
}

/// The exponent of 2 in the largest integers, which is also the least biased exponent of a float that has a factor.
inline constexpr int bits = 29;
inline constexpr int mantissa = 1 << 23;  ///< place of the exponent of a float

PIVOTLAB_DEVICE inline std::int32_t exponent_of(std::int32_t size) {
  const std::int32_t exponent = size / mantissa;
  return exponent < bits ? bits : exponent;
}

/// Returns 2^(29−e) for the size of the largest number, but no more than 2^127.
PIVOTLAB_DEVICE inline float factor_of(std::int32_t size) {
  return std::bit_cast<float>((254 + bits - exponent_of(size)) * mantissa);
}

/// Returns 2^12 / factor_of(size), or NaN if the largest number is not finite. The product of those of both operands is
/// the unit of Sum::value().
PIVOTLAB_DEVICE inline float unit_of(std::int32_t size) {
  const std::int32_t exponent = exponent_of(size);
  return exponent == 255 ? std::numeric_limits<float>::quiet_NaN()
                         : std::bit_cast<float>((exponent - bits + 12) * mantissa);
}

/// Returns round(x·factor); any number where that is not finite.
PIVOTLAB_DEVICE inline std::uint32_t integer(float x, float factor) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__float2int_rn(x * factor));
#else
  const float q = std::nearbyint(x * factor);
  return std::fabs(q) <= 0x1p30F ? static_cast<std::uint32_t>(static_cast<std::int32_t>(q)) : 0;
#endif
}

/// Splits four numbers times their factors; byte i of of_digit[d] is digit d of number i.
PIVOTLAB_DEVICE inline void split(const float (&x)[4], const float (&factor)[4], std::uint32_t (&of_digit)[count]) {
  std::uint32_t biased[4];  // bytes d + 128 of all digits but the first one, which is the last byte
#pragma unroll
  for (int i = 0; i < 4; ++i) biased[i] = integer(x[i], factor[i]) + 0x808080;
  const std::uint32_t low01 = select_bytes(biased[0], biased[1], 0x5140);
  const std::uint32_t low23 = select_bytes(biased[2], biased[3], 0x5140);
  const std::uint32_t high01 = select_bytes(biased[0], biased[1], 0x7362);
  const std::uint32_t high23 = select_bytes(biased[2], biased[3], 0x7362);
  of_digit[3] = select_bytes(low01, low23, 0x5410) ^ 0x80808080;
  of_digit[2] = select_bytes(low01, low23, 0x7632) ^ 0x80808080;
  of_digit[1] = select_bytes(high01, high23, 0x5410) ^ 0x80808080;
  of_digit[0] = select_bytes(high01, high23, 0x7632);
}
PIVOTLAB_DEVICE inline void split(const float (&x)[4], float factor, std::uint32_t (&of_digit)[count]) {
  split(x, {factor, factor, factor, factor}, of_digit);
}

/// Sums of products of 16 × 32 by 32 × 8 digits, by levels: of up to 254 inner indices.
struct Sum {
  std::int32_t level[count][4] = {};

  /// Adds products; a[d] and b[d] are fragments of digit d.
  template <class Context>
  PIVOTLAB_DEVICE void add(Context& context, const std::uint32_t (&a)[count][4], const std::uint32_t (&b)[count][2]) {
    context.mma(level, a, b);
  }

  /// Returns sum i divided by the units of both operands.
  PIVOTLAB_DEVICE float value(int i) const {
    const auto two = [&](int l) { return static_cast<float>(level[l][i] * 256 + level[l + 1][i]); };
    return std::fma(two(0), 0x1p16F, two(2));
  }
};

}  // namespace digits
}  // namespace pivotlab
