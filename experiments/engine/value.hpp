// SPDX-License-Identifier: BSD-3-Clause
// Axis values and cases: plain data, so that code that handles plans includes no JSON header.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace pivotlab::experiments {

/// A value of an axis. A number without a fraction is always an integer, so that 1e3 and 1000 are the same value.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// A case, which identifies a computation: axis name → value, sorted by name.
using Case = std::map<std::string, Value>;

/// Formats numbers in the shortest form that parses to the same value, and strings without quotes: 512, 0.5, true,
/// DHZ0-(ME-FB-ME).
std::string to_string(const Value& value);

/// Parses true or false, an integer, a number, otherwise text; the inverse of to_string().
Value parse_value(std::string_view text);

/// Returns one line of JSON: keys sorted, no spaces, numbers in the shortest form that parses to the same value.
std::string canonical_json(const Case& axes);

/// Returns the name of a case's record: XXH3-128 of its canonical JSON, 32 hexadecimal digits.
std::string case_key(const Case& axes);

/// Returns the same hash for any text.
std::string digest(std::string_view text);

/// "type=d n=512 solver=DHZ0-(ME-FB-ME)": lists the axes, for messages.
std::string describe(const Case& axes);

/// Returns whether the text of a value matches a pattern: '*' stands for any text, '?' for any one character.
bool matches(const Value& value, std::string_view pattern);

}  // namespace pivotlab::experiments
