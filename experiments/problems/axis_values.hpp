// SPDX-License-Identifier: BSD-3-Clause
// Reads values of axes; errors begin with "<axis>: ".
#pragma once

#include <fmt/format.h>
#include <experiments/engine/value.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <string>

namespace pivotlab::experiments {

/// Throws InputError for less than `least`.
std::int64_t integer_axis(const Case& axes, const char* name, std::int64_t least);
/// Returns a number, integer or not.
double number_axis(const Case& axes, const char* name);
const std::string& text_axis(const Case& axes, const char* name);
/// Returns true or false; false if the case has no such axis.
bool flag_axis(const Case& axes, const char* name);
/// Reads the axis `type`: "d" or "z".
ScalarType type_axis(const Case& axes);
/// Reads the axis `seed`, which is at least 0.
std::uint64_t seed_axis(const Case& axes);

/// Returns make(); puts the name of the axis before the message of its InputErrors.
template <class Make>
decltype(auto) with_axis_context(const char* axis, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", axis, error.what()));
  }
}

}  // namespace pivotlab::experiments
