// SPDX-License-Identifier: BSD-3-Clause
// Choices and rows common to the GSVD on one and on several GPUs; some are also used by the eigendecomposition.
#pragma once

#include <pivotlab/variant.hpp>
#include <variants/grammar.hpp>

#include <array>
#include <vector>

namespace pivotlab {

inline constexpr std::array scalar_types{Choice{ScalarType::d, "D"}, Choice{ScalarType::z, "Z"}};

inline constexpr std::array strategies{
    Choice{Strategy::ME, "ME", "", "generalized Mantharam-Eberlein: cyclic, n-1 steps, every pair once"},
    Choice{Strategy::MM, "MM", "", "modified modulus: quasi-cyclic, n steps, n/2 pairs twice"},
    Choice{Strategy::RR, "RR", "", "round robin, as in a chess tournament: cyclic, n-1 steps, every pair once"}};

inline constexpr std::array blockings{Choice{Blocking::FB, "FB"}, Choice{Blocking::BO, "BO"}};

/// Returns the rows of GsvdVariant, from the ID to the factor.
std::vector<VariantRow<GsvdVariant>> gsvd_rows();

/// Returns the row of a name's first letter, the scalar type.
template <class Named>
VariantRow<Named> type_row() {
  return {choice(&Named::type, scalar_types),
          {.name = "type", .written = Written::never, .listed = true, .wildcard = "?"}};
}

}  // namespace pivotlab
