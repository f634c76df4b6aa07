// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of real or complex numbers between threads: of a warp, and by messages of a resident grid. A complex number
// is two words of a message.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

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

/// The reflector H = I − τ·v·vᴴ with Hᴴ·x = β·e₁: v = (1, scale·x₂, scale·x₃, …).
template <class T>
struct ColumnReflector {
  static constexpr double negligible = 1e-250;  ///< squares of columns that count as zero
  T tau = T(2), scale = T(0);
  double beta = 0;

  /// Makes it of x₁ and the sum of squares of the others.
  PIVOTLAB_DEVICE ColumnReflector(const T& first, double squares) {
    if constexpr (is_complex<T>) squares += first.imag() * first.imag();
    squares = fused(real_part(first), real_part(first), squares);
    if (squares < negligible) return;
    beta = -with_sign_of(square_root(squares), real_part(first));
    const T pivot = sum(first, T(-beta));
    tau = negated(divided_by_real(pivot, beta));
    scale = quotient(T(1), pivot);
  }
};

}  // namespace pivotlab::two_stage
