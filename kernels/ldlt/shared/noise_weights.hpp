// SPDX-License-Identifier: BSD-3-Clause
// Computes weights of the noise test: of the columns of a 2×2 pivot in ρ (scaled_rank.hpp), and of rows in propagated
// errors (propagated_errors.hpp). This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cmath>
#include <cstdint>
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

/// Returns σ_i of a sample, a number of modulus 1/2 to 1 and a random sign, from a hash of both.
PIVOTLAB_DEVICE inline double random_weight(std::int64_t row, int sample) {
  std::uint32_t z = (2 * static_cast<std::uint32_t>(row) + static_cast<std::uint32_t>(sample) + 1) * 0x9e3779b9u;
  z = (z ^ (z >> 16)) * 0x85ebca6bu;
  z = (z ^ (z >> 13)) * 0xc2b2ae35u;
  z ^= z >> 16;
  const double size = 0.5 + 0x1p-32 * static_cast<double>(z >> 1);
  return z % 2 == 0 ? size : -size;
}

}  // namespace pivotlab::ldlt_detail
