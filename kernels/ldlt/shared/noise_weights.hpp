// SPDX-License-Identifier: BSD-3-Clause
// Computes weights of the columns of a 2×2 pivot in ρ (scaled_rank.hpp). This header is plain C++, which a device
// compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cmath>
#include <limits>

namespace pivotlab::ldlt_detail {

/// Returns √(ρ² + d·m²) for ρ, m ≥ 0 and the root of d, also where squares underflow.
template <class R>
PIVOTLAB_DEVICE inline R with_square(const R& rho, const R& root, const R& m) {
  const R x = root * m, large = rho < x ? x : rho, ratio = large > R(0) ? R((rho < x ? rho : x) / large) : R(0);
  return large * square_root(R(R(1) + ratio * ratio));
}

/// Has |a| + t·|b| and |b|/t + |c|.
template <class R>
struct NoiseWeights {
  R first, second;
};

/// Returns the weights for the moduli a, b, c of a pivot and t = 2^exponent, or the next t in [a/b, b/c].
template <class R>
PIVOTLAB_DEVICE inline NoiseWeights<R> noise_weights(const R& a, const R& b, const R& c, int exponent) {
  using std::ldexp;
  R first = ldexp(b, exponent), second = ldexp(b, -exponent);
  if (b > R(0) && c > second)
    first = b * (b / c), second = c;
  else if (b > R(0) && a > first)
    first = a, second = b * (b / a);
  constexpr R largest = std::numeric_limits<R>::max();
  return {a + first < largest ? R(a + first) : largest, second + c < largest ? R(second + c) : largest};
}

}  // namespace pivotlab::ldlt_detail
