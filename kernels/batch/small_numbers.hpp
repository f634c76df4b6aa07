// SPDX-License-Identifier: BSD-3-Clause
// Real and complex numbers in the kernels.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::batch {

/// Returns x·2^exponent.
template <class T>
PIVOTLAB_DEVICE inline T scaled(const T& x, int exponent) {
  if constexpr (is_complex<T>)
    return T(std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent));
  else
    return std::ldexp(x, exponent);
}

/// Returns whether x is finite.
template <class T>
PIVOTLAB_DEVICE inline bool is_in_range(const T& x) {
  if constexpr (is_complex<T>)
    return is_in_range(x.real()) && is_in_range(x.imag());
  else
    return absolute(x) <= std::numeric_limits<T>::max();  // false for NaN
}

/// Returns the larger modulus of the parts of x.
template <class T>
PIVOTLAB_DEVICE inline double larger_part(const T& x) {
  if constexpr (is_complex<T>) {
    const double re = absolute(x.real()), im = absolute(x.imag());
    return re < im ? im : re;
  } else {
    return absolute(x);
  }
}

/// Returns x·factor.
template <class T>
PIVOTLAB_DEVICE inline T scaled_by(const T& x, double factor) {
  if constexpr (is_complex<T>)
    return T(x.real() * factor, x.imag() * factor);
  else
    return x * factor;
}

/// Returns NaN in all parts.
template <class T>
PIVOTLAB_DEVICE inline T not_a_number() {
  constexpr double invalid = std::numeric_limits<double>::quiet_NaN();
  if constexpr (is_complex<T>)
    return T(invalid, invalid);
  else
    return invalid;
}

}  // namespace pivotlab::batch
