// What the parsers of names share: numbers in options, and how a name is refused.
#pragma once

#include <pivotlab/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace pivotlab {

/// A decimal number as it is usually written; none for anything around it.
inline std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] inline void reject_variant(std::string_view name, std::string_view place,
                                        std::string_view what_and_remedy) {
  throw InputError(fmt::format("variant '{}': {}: {}", name, place, what_and_remedy));
}

}  // namespace pivotlab
