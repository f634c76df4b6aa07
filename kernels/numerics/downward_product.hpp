// SPDX-License-Identifier: BSD-3-Clause
// Products with their rounding errors, for enhanced dot products (Novaković & Singer, Appendix A).
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pivotlab {
namespace detail {

/// Returns `nearest`, or the next smaller number if the sign bit of `error` is set; `error` is the exact product minus
/// its nearest number. An error that underflows is a zero with the right sign. The function has no branches, so that
/// loops around it vectorize.
template <class R>
PIVOTLAB_DEVICE inline R rounded_down(const R& nearest, const R& error) {
  if constexpr (std::is_same_v<R, double>) {
    const auto bits = std::bit_cast<std::int64_t>(nearest);
    const std::int64_t below = bits < 0 ? bits + 1 : bits - 1;
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(error) < 0 ? below : bits);
  } else {
    return std::signbit(error) ? std::nextafter(nearest, -std::numeric_limits<R>::infinity()) : nearest;
  }
}

}  // namespace detail

/// The product a·b as c + d, with c rounded towards −∞ and thus d ≥ 0 (Appendix A). For Quad, without an FMA, d = 0.
template <class R>
struct DownwardProduct {
  R c, d;
  PIVOTLAB_DEVICE DownwardProduct(const R& a, const R& b) {
    if constexpr (std::is_floating_point_v<R>) {
#ifdef __CUDA_ARCH__
      c = __dmul_rd(a, b);
#else
      const R nearest = a * b;
      c = detail::rounded_down(nearest, R(std::fma(a, b, -nearest)));
#endif
      d = std::fma(a, b, -c);
    } else {
      c = a * b;
      d = R(0);
    }
  }
};

}  // namespace pivotlab
