// SPDX-License-Identifier: BSD-3-Clause
// Computes Σ_F, Σ_G and Σ from the norms of columns (section 3.4), for pairs that were scaled by powers of two. This
// header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/gsvd/shared/transformation.hpp"

#include <cmath>
#include <limits>

namespace pivotlab {

/// Has the values of a column z; z·factor·2^exponent is normalized. σ is infinite if it leaves the range of normal
/// numbers.
template <class R>
struct ColumnValues {
  R sigma_f, sigma_g, sigma, factor;
  int exponent;
};

/// Returns the values of a column of (F, G) from the norms ‖2^f·F·z‖, zero for a null column, and ‖G·z‖ > 0. They are
/// computed in units of the larger one, so that only values which leave the range themselves lose digits.
template <class R>
PIVOTLAB_DEVICE inline ColumnValues<R> values_of_column(const R& norm_f, const R& norm_g, int f) {
  using std::ldexp;
  const int exponent = f < 0 && norm_f > R(0) ? f : 0;
  const R factor = R(1) / detail::hypotenuse(R(ldexp(norm_f, exponent - f)), R(ldexp(norm_g, exponent)));
  const R sigma = ldexp(R(norm_f / norm_g), -f);
  const bool is_lost = norm_f > R(0) && !(sigma >= std::numeric_limits<R>::min());
  return {R(ldexp(R(norm_f * factor), exponent - f)), R(ldexp(R(norm_g * factor), exponent)),
          is_lost ? std::numeric_limits<R>::infinity() : sigma, factor, exponent};
}

}  // namespace pivotlab
