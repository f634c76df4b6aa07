// SPDX-License-Identifier: BSD-3-Clause
// Axes: the parameters that the cases of a method vary. Specs and the command line parse their values by the same
// functions.
#pragma once

#include <experiments/engine/quantity.hpp>
#include <experiments/engine/value.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// The part of a case that an axis belongs to.
enum class AxisRole {
  problem,   ///< the problem; consecutive cases with the same problem share it
  solution,  ///< how the problem is solved
  platform,  ///< on which device; an unsupported value that the command line names is a failure
};

/// One axis of a method. Members after the domain are optional.
struct AxisInfo {
  std::string name, summary;
  Value default_value;
  Domain domain = {};  ///< canonical values; the type is that of the default value
  AxisRole role = AxisRole::problem;
  std::string option = {};        ///< option of `sweep`; empty: two dashes and the name with '-' for '_'
  std::string default_text = {};  ///< how help states the default; empty: as it is
  /// Example values for an axis that `sweep` requires; empty: not required. The axis is not required if all problems
  /// are read from files.
  std::string example = {};
  std::string multiple_of = {};  ///< an axis of integers: "2n" is twice the value of the axis "n"
  std::string (*canonical)(std::string_view) = nullptr;  ///< for texts without choices; may throw InputError
  std::function<bool(std::string_view)> is_file = {};    ///< true for values that name files, which may contain commas
  /// The texts that an item stands for; null: expand_pattern().
  std::vector<std::string> (*expand)(std::string_view) = nullptr;
  std::string without_cases = {};  ///< reason why a value may have no case, with advice; empty: not checked
};

/// Returns the option of the command line that messages name: "-n", "--m-f".
std::string option_of(const AxisInfo& axis);

/// Returns the values that one item stands for (expand_item): those of a range for an axis of numbers, those of a
/// pattern, "2n" for an axis that may be a multiple, or itself. Choices ignore upper and lower case. Throws InputError
/// naming the nearest choices for an item that is not a value of the axis.
std::vector<Value> parse_values(const AxisInfo& axis, std::string_view item);

/// Returns the value of the axis that a JSON scalar stands for; an error quotes `written`, if it is given.
Value parse_value(const AxisInfo& axis, const Value& value, std::string_view written = {});

/// Appends the values of an item to those of an axis, of which there may be a million.
void append_values(const AxisInfo& axis, std::string_view item, std::vector<Value>& values);

/// Returns the values that an item stands for without an axis; texts that are numbers become numbers.
std::vector<Value> expand_values(std::string_view item);

/// Returns the case with multiples ("2n") replaced by their values.
Case resolve_multiples(Case axes, const std::vector<AxisInfo>& infos);

}  // namespace pivotlab::experiments
