// SPDX-License-Identifier: BSD-3-Clause
// The Householder reflector of a column, for kernels of reductions to tridiagonal form.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::two_stage {

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
