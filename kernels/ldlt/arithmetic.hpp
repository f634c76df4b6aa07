// Arithmetic of the elimination on the host: what a device has, too, and maxima that vectorize.
#pragma once

#include "kernels/ldlt/products.hpp"
#include "kernels/numerics/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <pivotlab/matrix.hpp>

namespace pivotlab::ldlt_detail {

/// max|x|, 0 of nothing.
template <class T>
RealOf<T> largest_magnitude(const T* x, Index n) {
  using R = RealOf<T>;
  constexpr Index lanes = 8;  // independent maxima: the compiler may not re-associate one of doubles
  std::array<R, lanes> m{};
  Index i = 0;
  for (; i + lanes <= n; i += lanes)
    for (Index l = 0; l < lanes; ++l) {
      const R size = modulus(x[i + l]);
      m[static_cast<std::size_t>(l)] = size > m[static_cast<std::size_t>(l)] ? size : m[static_cast<std::size_t>(l)];
    }
  for (; i < n; ++i) m[0] = std::max<R>(m[0], modulus(x[i]));
  return *std::ranges::max_element(m);
}

}  // namespace pivotlab::ldlt_detail
