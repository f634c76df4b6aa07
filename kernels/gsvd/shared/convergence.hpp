// SPDX-License-Identifier: BSD-3-Clause
// When the iteration ends.
#pragma once

#include <functional>

namespace pivotlab::gsvd_detail {

/// After as many sweeps without big transformations the iteration ends, though columns were exchanged.
inline constexpr int most_quiet_sweeps = 4;

/// Returns whether the iteration ends after the last of the sweeps: it had no big transformations, and no exchanges by
/// sorting, which move columns past each other, so that some pairs of them do not meet. Exchanges without
/// transformations come to an end (is_ascending); those with transformations of columns of equal norms may not.
template <class Sweeps, class Counters = std::identity>
bool has_converged(const Sweeps& sweeps, Counters counters = {}) {
  int quiet = 0;
  for (auto sweep = sweeps.rbegin(); sweep != sweeps.rend() && std::invoke(counters, *sweep).big == 0; ++sweep) ++quiet;
  const auto& last = std::invoke(counters, sweeps.back());
  return quiet > 0 && (last.swaps == 0 || (last.transformations > 0 && quiet >= most_quiet_sweeps));
}

}  // namespace pivotlab::gsvd_detail
