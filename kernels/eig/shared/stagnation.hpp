// SPDX-License-Identifier: BSD-3-Clause
// The test for stagnation of sweeps. This header is plain C++, which a device compiler also reads.
#pragma once

#include <vector>

namespace pivotlab::eig_detail {

/// Number of sweeps in which the lower part must halve. Some nearly defective matrices would converge later; a Schur
/// form takes less time than their sweeps.
inline constexpr int patience = 20;

/// Returns whether the share of the lower part in the norm, lower_share(sweep), has not halved in the last sweeps of a
/// history.
template <class Sweep, class LowerShare>
bool has_stagnated(const std::vector<Sweep>& history, const LowerShare& lower_share) {
  if (history.size() <= patience) return false;
  return !(2 * lower_share(history.back()) <= lower_share(history[history.size() - 1 - patience]));
}

}  // namespace pivotlab::eig_detail
