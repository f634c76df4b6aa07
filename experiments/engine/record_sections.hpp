// SPDX-License-Identifier: BSD-3-Clause
// Describes the members that records of all methods share, as methods describe their sections.
#pragma once

#include <experiments/engine/method.hpp>

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// The members of a record in their order. Those that a method describes are objects without members.
const std::vector<Quantity>& record_quantities();

/// Returns the section `variant` of the record of a case: the parameters of its solver; null for baselines.
nlohmann::json variant_section(const Method& method, const Case& axes);

/// Gives the meaning of one flag of a time; flag_meanings() lists them in the order of reports.
struct FlagMeaning {
  std::string_view name, meaning;
};
const std::vector<FlagMeaning>& flag_meanings();

}  // namespace pivotlab::experiments
