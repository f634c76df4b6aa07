// SPDX-License-Identifier: BSD-3-Clause
// Certified inertia in a record, and its comparison with a known inertia.
#pragma once

#include <optional>
#include <pivotlab/inertia.hpp>

namespace pivotlab::experiments {

/// Compares a report with the known inertia. A certified inertia must be equal to it. With eigenvalues near zero, the
/// counts of all others must agree with it. An undetermined one gives nothing, unless the known inertia contradicts the
/// counts that are certain.
std::optional<bool> agrees(const InertiaReport& report, const Inertia& known);

}  // namespace pivotlab::experiments
