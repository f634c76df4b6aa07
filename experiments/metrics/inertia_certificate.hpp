// A certified inertia in a record, and whether it agrees with a known one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <pivotlab/inertia.hpp>

namespace pivotlab::experiments {

/// Certified: it is the known one. Near zero: the known one has all others as counted. Undetermined: nothing, unless
/// the known one contradicts what is certain.
std::optional<bool> agrees(const InertiaReport& report, const Inertia& known);

/// The record's section metrics.certificate; infinity and what was not needed become null.
nlohmann::json to_json(const InertiaReport& report);

}  // namespace pivotlab::experiments
