// SPDX-License-Identifier: BSD-3-Clause
// Parses values of options that several commands have.
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <pivotlab/error.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <pivotlab/variant.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Returns make(); puts the name of the option before the message of its InputErrors.
template <class Make>
auto with_option_context(const std::string& option, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", option, error.what()));
  }
}

/// Returns the integers of a list with ranges, "1,10:50:10". Throws InputError naming the option.
std::vector<std::int64_t> parse_integers(const std::string& option, const std::string& list);

/// Parses "d" or "z"; throws InputError naming the option for another text.
ScalarType parse_scalar_type(const std::string& option, const std::string& text);

/// Returns the backend with that name, given by --backend. If the name is empty: the GPU, if there is one, else the
/// host.
Backend parse_backend_or_usual(const std::string& name);

/// Returns the variant with that name, given by --variant, for matrices of this type. '?' in the name stands for the
/// letter of the type; a preset, which has one letter, is for any type. parse(name) returns the variant with its type.
template <class Parse>
auto variant_for(const std::string& name, ScalarType type, Parse&& parse) {
  std::string full = name;
  if (full.starts_with('?')) full[0] = type == ScalarType::d ? 'D' : 'Z';
  const auto named = with_option_context("--variant", [&] { return parse(full); });
  if (named.type != type && name.size() > 1)
    throw InputError(fmt::format("--variant: {} is not for {} matrices; use {}", name,
                                 type == ScalarType::d ? "real" : "complex", to_string(named.variant, type)));
  return named.variant;
}

}  // namespace pivotlab::experiments
