// Arithmetic of one real scalar that means the same for every type, on the host and on the device.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace pivotlab {

/// a·b + c, with one rounding where the hardware has the instruction and two elsewhere: fma() of long double and Quad
/// is software, tens of times slower than what it replaces.
template <class R>
PIVOTLAB_DEVICE inline R fused(const R& a, const R& b, const R& c) {
  if constexpr (std::is_same_v<R, double> || std::is_same_v<R, float>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

/// |x|, also of a complex number.
template <class T>
PIVOTLAB_DEVICE inline auto absolute(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(x);
  } else {
    using std::abs;
    return abs(x);
  }
}

template <class R>
PIVOTLAB_DEVICE inline R square_root(const R& x) {
  using std::sqrt;
  return sqrt(x);
}

/// A number near 1/x that scales x > 0 to the vicinity of 1; of double it is a power of two, found without a division
/// and without a branch.
template <class R>
PIVOTLAB_DEVICE inline R scale_to_one(const R& x) {
  if constexpr (std::is_same_v<R, double>) {
    constexpr std::int64_t one = std::int64_t(1) << 52;  // of the exponent; set, so that the result is not subnormal
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
