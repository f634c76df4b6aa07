// The Householder reflections that random orthonormal columns are made of, on the host and on the device.
#pragma once

#include "kernels/exec/portable.hpp"

#include <cmath>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// |x|²
template <class T>
PIVOTLAB_DEVICE RealOf<T> squared_length(const T& x) {
  return real_part(T(conjugate(x) * x));
}

/// H = I − v·vᴴ with v = scale·(head, x_1, x_2, …), ‖v‖² = 2, maps x to a multiple of e_0.
template <class T>
struct Reflector {
  T head;
  RealOf<T> scale;
  T phase;  ///< what makes column 0 of H a column of Q with a positive diagonal of R
};

/// For a vector x that begins with x0 and has the square length norm2.
template <class T>
PIVOTLAB_DEVICE Reflector<T> make_reflector(const T& x0, const RealOf<T>& norm2) {
  using R = RealOf<T>;
  using std::sqrt;
  const R norm = sqrt(norm2), size = sqrt(squared_length(x0));
  const T phase = size == R(0) ? T(1) : T(x0 / size);
  // ‖v‖² = 2·norm·(norm + size) before scaling.
  return {x0 + phase * norm, R(1) / sqrt(R(norm * (norm + size))), -phase};
}

}  // namespace pivotlab
