// SPDX-License-Identifier: BSD-3-Clause
// Numbers in single precision as integers of signed digits of base 2⁸, relative to the largest number of a row of the
// left or of a column of the right operand: tensor cores multiply such digits twenty times as fast as doubles, and
// without rounding errors.
//
// With 2^e ≤ max|x| < 2^(e+1) and c digits, x becomes q = round(x·2^(8c−3−e)) = Σ dᵢ·2^(8(c−1−i)), |d₀| ≤ 64 and
// −128 ≤ dᵢ < 128. A product of digits i and j is of level i + j; levels below c are summed, so that errors of a sum of
// k products are below k·2^(4−8c)·c of the product of both largest numbers. This header is plain C++, which a device
// compiler also reads.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pivotlab {

namespace digits {

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

}  // namespace digits

/// Numbers of `count` digits, 3 or 4.
template <int count>
struct Digits {
  static constexpr int bits = 8 * count - 3;                       ///< of q below the first one
  static constexpr int least_exponent = bits, mantissa = 1 << 23;  ///< of floats: biased, and the place of exponents

  /// Returns 2^(8c−3−e) for the size of the largest number; also for smaller ones if that is below 2^(8c−130).
  static PIVOTLAB_DEVICE float factor_of(std::int32_t size) {
    return std::bit_cast<float>((254 + bits - exponent_of(size)) * mantissa);
  }

  /// Returns 2^(4c−4) / factor_of(size), or NaN if the largest number is not finite. The product of those of both
  /// operands is the unit of Sum::value().
  static PIVOTLAB_DEVICE float unit_of(std::int32_t size) {
    const std::int32_t exponent = exponent_of(size);
    return exponent == 255 ? std::numeric_limits<float>::quiet_NaN()
                           : std::bit_cast<float>((exponent - bits + 4 * count - 4) * mantissa);
  }

  /// Splits four numbers times their factors; byte i of of_digit[d] is digit d of number i.
  static PIVOTLAB_DEVICE void split(const float (&x)[4], const float (&factor)[4], std::uint32_t (&of_digit)[count]) {
    std::uint32_t biased[4];  // bytes d + 128 of all digits but the first one, which is the last byte
#pragma unroll
    for (int i = 0; i < 4; ++i) biased[i] = integer(x[i], factor[i]) + 0x808080;
    const std::uint32_t low01 = digits::select_bytes(biased[0], biased[1], 0x5140);
    const std::uint32_t low23 = digits::select_bytes(biased[2], biased[3], 0x5140);
    const std::uint32_t high01 = digits::select_bytes(biased[0], biased[1], 0x7362);
    const std::uint32_t high23 = digits::select_bytes(biased[2], biased[3], 0x7362);
    of_digit[count - 1] = digits::select_bytes(low01, low23, 0x5410) ^ 0x80808080;
    of_digit[count - 2] = digits::select_bytes(low01, low23, 0x7632) ^ 0x80808080;
    of_digit[count - 3] = digits::select_bytes(high01, high23, 0x5410) ^ 0x80808080;
    if constexpr (count == 4) of_digit[0] = digits::select_bytes(high01, high23, 0x7632);
  }
  static PIVOTLAB_DEVICE void split(const float (&x)[4], float factor, std::uint32_t (&of_digit)[count]) {
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
      if constexpr (count == 3) return std::fma(two(0), 0x1p8F, static_cast<float>(level[2][i]));
      return std::fma(two(0), 0x1p16F, two(count - 2));
    }
  };

 private:
  static constexpr float center = 0x1.8p23F;

  static PIVOTLAB_DEVICE std::int32_t exponent_of(std::int32_t size) {
    const std::int32_t exponent = size / mantissa;
    return exponent < least_exponent ? least_exponent : exponent;
  }

  /// Returns round(x·factor); of three digits, the last byte is any.
  static PIVOTLAB_DEVICE std::uint32_t integer(float x, float factor) {
    if constexpr (count == 3)
      return std::bit_cast<std::uint32_t>(std::fma(x, factor, center)) - std::bit_cast<std::uint32_t>(center);
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__float2int_rn(x * factor));
#else
    const float q = std::nearbyint(x * factor);
    return std::fabs(q) <= 0x1p30F ? static_cast<std::uint32_t>(static_cast<std::int32_t>(q)) : 0;
#endif
  }
};

}  // namespace pivotlab
