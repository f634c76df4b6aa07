// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of real or complex numbers between threads: of a warp, and by messages of a resident grid. A complex number
// is two words of a message.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// Returns x of the lane whose number differs by the mask.
template <class T, class Context>
PIVOTLAB_DEVICE T exchanged(Context& context, const T& x, int mask) {
  if constexpr (is_complex<T>) {
    const double re = context.shuffle_xor(x.real(), mask);
    return T(re, context.shuffle_xor(x.imag(), mask));
  } else {
    return context.shuffle_xor(x, mask);
  }
}

/// Returns x of a lane.
template <class T, class Context>
PIVOTLAB_DEVICE T of_lane(Context& context, const T& x, int lane) {
  if constexpr (is_complex<T>) {
    const double re = context.shuffle(x.real(), lane);
    return T(re, context.shuffle(x.imag(), lane));
  } else {
    return context.shuffle(x, lane);
  }
}

/// Sends x as the message with this number.
template <class T, class Context>
PIVOTLAB_DEVICE void send(Context& context, NumberedDouble* to, const T& x, unsigned number) {
  context.send(to, real_part(x), number);
  if constexpr (is_complex<T>) context.send(to + 1, x.imag(), number);
}

/// Returns whether the message with this number has come, and stores it in x.
template <class T, class Context>
PIVOTLAB_DEVICE bool receive(Context& context, const NumberedDouble* from, unsigned number, T& x) {
  double re = 0;
  bool has_come = context.receive(from, number, re);
  if constexpr (is_complex<T>) {
    double im = 0;
    has_come &= context.receive(from + 1, number, im);
    x = T(re, im);
  } else {
    x = re;
  }
  return has_come;
}

}  // namespace pivotlab
