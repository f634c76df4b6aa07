// SPDX-License-Identifier: BSD-3-Clause
// Weights of rows that separate equal σ (multiple.hpp). This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cmath>
#include <cstdint>

namespace pivotlab::gsvd_detail {

/// Weights in [1, 2), no two of which are close: the fractional parts of multiples of the golden ratio.
template <class R>
PIVOTLAB_DEVICE inline R weight(std::int64_t i) {
  const double x = 0x1.3c6ef372fe95p-1 * static_cast<double>(i + 1);
  return R(1 + (x - std::floor(x)));
}

}  // namespace pivotlab::gsvd_detail
