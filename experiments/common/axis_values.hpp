// Values of axes, with errors "<axis>: …".
#pragma once

#include <fmt/format.h>
#include <experiments/engine/value.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <string>

namespace pivotlab::experiments {

/// Throws InputError for less than `least`.
std::int64_t integer_axis(const Case& axes, const char* name, std::int64_t least);
/// A number, integer or not.
double number_axis(const Case& axes, const char* name);
const std::string& text_axis(const Case& axes, const char* name);
/// True or false; false where a case has no such axis.
bool flag_axis(const Case& axes, const char* name);
/// "d" or "z" of the axis type.
ScalarType type_axis(const Case& axes);
/// The axis seed, at least 0.
std::uint64_t seed_axis(const Case& axes);

/// What make() returns; its InputErrors with the axis before them.
template <class Make>
decltype(auto) with_axis_context(const char* axis, Make&& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", axis, error.what()));
  }
}

}  // namespace pivotlab::experiments
