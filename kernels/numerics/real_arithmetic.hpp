// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of one real scalar with the same meaning for every type, on the host and on the device.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace pivotlab {

/// Returns a·b + c, with one rounding if the hardware has the instruction and two otherwise: fma() of long double and
/// Quad is software and tens of times slower.
template <class R>
PIVOTLAB_DEVICE inline R fused(const R& a, const R& b, const R& c) {
  if constexpr (std::is_same_v<R, double> || std::is_same_v<R, float>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

/// Returns |x|, also of a complex number.
template <class T>
PIVOTLAB_DEVICE inline auto absolute(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(x);
  } else {
    using std::abs;
    return abs(x);
  }
}

/// Returns the larger number, or NaN if one of them is NaN.
template <class R>
PIVOTLAB_DEVICE inline R larger_or_nan(const R& x, const R& y) {
  return x < y || y != y ? y : x;
}

template <class R>
PIVOTLAB_DEVICE inline R square_root(const R& x) {
  using std::sqrt;
  return sqrt(x);
}

/// Returns a number near 1/x, which scales x > 0 to about 1; for double it is a power of two, computed without a
/// division and without a branch.
template <class R>
PIVOTLAB_DEVICE inline R scale_to_one(const R& x) {
  if constexpr (std::is_same_v<R, double>) {
    constexpr std::int64_t one = std::int64_t(1) << 52;  // lowest bit of the exponent; set so that the result is not
                                                         // subnormal
    const std::int64_t exponent = std::bit_cast<std::int64_t>(x) & 2047 * one;
    return std::bit_cast<double>((2046 * one - exponent) | one);
  } else {
    return R(1) / x;
  }
}

template <class R>
PIVOTLAB_DEVICE inline R with_sign_of(const R& magnitude, const R& sign) {
  if constexpr (std::is_floating_point_v<R>)
    return std::copysign(magnitude, sign);
  else
    return sign < R(0) ? R(-magnitude) : magnitude;
}

}  // namespace pivotlab
