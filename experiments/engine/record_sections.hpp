// What every record has, whatever the method, described as the sections of methods are.
#pragma once

#include <experiments/engine/quantity.hpp>

#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// The members of a record in their order. Those that a method describes are objects without members.
const std::vector<Quantity>& record_quantities();

/// What the flags of a time mean, in the order of the flags.
struct FlagMeaning {
  std::string_view name, meaning;
};
const std::vector<FlagMeaning>& flag_meanings();

}  // namespace pivotlab::experiments
