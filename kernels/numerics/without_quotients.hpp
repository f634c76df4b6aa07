// SPDX-License-Identifier: BSD-3-Clause
// Operations with short latency for inner loops of a device: they use the bits of doubles instead of roots, quotients
// and negations.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

namespace pivotlab {

/// Returns 1/√x of a normal x > 0, accurate to an ulp or two. For double it uses neither root nor quotient, which take
/// more than twice as long on a device. The initial guess from the bits of x is within 3.5 % of 1/√x; then y := y·(1 −
/// r)^(−½) with r = 1 − x·y² by a series with enough terms for |r| up to 7 % and then up to 10^−6.
template <class R>
PIVOTLAB_DEVICE inline R reciprocal_square_root(const R& x) {
  if constexpr (std::is_same_v<R, double>) {
    double y = std::bit_cast<double>(std::int64_t(0x5fe6eb50c7b537a9) - (std::bit_cast<std::int64_t>(x) >> 1));
    double r = std::fma(-(x * y), y, 1.0);
    y = std::fma(y * r, std::fma(std::fma(std::fma(35.0 / 128, r, 5.0 / 16), r, 3.0 / 8), r, 0.5), y);
    r = std::fma(-(x * y), y, 1.0);
    return std::fma(y * r, std::fma(3.0 / 8, r, 0.5), y);
  } else {
    return R(1) / square_root(x);
  }
}

/// Returns −x if `negative`, otherwise x; for double by the sign bit.
template <class R>
PIVOTLAB_DEVICE inline R negated_if(bool negative, const R& x) {
  if constexpr (std::is_same_v<R, double>)
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(x) ^ (std::int64_t(negative) << 63));
  else
    return negative ? R(-x) : x;
}

}  // namespace pivotlab
