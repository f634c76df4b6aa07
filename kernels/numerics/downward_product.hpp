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

/// Next number below x; x is a finite product.
template <class R>
PIVOTLAB_DEVICE inline R next_below(const R& x) {
  if constexpr (std::is_same_v<R, double>) {
    // Without branches, so that the loops around it vectorize.
    const auto bits = std::bit_cast<std::int64_t>(x == 0 ? -0.0 : x);
    return std::bit_cast<double>(bits < 0 ? bits + 1 : bits - 1);
  } else {
    using std::nextafter;
    return nextafter(x, R(-std::numeric_limits<R>::max()));
  }
}

}  // namespace detail

/// Product a·b as c + d, c rounded towards −∞ and thus d ≥ 0 (Appendix A). Without an FMA, for Quad, d = 0.
template <class R>
struct DownwardProduct {
  R c, d;
  PIVOTLAB_DEVICE DownwardProduct(const R& a, const R& b) {
    const R nearest = a * b;
    if constexpr (std::is_floating_point_v<R>) {
      c = std::fma(a, b, -nearest) < R(0) ? detail::next_below(nearest) : nearest;
      d = std::fma(a, b, -c);
    } else {
      c = nearest;
      d = R(0);
    }
  }
};

}  // namespace pivotlab
