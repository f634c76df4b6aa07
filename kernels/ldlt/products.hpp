// Arithmetic of the elimination, the same bits on the host and on a device: complex numbers by parts, neither the
// compilers' products and quotients nor a library's hypot. Plain: a device compiler reads it, too.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>
#include <utility>

namespace pivotlab::ldlt_detail {

/// −x
template <class T>
PIVOTLAB_DEVICE inline T negated(const T& x) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(-x.real()), RealOf<T>(-x.imag()));
  else
    return -x;
}

/// a + b
template <class T>
PIVOTLAB_DEVICE inline T sum(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() + b.real()), RealOf<T>(a.imag() + b.imag()));
  else
    return a + b;
}

/// a·b
template <class T>
PIVOTLAB_DEVICE inline T multiply(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(fused(a.real(), b.real(), RealOf<T>(-(a.imag() * b.imag()))),
             fused(a.real(), b.imag(), RealOf<T>(a.imag() * b.real())));
  else
    return a * b;
}

/// a·b + c
template <class T>
PIVOTLAB_DEVICE inline T multiply_add(const T& a, const T& b, const T& c) {
  if constexpr (is_complex<T>)
    return T(fused(RealOf<T>(-a.imag()), b.imag(), fused(a.real(), b.real(), RealOf<T>(c.real()))),
             fused(a.imag(), b.real(), fused(a.real(), b.imag(), RealOf<T>(c.imag()))));
  else
    return fused(a, b, c);
}

/// a/r
template <class T>
PIVOTLAB_DEVICE inline T divided_by_real(const T& a, const RealOf<T>& r) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() / r), RealOf<T>(a.imag() / r));
  else
    return a / r;
}

/// a/b, of complex numbers by Smith's algorithm.
template <class T>
PIVOTLAB_DEVICE inline T quotient(const T& a, const T& b) {
  if constexpr (is_complex<T>) {
    using R = RealOf<T>;
    if (absolute(R(b.real())) >= absolute(R(b.imag()))) {
      const R ratio = b.imag() / b.real(), size = fused(R(b.imag()), ratio, R(b.real()));
      return T(R(fused(R(a.imag()), ratio, R(a.real())) / size), R(fused(R(-a.real()), ratio, R(a.imag())) / size));
    }
    const R ratio = b.real() / b.imag(), size = fused(R(b.real()), ratio, R(b.imag()));
    return T(R(fused(R(a.real()), ratio, R(a.imag())) / size), R(fused(R(a.imag()), ratio, R(-a.real())) / size));
  } else {
    return a / b;
  }
}

/// |x|, by which pivots are chosen. Neither overflows nor underflows before the result does.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> modulus(const T& x) {
  if constexpr (is_complex<T>) {
    using R = RealOf<T>;
    const R re = absolute(R(x.real())), im = absolute(R(x.imag()));
    const R large = re < im ? im : re, small = re < im ? re : im;
    if (large == R(0)) return large;
    const R ratio = small / large;
    return large * square_root(fused(ratio, ratio, R(1)));
  } else {
    return absolute(x);
  }
}

/// The conjugate of a Hermitian matrix's element, the element of a symmetric one: what stands across the diagonal.
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

/// c/p for the 1×1 pivot p.
template <bool hermitian, class T>
PIVOTLAB_DEVICE inline T divided_by_pivot(const T& c, const T& p) {
  if constexpr (hermitian)
    return divided_by_real(c, real_part(p));
  else
    return quotient(c, p);
}

/// [a, across(b); b, c]
template <class T>
struct Block {
  T a, b, c;
};

/// P⁻¹ of a 2×2 pivot, scaled by the off-diagonal element, which dominates P, as in LAPACK. The source takes the
/// eigendecomposition instead, which rounds more often, and of which complex symmetric blocks have no equal.
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
  /// (x, y)·P⁻¹
  PIVOTLAB_DEVICE std::pair<T, T> apply_to_row(const T& x, const T& y) const {
    const T first = multiply_add(c_, x, negated(multiply(phase_, y)));
    const T second = multiply_add(a_, y, negated(multiply(T(conjugate(phase_)), x)));
    return {quotient(multiply(factor_, first), scale_), quotient(multiply(factor_, second), scale_)};
  }
  /// P⁻¹·(x, y)ᵀ
  PIVOTLAB_DEVICE static std::pair<T, T> solve(const Block<T>& P, const T& x, const T& y) {
    return BlockInverse(Block<T>{P.a, across<hermitian>(P.b), P.c}).apply_to_row(x, y);
  }

 private:
  T a_, c_, scale_, phase_, factor_;
};

}  // namespace pivotlab::ldlt_detail
