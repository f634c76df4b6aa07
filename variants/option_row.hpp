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

/// A row's value. As a row holds it, a choice is its spelling; as a record holds it, nothing (monostate) is null.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// One value of a row with choices.
struct OptionChoice {
  std::string spelling;  ///< in names; empty: the choice that a name without the option stands for
  std::string in_list;   ///< in lists of a sweep, where it is not the spelling: "b16" for "b=16"
  OptionValue word;      ///< what a record holds, where it is not the spelling: "complete" for "BP", 16 for "16"
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
  bool lower_open = false, upper_open = false;  ///< whether the number differs from the bound
};

/// Whether a record's section holds the value.
enum class Written { always, if_not_default, never };

/// One option of a variant. Of these members a table of rows gives those that differ from their defaults; domain,
/// default_value and in_head are filled in by the grammar.
struct OptionRow {
  std::string name = {};  ///< of the row: in a sweep's lists, in a head as {name}, in a record's section
  /// In a variant's name: "w" in ";w=32". Without a key, a row outside the head has choices that are spelled out
  /// (";fused", ";b=16").
  std::string key = {};
  std::string option = {};        ///< of the sweep command: "-w,--width"; empty: no such option
  std::string help = {};          ///< one line, without the domain
  std::string default_word = {};  ///< a word for the default in a sweep's lists, such as "a0"

  Written written = Written::always;
  std::string description = {};  ///< one line for the schema; may be empty
  bool added_later = false;      ///< records made before there was the row lack it

  /// The row applies only where another row has this value (a spelling or a word). Elsewhere a record holds null, and
  /// a name that gives the option is refused for this reason.
  struct Condition {
    std::string row, value, reason;
  };
  std::optional<Condition> applies = {};

  bool in_name = true;        ///< otherwise only a record's section holds it
  bool listed = false;        ///< listed() has one name for each of its values
  std::string wildcard = {};  ///< what sweep() writes instead of the value, for the caller to replace: "?"

  Domain domain = {};
  OptionValue default_value = {};  ///< that of a default-constructed variant
  bool in_head = false;

  /// Whether a record's section may lack it.
  bool optional() const { return added_later || written == Written::if_not_default; }
};

/// Returns whether names give the row after a semicolon.
bool is_option(const OptionRow& row);
/// As names spell the option: "w=2, 4, …, 128", "sort=on|off", "refine", "alpha=NUMBER in (0, 1)".
std::string usage(const OptionRow& row);
/// The help of the command-line option: "Pivoting: BP (complete), RK (rook), BK (partial)".
std::string help_text(const OptionRow& row);
/// The default as a sweep's list spells it: "16", "on", "b16", "a0".
std::string default_text(const OptionRow& row);
/// Returns the form of a value in records: the word of a choice if it has one.
OptionValue written(const OptionRow& row, const OptionValue& value);
/// The values that a record can hold, each once, of a row with choices and of one that it holds only if not default
/// and that is true or false; else empty.
std::vector<OptionValue> written_choices(const OptionRow& row);

/// The items of a sweep's list, expand_list() with errors that name the option.
std::vector<std::string> items_of(const OptionRow& row, std::string_view list);

/// The value that one item of a sweep's list stands for. Throws InputError, naming the option and the nearest values.
OptionValue value_of(const OptionRow& row, std::string_view item);

/// All values, in the order of the domain; empty for numbers.
std::vector<OptionValue> all_values(const Domain& domain);
/// The same as names spell them after the key.
std::vector<std::string> spellings(const Domain& domain);
/// The values in words: "2, 4, …, 128", "on, off", "in (0, 1)".
std::string domain_text(const Domain& domain);
/// The value that a name spells in any case; nothing for what is not in the domain.
std::optional<OptionValue> parse_spelled(const Domain& domain, std::string_view text);
/// The inverse; "?" for a value that is none of the choices.
std::string spelled(const Domain& domain, const OptionValue& value);
/// A number of the domain, for messages that show how one is written.
double example(const OptionRow& row);
/// Returns whether the domain holds the value.
bool contains(const Domain& domain, const OptionValue& value);

}  // namespace pivotlab
