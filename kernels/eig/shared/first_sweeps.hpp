// SPDX-License-Identifier: BSD-3-Clause
// When sweeps in single precision begin an iteration, when they end, and when they are undone. This header is plain
// C++, which a device compiler also reads.
#pragma once

namespace pivotlab::eig_detail {

/// These sweeps end when the strictly lower part is so small, relative to ‖A‖_F, that errors in single precision would
/// soon be as large, or after more sweeps than most matrices need.
inline constexpr float least_in_single_precision = 1e-4F;
inline constexpr int most_in_single_precision = 30;
/// Largest lower part, relative to ‖A‖_F, with which the iteration continues from these sweeps.
inline constexpr double most_left_below = 1e-2;
/// Elements below this size of a matrix whose largest part is near 1 become zero in single precision: their products
/// would be subnormal.
inline constexpr double negligible_in_single_precision = 1e-18;

}  // namespace pivotlab::eig_detail
