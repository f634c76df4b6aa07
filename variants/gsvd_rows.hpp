// SPDX-License-Identifier: BSD-3-Clause
// Choices and rows common to the GSVD on one and on several GPUs; some are also used by the eigendecomposition.
#pragma once

#include <pivotlab/variant.hpp>
#include <variants/grammar.hpp>
#include <variants/orderings/own_strategy.hpp>

#include <array>
#include <vector>

namespace pivotlab {

inline constexpr std::array scalar_types{Choice{ScalarType::d, "D"}, Choice{ScalarType::z, "Z"}};

inline constexpr std::array strategies{
    Choice{Strategy::ME, "ME", "", "generalized Mantharam-Eberlein: cyclic, n-1 steps, every pair once"},
    Choice{Strategy::MM, "MM", "", "modified modulus: quasi-cyclic, n steps, n/2 pairs twice"},
    Choice{Strategy::RR, "RR", "", "round robin, as in a chess tournament: cyclic, n-1 steps, every pair once"}};

/// Makes a row for a strategy, one of `strategies` or one of the user's.
template <class V>
OptionField<V> strategy_choice(Strategy V::*member) {
  OptionField<V> field = choice(member, strategies);
  field.domain.own = [](std::string_view text) {
    return is_own_strategy(text) ? std::string(spelling_of_own(own_strategy(text))) : std::string();
  };
  field.get = [member, get = field.get](const V& variant) -> OptionValue {
    const std::string_view own = spelling_of_own(variant.*member);
    return own.empty() ? get(variant) : OptionValue(std::string(own));
  };
  field.set = [member, set = field.set](V& variant, const OptionValue& value) {
    const std::string& text = std::get<std::string>(value);
    text.starts_with('[') ? void(variant.*member = own_strategy(text)) : set(variant, value);
  };
  return field;
}

inline constexpr std::array blockings{Choice{Blocking::FB, "FB"}, Choice{Blocking::BO, "BO"}};

/// Returns the rows of GsvdVariant, from the ID to the factor.
std::vector<VariantRow<GsvdVariant>> gsvd_rows();

/// Makes the row of a refinement at the end.
template <class V>
VariantRow<V> refine_row(bool V::*member) {
  return {flag(member),
          {.name = "refine",
           .key = "refine",
           .help = "Values to the last digit, with bounds, by Newton steps on vectors in two limbs",
           .added_later = true}};
}

/// Returns the row of a name's first letter, the scalar type.
template <class Named>
VariantRow<Named> type_row() {
  return {choice(&Named::type, scalar_types),
          {.name = "type", .written = Written::never, .listed = true, .wildcard = "?"}};
}

}  // namespace pivotlab
