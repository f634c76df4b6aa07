// SPDX-License-Identifier: BSD-3-Clause
// Finds values that the command line names and this machine or build does not support.
#pragma once

#include <experiments/engine/plan.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// A value of an axis for which no case ran: all its cases are not_supported, or it has none.
struct Unsupported {
  std::string axis, value;
  std::size_t cases = 0;
  std::string reason;  ///< reason of its first case, or why it has none
};

/// Returns the values of the named axes for which no case ran, by the records in the folder `run`: axis by axis in the
/// order named, each one without the cases that an earlier value covers. The values of the axis solver are all solvers
/// of the plan, those of other axes are the values in its spec. Values without a case are included if their axis gives
/// a reason (AxisInfo::without_cases).
std::vector<Unsupported> find_unsupported(const experiments::Plan& plan, const std::filesystem::path& run,
                                          const std::vector<std::string>& named_axes);

/// Returns "backend cuda is not supported here, none of its 2 cases ran: …".
std::string describe(const Unsupported& unsupported);

}  // namespace pivotlab::cli
