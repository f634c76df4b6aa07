// SPDX-License-Identifier: BSD-3-Clause
// The Householder reflections of random orthonormal columns, on the host and on the device.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cmath>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// Returns |x|².
template <class T>
PIVOTLAB_DEVICE RealOf<T> squared_length(const T& x) {
  return real_part(T(conjugate(x) * x));
}

/// H = I − v·vᴴ with v = scale·(head, x_1, x_2, …), ‖v‖² = 2, maps x to a multiple of e_0.
template <class T>
struct Reflector {
  T head;
  RealOf<T> scale;
  T phase;  ///< factor that makes column 0 of H a column of Q with a positive diagonal of R
};

/// Makes the reflection for a vector x that begins with x0 and has the squared norm norm2.
template <class T>
PIVOTLAB_DEVICE Reflector<T> make_reflector(const T& x0, const RealOf<T>& norm2) {
  using R = RealOf<T>;
  using std::sqrt;
  const R norm = sqrt(norm2), size = sqrt(squared_length(x0));
  const T phase = size == R(0) ? T(1) : T(x0 / size);
  // Before scaling, ‖v‖² = 2·norm·(norm + size).
  return {x0 + phase * norm, R(1) / sqrt(R(norm * (norm + size))), -phase};
}

}  // namespace pivotlab
