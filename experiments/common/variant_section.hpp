// The section `variant` of a record, derived from the rows of the variants' names.
#pragma once

#include <experiments/engine/quantity.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <variants/variant_names.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Returns the descriptions of the section's members. A member that only some of the families have is optional.
std::vector<Quantity> variant_quantities(const std::vector<const VariantNames*>& families);

/// Returns the section of the variant with that name.
nlohmann::json variant_section(const VariantNames& names, std::string_view solver);

}  // namespace pivotlab::experiments
