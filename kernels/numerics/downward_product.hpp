// Products with their rounding errors, of which enhanced dot products are made (Novaković & Singer, Appendix A).
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pivotlab {
namespace detail {

/// nearest, or the number below where the sign of `error`, of the exact product less its nearest number, is set. An
/// error that underflows is a zero with the right sign. Without branches, so that the loops around it vectorize.
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

/// Product a·b as c + d, c rounded towards −∞ and thus d ≥ 0 (Appendix A). Without an FMA, for Quad, d = 0.
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
