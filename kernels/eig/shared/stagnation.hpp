// When sweeps no longer help. Plain: a device compiler reads it, too.
#pragma once

#include <vector>

namespace pivotlab::eig_detail {

/// Sweeps in which the lower part has to halve. Some nearly defective matrices would converge after longer; a Schur
/// form takes less time than their sweeps.
inline constexpr int patience = 20;

/// Whether the share of the lower part in the norm, lower_share(sweep), has not halved in the last sweeps of a history.
template <class Sweep, class LowerShare>
bool has_stagnated(const std::vector<Sweep>& history, const LowerShare& lower_share) {
  if (history.size() <= patience) return false;
  return !(2 * lower_share(history.back()) <= lower_share(history[history.size() - 1 - patience]));
}

}  // namespace pivotlab::eig_detail
