// SPDX-License-Identifier: BSD-3-Clause
// Describes the section `variant` of records, by the rows of the variants' names.
#pragma once

#include <experiments/engine/quantity.hpp>
#include <variants/variant_names.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Returns the descriptions of the section's members. A member that only some of the families have is optional.
std::vector<Quantity> variant_quantities(const std::vector<const VariantNames*>& families);

}  // namespace pivotlab::experiments
