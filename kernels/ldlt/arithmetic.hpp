// Arithmetic of the elimination: products without the checks for NaN of std::complex, maxima that vectorize.
#pragma once

#include "kernels/numerics/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <pivotlab/matrix.hpp>

namespace pivotlab::ldlt_detail {

/// a·b
template <class T>
T multiply(const T& a, const T& b) {
  if constexpr (is_complex<T>)
    return T(fused(a.real(), b.real(), RealOf<T>(-(a.imag() * b.imag()))),
             fused(a.real(), b.imag(), RealOf<T>(a.imag() * b.real())));
  else
    return a * b;
}

/// a·b + c
template <class T>
T multiply_add(const T& a, const T& b, const T& c) {
  if constexpr (is_complex<T>)
    return T(fused(RealOf<T>(-a.imag()), b.imag(), fused(a.real(), b.real(), RealOf<T>(c.real()))),
             fused(a.imag(), b.real(), fused(a.real(), b.imag(), RealOf<T>(c.imag()))));
  else
    return fused(a, b, c);
}

/// The conjugate of a Hermitian matrix's element, the element of a symmetric one: what stands across the diagonal.
template <bool hermitian, class T>
T across(const T& x) {
  if constexpr (hermitian)
    return conjugate(x);
  else
    return x;
}

/// An element of a Hermitian diagonal is real.
template <bool hermitian, class T>
T on_diagonal(const T& x) {
  if constexpr (hermitian)
    return T(real_part(x));
  else
    return x;
}

/// max|x|, 0 of nothing.
template <class T>
RealOf<T> largest_magnitude(const T* x, Index n) {
  using R = RealOf<T>;
  constexpr Index lanes = 8;  // independent maxima: the compiler may not re-associate one of doubles
  std::array<R, lanes> m{};
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Index l = 0; l < lanes; ++l) {
      const R size = absolute(x[i + l]);
      m[static_cast<std::size_t>(l)] = size > m[static_cast<std::size_t>(l)] ? size : m[static_cast<std::size_t>(l)];
    }
  for (; i < n; ++i) m[0] = std::max<R>(m[0], absolute(x[i]));
  return *std::ranges::max_element(m);
}

}  // namespace pivotlab::ldlt_detail
