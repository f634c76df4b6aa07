// A certified inertia in a record, and whether it agrees with a known one.
#pragma once

#include <optional>
#include <pivotlab/inertia.hpp>

namespace pivotlab::experiments {

/// Certified: it is the known one. Near zero: the known one has all others as counted. Undetermined: nothing, unless
/// the known one contradicts what is certain.
std::optional<bool> agrees(const InertiaReport& report, const Inertia& known);

}  // namespace pivotlab::experiments
