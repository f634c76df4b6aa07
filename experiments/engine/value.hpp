// Axis values and cases: plain data, so that nobody needs a JSON header to handle a plan.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace pivotlab::experiments {

/// What an axis can hold. A number without a fraction is always an integer, so that 1e3 and 1000 are the same value.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// What identifies a computation: axis name → value, sorted by name.
using Case = std::map<std::string, Value>;

/// Numbers in their shortest form that reads back the same; strings bare: 512, 0.5, true, DHZ0-(ME-FB-ME).
std::string to_string(const Value& value);

/// The inverse of to_string: true/false, an integer, a number, otherwise text.
Value parse_value(std::string_view text);

/// One line of JSON: keys sorted, no spaces, numbers in their shortest form that reads back the same.
std::string canonical_json(const Case& axes);

/// The name of a case's record: XXH3-128 of its canonical JSON, 32 hexadecimal digits.
std::string case_key(const Case& axes);

/// The same hash of any text.
std::string digest(std::string_view text);

/// "type=d n=512 solver=DHZ0-(ME-FB-ME)": the axes one after the other, for messages.
std::string describe(const Case& axes);

/// True where the text of value matches a pattern: '*' stands for any text, '?' for any one character.
bool matches(const Value& value, std::string_view pattern);

}  // namespace pivotlab::experiments
