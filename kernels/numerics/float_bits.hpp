// SPDX-License-Identifier: BSD-3-Clause
// Powers of two and reciprocal roots of floats by their bits, for inner loops of a device: what without_quotients.hpp
// and scale_to_one() do for doubles. Loops of the host over floats use quotients, which vectorize.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

namespace pivotlab::float_bits {

inline constexpr std::int32_t one = std::int32_t(1) << 23;  ///< lowest bit of the exponent
inline constexpr std::int32_t exponents = 255 * one;

/// Returns a power of two near 1/x for a normal x > 0.
PIVOTLAB_DEVICE inline float scale_to_one(float x) {
  const std::int32_t exponent = std::bit_cast<std::int32_t>(x) & exponents;
  return std::bit_cast<float>((254 * one - exponent) | one);  // not subnormal
}

/// Returns 1/s for such a power of two.
PIVOTLAB_DEVICE inline float inverse_of_scale(float s) {
  return std::bit_cast<float>(254 * one - std::bit_cast<std::int32_t>(s));
}

/// Returns a power of two near √(s·t) for two of them.
PIVOTLAB_DEVICE inline float mean_scale(float s, float t) {
  return std::bit_cast<float>((std::bit_cast<std::int32_t>(s) / 2 + std::bit_cast<std::int32_t>(t) / 2) & exponents);
}

/// Returns 1/√x of a normal x > 0, accurate to an ulp or two. The initial guess from the bits of x is within 3.5 % of
/// 1/√x; then y := y·(1 − r)^(−½) with r = 1 − x·y² by a series with enough terms for |r| up to 7 % and then up to
/// 10⁻⁴.
PIVOTLAB_DEVICE inline float reciprocal_square_root(float x) {
  float y = std::bit_cast<float>(std::int32_t(0x5f3759df) - (std::bit_cast<std::int32_t>(x) >> 1));
  float r = std::fma(-(x * y), y, 1.0F);
  y = std::fma(y * r, std::fma(3.0F / 8, r, 0.5F), y);
  r = std::fma(-(x * y), y, 1.0F);
  return std::fma(y * r, 0.5F, y);
}

}  // namespace pivotlab::float_bits
