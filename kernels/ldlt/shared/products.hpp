// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of the elimination, with the same bits on the host and on a device. This header is plain C++, which a
// device compiler also reads.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>
#include <utility>

namespace pivotlab::ldlt_detail {

using pivotlab::divided_by_real, pivotlab::modulus, pivotlab::multiply, pivotlab::multiply_add, pivotlab::negated,
    pivotlab::quotient, pivotlab::sum;

/// Returns the element across the diagonal: the conjugate if the matrix is Hermitian, x itself if it is symmetric.
template <bool hermitian, class T>
PIVOTLAB_DEVICE inline T across(const T& x) {
  if constexpr (hermitian)
    return conjugate(x);
  else
    return x;
}

/// An element of a Hermitian diagonal is real.
template <bool hermitian, class T>
PIVOTLAB_DEVICE inline T on_diagonal(const T& x) {
  if constexpr (hermitian)
    return T(real_part(x));
  else
    return x;
}

/// Returns c/p for the 1×1 pivot p.
template <bool hermitian, class T>
PIVOTLAB_DEVICE inline T divided_by_pivot(const T& c, const T& p) {
  if constexpr (hermitian)
    return divided_by_real(c, real_part(p));
  else
    return quotient(c, p);
}

/// The block [a, across(b); b, c].
template <class T>
struct Block {
  T a, b, c;
};

/// P⁻¹ of a 2×2 pivot, scaled by the off-diagonal element, which dominates P, as in LAPACK. The thesis uses the
/// eigendecomposition, which rounds more often and does not exist for complex symmetric blocks.
template <class T, bool hermitian>
class BlockInverse {
 public:
  PIVOTLAB_DEVICE explicit BlockInverse(const Block<T>& P) {
    if constexpr (hermitian && is_complex<T>) {
      scale_ = T(modulus(P.b));
      phase_ = divided_by_real(P.b, real_part(scale_));
    } else {
      scale_ = P.b;
      phase_ = T(1);
    }
    a_ = quotient(P.a, scale_);
    c_ = quotient(P.c, scale_);
    factor_ = quotient(T(1), multiply_add(a_, c_, T(-1)));
  }
  /// Returns (x, y)·P⁻¹.
  PIVOTLAB_DEVICE std::pair<T, T> apply_to_row(const T& x, const T& y) const {
    const T first = multiply_add(c_, x, negated(multiply(phase_, y)));
    const T second = multiply_add(a_, y, negated(multiply(T(conjugate(phase_)), x)));
    return {quotient(multiply(factor_, first), scale_), quotient(multiply(factor_, second), scale_)};
  }
  /// Returns P⁻¹·(x, y)ᵀ.
  PIVOTLAB_DEVICE static std::pair<T, T> solve(const Block<T>& P, const T& x, const T& y) {
    return BlockInverse(Block<T>{P.a, across<hermitian>(P.b), P.c}).apply_to_row(x, y);
  }

 private:
  T a_, c_, scale_, phase_, factor_;
};

}  // namespace pivotlab::ldlt_detail
