// SPDX-License-Identifier: BSD-3-Clause
// Complex (and real) arithmetic by parts, with the same bits on the host and on a device. It uses neither the
// compilers' complex products and quotients nor a library's hypot. This header is plain C++, which a device compiler
// also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// Returns −x.
template <class T>
PIVOTLAB_DEVICE inline T negated(const T& x) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(-x.real()), RealOf<T>(-x.imag()));
  else
    return -x;
}

/// Returns a + b.
template <class T>
PIVOTLAB_DEVICE inline T sum(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() + b.real()), RealOf<T>(a.imag() + b.imag()));
  else
    return a + b;
}

/// Returns a − b.
template <class T>
PIVOTLAB_DEVICE inline T difference(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() - b.real()), RealOf<T>(a.imag() - b.imag()));
  else
    return a - b;
}

/// Returns a·b.
template <class T>
PIVOTLAB_DEVICE inline T multiply(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(fused(a.real(), b.real(), RealOf<T>(-(a.imag() * b.imag()))),
             fused(a.real(), b.imag(), RealOf<T>(a.imag() * b.real())));
  else
    return a * b;
}

/// Returns a·b + c.
template <class T>
PIVOTLAB_DEVICE inline T multiply_add(const T& a, const T& b, const T& c) {
  if constexpr (is_complex<T>)
    return T(fused(RealOf<T>(-a.imag()), b.imag(), fused(a.real(), b.real(), RealOf<T>(c.real()))),
             fused(a.imag(), b.real(), fused(a.real(), b.imag(), RealOf<T>(c.imag()))));
  else
    return fused(a, b, c);
}

/// Returns a·r.
template <class T>
PIVOTLAB_DEVICE inline T times_real(const T& a, const RealOf<T>& r) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() * r), RealOf<T>(a.imag() * r));
  else
    return a * r;
}

/// Returns a/r.
template <class T>
PIVOTLAB_DEVICE inline T divided_by_real(const T& a, const RealOf<T>& r) {
  if constexpr (is_complex<T>)
    return T(RealOf<T>(a.real() / r), RealOf<T>(a.imag() / r));
  else
    return a / r;
}

/// Returns a/b, for complex numbers by Smith's algorithm.
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

/// Returns |x|, by which pivots are chosen. Intermediate results neither overflow nor underflow before the result does.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> modulus(const T& x) {
  if constexpr (is_complex<T>) {
    using R = RealOf<T>;
    const R re = absolute(R(x.real())), im = absolute(R(x.imag()));
    const R large = re < im ? im : re, small = re < im ? re : im;
    const R ratio = large > R(0) ? R(small / large) : R(0);  // no branch, so that loops vectorize
    return large * square_root(fused(ratio, ratio, R(1)));
  } else {
    return absolute(x);
  }
}

/// Returns the larger one of |Re x| and |Im x|; NaN if one of them is NaN.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> larger_part(const T& x) {
  if constexpr (is_complex<T>)
    return larger_or_nan(RealOf<T>(absolute(x.real())), RealOf<T>(absolute(x.imag())));
  else
    return absolute(x);
}

/// Returns |x|² without the square root.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> squared_magnitude(const T& x) {
  if constexpr (is_complex<T>)
    return fused(x.real(), x.real(), RealOf<T>(x.imag() * x.imag()));
  else
    return x * x;
}

namespace detail {

/// Returns |x|² without an FMA.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> squared_modulus(const T& x) {
  if constexpr (is_complex<T>)
    return x.real() * x.real() + x.imag() * x.imag();
  else
    return x * x;
}

/// Returns x·y by its definition, without FMAs: the operator of std::complex tests for infinities, which takes longer
/// than the product.
template <class T>
PIVOTLAB_DEVICE inline T times(const T& x, const T& y) {
  if constexpr (is_complex<T>)
    return T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  else
    return x * y;
}

}  // namespace detail

/// Returns |Re x| + |Im x|, or |x|, which is within √2 of the modulus and never overflows before it does.
template <class T>
PIVOTLAB_DEVICE inline RealOf<T> magnitude_1(const T& x) {
  if constexpr (is_complex<T>)
    return absolute(x.real()) + absolute(x.imag());
  else
    return absolute(x);
}

}  // namespace pivotlab
