// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of the elimination on the host: that of products.hpp, and maxima that vectorize.
#pragma once

#include "kernels/ldlt/shared/products.hpp"
#include "kernels/numerics/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <pivotlab/matrix.hpp>

namespace pivotlab::ldlt_detail {

/// Returns max size(i) over 0 ≤ i < n, or 0 if n = 0; NaN is ignored.
template <class R, class Size>
R largest_of(Index n, const Size& size) {
  constexpr Index lanes = 8;  // independent maxima, because the compiler may not reassociate a maximum of doubles
  std::array<R, lanes> m{};
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
#pragma omp simd
    for (Index l = 0; l < lanes; ++l) {
      const R other = size(i + l);
      m[l] = other > m[l] ? other : m[l];
    }
  }
  for (; i < n; ++i) {
    const R other = size(i);
    m[0] = other > m[0] ? other : m[0];
  }
  return *std::ranges::max_element(m);
}

/// Returns max|x_i|, or 0 if n = 0.
template <class T>
RealOf<T> largest_magnitude(const T* x, Index n) {
  return largest_of<RealOf<T>>(n, [x](Index i) { return modulus(x[i]); });
}

/// Returns the same for complex numbers. Squares select the few elements whose modulus needs a root and a quotient.
inline double largest_magnitude(const std::complex<double>* x, Index n) {
  constexpr Index batch = 32;
  double largest = 0, threshold = -1;  // squares of larger moduli are not below the threshold
  for (Index first = 0; first < n; first += batch) {
    const std::complex<double>* const part = x + first;
    const Index count = std::min(batch, n - first);
    const double square = largest_of<double>(count, [part](Index i) { return squared_magnitude(part[i]); });
    if (square < threshold) continue;
    for (Index i = 0; i < count; ++i) largest = std::max(largest, modulus(part[i]));
    threshold = largest * largest * (1 - 0x1p-45);                       // rounding hides no element,
    if (!(0x1p-960 < threshold && threshold < 0x1p960)) threshold = -1;  // underflow or overflow
  }
  return largest;
}

}  // namespace pivotlab::ldlt_detail
