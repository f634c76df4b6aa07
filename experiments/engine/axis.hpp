// Axes: what the cases of a method vary. A spec and the command line read their values by the same functions.
#pragma once

#include <experiments/engine/quantity.hpp>
#include <experiments/engine/value.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// What a value of an axis changes.
enum class AxisRole {
  problem,   ///< the problem; consecutive cases with the same problem share it
  solution,  ///< how it is solved
  platform,  ///< what solves it; a value that the command line names and that is not supported here is a failure
};

/// One axis of a method. The members after the domain are given where they differ from their defaults.
struct AxisInfo {
  std::string name, summary;
  Value default_value;
  Domain domain = {};  ///< of canonical values; its type is that of the default value
  AxisRole role = AxisRole::problem;
  std::string option = {};        ///< of `sweep`; empty: two dashes and the name with '-' for '_'
  std::string default_text = {};  ///< how help states the default; empty: as it is
  /// Values that `sweep` shows as an example where it must be given the axis; empty: it need not. Not needed where all
  /// problems are read from files.
  std::string example = {};
  std::string multiple_of = {};  ///< an axis of integers: "2n" is twice the value of the axis "n"
  std::string (*canonical)(std::string_view) = nullptr;  ///< of texts without choices; may throw InputError
  bool (*is_file)(std::string_view) = nullptr;           ///< true for values that name files, which may hold commas
  std::string without_cases = {};  ///< why no case may have a value, with advice; empty: not checked
};

/// The option of the command line by which messages name the axis: "-n", "--m-f".
std::string option_of(const AxisInfo& axis);

/// The values that one item stands for: "64:512:64" (first:last:step, the last one included when hit; step 1 when left
/// out), "DHZ{0..7}-(ME-FB-ME)" (expand_pattern), "2n" for an axis that may be a multiple, or itself. Choices are found
/// whatever their case is. Throws InputError for what is no value of the axis, naming the nearest choices.
std::vector<Value> parse_values(const AxisInfo& axis, std::string_view item);

/// The same of a scalar that JSON gives, which stands for itself.
Value parse_value(const AxisInfo& axis, const Value& value);

/// Adds them to the values of an axis, of which there may be a million.
void append_values(const AxisInfo& axis, std::string_view item, std::vector<Value>& values);

/// The values that an item stands for without an axis, numbers where they read as such.
std::vector<Value> expand_values(std::string_view item);

/// "a,b{c,d},e(f, g)" split at the commas outside of braces and parentheses. Throws InputError for an empty item.
std::vector<std::string> split_list(std::string_view text);

/// The case with multiples ("2n") replaced by their values.
Case resolve_multiples(Case axes, const std::vector<AxisInfo>& infos);

}  // namespace pivotlab::experiments
