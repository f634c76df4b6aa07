// SPDX-License-Identifier: BSD-3-Clause
// Real and complex numbers in the kernels.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::batch {

/// Returns whether x is finite.
template <class T>
PIVOTLAB_DEVICE inline bool is_in_range(const T& x) {
  if constexpr (is_complex<T>)
    return is_in_range(x.real()) && is_in_range(x.imag());
  else
    return absolute(x) <= std::numeric_limits<T>::max();  // false for NaN
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
