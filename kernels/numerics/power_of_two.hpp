// SPDX-License-Identifier: BSD-3-Clause
// Scaling by powers of two, which rounds nothing except numbers that underflow.
#pragma once

#include <cmath>
#include <pivotlab/scalar.hpp>

namespace pivotlab {

/// Returns x·2^exponent.
template <class T>
T times_power_of_two(const T& x, int exponent) {
  using std::ldexp;
  if constexpr (is_complex<T>)
    return T(ldexp(x.real(), exponent), ldexp(x.imag(), exponent));
  else
    return ldexp(x, exponent);
}

/// Returns ⌊log₂|x|⌋ of a finite x ≠ 0.
template <class R>
int exponent_of(const R& x) {
  using std::ilogb;
  return static_cast<int>(ilogb(x));
}

}  // namespace pivotlab
