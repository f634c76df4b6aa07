// SPDX-License-Identifier: BSD-3-Clause
// Scaling by powers of two, which rounds nothing except numbers that underflow.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// Returns x·2^exponent.
template <class T>
PIVOTLAB_DEVICE T times_power_of_two(const T& x, int exponent) {
  using std::ldexp;
  if constexpr (is_complex<T>)
    return T(times_power_of_two(x.real(), exponent), times_power_of_two(x.imag(), exponent));
  else
    return ldexp(x, exponent);
}
/// A product is rounded as by ldexp(), and is not a call in a loop.
template <>
PIVOTLAB_DEVICE inline double times_power_of_two(const double& x, int exponent) {
  if (exponent < -1022 || exponent > 1023) return std::ldexp(x, exponent);
  return x * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Returns ⌊log₂|x|⌋ of a finite x ≠ 0.
template <class R>
int exponent_of(const R& x) {
  using std::ilogb;
  return static_cast<int>(ilogb(x));
}
template <>
inline int exponent_of(const double& x) {
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff;
  return biased != 0 ? biased - 1023 : std::ilogb(x);
}

}  // namespace pivotlab
