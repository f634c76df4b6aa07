// The section `variant` of a record, which follows from the rows of the variants' names.
#pragma once

#include <experiments/engine/quantity.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <variants/variant_names.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Descriptions of what the section holds. What only some of the families have is optional.
std::vector<Quantity> variant_quantities(const std::vector<const VariantNames*>& families);

/// The section of the variant of that name.
nlohmann::json variant_section(const VariantNames& names, std::string_view solver);

}  // namespace pivotlab::experiments
