// SPDX-License-Identifier: BSD-3-Clause
// The best of a warp's candidates, by reductions of integers.
#pragma once

#include "kernels/exec/portable.hpp"

#include <bit>
#include <cstdint>

namespace pivotlab::ldlt_device {

/// Returns whether this lane has the largest size, which is not negative, and among equal ones the largest rank. Lanes
/// with equal ones are all the best.
template <class Context>
PIVOTLAB_DEVICE bool is_best_of_warp(Context& context, double size, unsigned rank) {
  const auto bits = std::bit_cast<std::uint64_t>(size);
  const auto high = static_cast<unsigned>(bits >> 32), low = static_cast<unsigned>(bits);
  const bool has_high = context.warp_max(high) == high;
  const bool has_both = context.warp_max(has_high ? low : 0) == low && has_high;
  return context.warp_max(has_both ? rank : 0) == rank && has_both;
}

}  // namespace pivotlab::ldlt_device
