// SPDX-License-Identifier: BSD-3-Clause
// One row for each option of a variant: its spelling in names, its values, its place on command lines and in records.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pivotlab {

/// The value of a row. In a row, a choice is its spelling; in a record, monostate means null.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// One value of a row with choices.
struct OptionChoice {
  std::string spelling;  ///< in names; empty: the choice that a name without the option means
  std::string in_list;   ///< in lists of a sweep, if different from the spelling: "b16" for "b=16"
  OptionValue word;      ///< in records, if different from the spelling: "complete" for "BP", 16 for "16"
  std::string summary;   ///< one sentence; may be empty
};

/// The values that a row can have.
struct Domain {
  enum class Kind {
    choice,   ///< one of `choices`
    on_off,   ///< KEY=on or KEY=off
    flag,     ///< KEY or nothing
    integer,  ///< first, first + step, …, last
    number    ///< a finite number from lower to upper
  };
  Kind kind = Kind::choice;
  std::vector<OptionChoice> choices = {};
  std::int64_t first = 0, last = 0, step = 1;
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool lower_open = false, upper_open = false;  ///< whether the bound itself is excluded
  /// For choices of which the user may have others: returns the spelling "[…]" of a text that stands for one, which may
  /// be a spelling, and an empty text for any other text. May throw InputError.
  std::string (*own)(std::string_view text) = nullptr;
};

/// When a record's section contains the value.
enum class Written { always, if_not_default, never };

/// One option of a variant. A table of rows gives the members that differ from their defaults; the grammar fills in
/// domain, default_value and in_head.
struct OptionRow {
  std::string name = {};  ///< of the row: in lists of a sweep, in a head as {name}, in a record's section
  /// Key in a variant's name: "w" in ";w=32". A row outside the head without a key has choices that are spelled out
  /// (";fused", ";b=16").
  std::string key = {};
  std::string option = {};        ///< option of `sweep`: "-w,--width"; empty: no such option
  std::string help = {};          ///< one line, without the domain
  std::string default_word = {};  ///< a word for the default in a sweep's lists, such as "a0"

  Written written = Written::always;
  std::string description = {};  ///< one line for the schema; may be empty
  bool added_later = false;      ///< records made before this row existed lack it

  /// The row applies only if another row has this value (a spelling or a word), or has another one. Otherwise a record
  /// contains null, a head ends before the row, and a name with the option is an error with this reason.
  struct Condition {
    std::string row, value, reason;
    bool unless = false;  ///< it applies if the other row has another value
  };
  std::optional<Condition> applies = {};

  bool in_name = true;        ///< false: only a record's section contains it
  bool listed = false;        ///< listed() returns one name for each of its values
  std::string wildcard = {};  ///< placeholder that sweep() writes for the caller to replace: "?"

  Domain domain = {};
  OptionValue default_value = {};  ///< value in a default-constructed variant
  bool in_head = false;

  /// Returns whether a record's section may lack the row.
  bool optional() const { return added_later || written == Written::if_not_default; }
};

/// Returns whether names contain the row after a semicolon.
bool is_option(const OptionRow& row);
/// Returns the option in the form of names: "w=2, 4, …, 128", "sort=on|off", "refine", "alpha=NUMBER in (0, 1)".
std::string usage(const OptionRow& row);
/// Returns the help of the command-line option: "Pivoting: BP (complete), RK (rook), BK (partial)".
std::string help_text(const OptionRow& row);
/// Returns the default in the spelling of a sweep's lists: "16", "on", "b16", "a0".
std::string default_text(const OptionRow& row);
/// Returns the form of a value in records: the word of a choice if it has one.
OptionValue written(const OptionRow& row, const OptionValue& value);
/// Returns the values that a record can contain, each once, for rows with choices and for rows that are written only if
/// not default and are true or false; otherwise empty.
std::vector<OptionValue> written_choices(const OptionRow& row);

/// Expands a sweep's list to its items as expand_list() does, with errors that name the option.
std::vector<std::string> items_of(const OptionRow& row, std::string_view list);

/// Returns the value of one item of a sweep's list. Throws InputError with the option and the nearest values.
OptionValue value_of(const OptionRow& row, std::string_view item);

/// Returns all values in the order of the domain; empty for numbers.
std::vector<OptionValue> all_values(const Domain& domain);
/// Returns the same values in the spelling of names after the key.
std::vector<std::string> spellings(const Domain& domain);
/// Returns the values in words: "2, 4, …, 128", "on, off", "in (0, 1)".
std::string domain_text(const Domain& domain);
/// Parses a value in a name, ignoring case; returns nothing for a value outside of the domain.
std::optional<OptionValue> parse_spelled(const Domain& domain, std::string_view text);
/// Spells a value (inverse of parse_spelled()); "?" for a value that is not one of the choices.
std::string spelled(const Domain& domain, const OptionValue& value);
/// Returns a number of the domain, as an example in messages.
double example(const OptionRow& row);
/// Returns whether the domain contains the value.
bool contains(const Domain& domain, const OptionValue& value);

}  // namespace pivotlab
