// Finds what the command line names and this machine or build does not support.
#pragma once

#include <experiments/engine/plan.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// A value of an axis of which no case could run, because all of them are not_supported, or because there is none.
struct Unsupported {
  std::string axis, value;
  std::size_t cases = 0;
  std::string reason;  ///< of its first case, or why it has none
};

/// The values of the named axes that never ran, by the records in the folder `run`: axis by axis in the order named,
/// each without the cases that a value before it covers. The axis solver stands for all solvers of the plan, other axes
/// for the values in its spec. Values without a case are among them if their axis says why (AxisInfo::without_cases).
std::vector<Unsupported> find_unsupported(const experiments::Plan& plan, const std::filesystem::path& run,
                                          const std::vector<std::string>& named_axes);

/// "backend cuda is not supported here, none of its 2 cases ran: …"
std::string describe(const Unsupported& unsupported);

}  // namespace pivotlab::cli
