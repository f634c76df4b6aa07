// SPDX-License-Identifier: BSD-3-Clause
// Conversion of doubles to extended numbers and back. T is double or std::complex<double>, E the same over Quad or
// DoubleDouble.
#pragma once

#include "kernels/exec/portable.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

template <class E, class T>
PIVOTLAB_DEVICE E extend(const T& x) {
  if constexpr (is_complex<T>)
    return E(RealOf<E>(x.real()), RealOf<E>(x.imag()));
  else
    return E(x);
}

template <class T, class E>
PIVOTLAB_DEVICE T round_to_double(const E& x) {
  if constexpr (is_complex<T>)
    return T(static_cast<double>(x.real()), static_cast<double>(x.imag()));
  else
    return static_cast<double>(x);
}

}  // namespace pivotlab
