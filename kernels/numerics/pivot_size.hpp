// SPDX-License-Identifier: BSD-3-Clause
// Comparison of pivots of extended numbers, on the host and on the device.
#pragma once

#include "kernels/numerics/double_double.hpp"

#include <cmath>
#include <pivotlab/scalar_traits.hpp>
#include <type_traits>

namespace pivotlab::detail {

/// Returns the size by which pivots are compared. The leading double of the modulus (|Re| + |Im| as in IxAMAX) is
/// sufficient.
template <class R>
PIVOTLAB_DEVICE auto pivot_size(const R& x) {
  using std::abs;
  if constexpr (is_complex<R>)
    return pivot_size(x.real()) + pivot_size(x.imag());
  else if constexpr (std::is_same_v<R, DoubleDouble>)
    return std::fabs(x.hi());
  else
    return R(abs(x));
}
}  // namespace pivotlab::detail
