// SPDX-License-Identifier: BSD-3-Clause
// Names of a struct's values, by a table of rows that say which member each option sets.
//
//   const Grammar<LdltVariant>& grammar() {
//     static const Grammar<LdltVariant> grammar(
//         "LDLT-{pivoting}",
//         {{choice(&LdltVariant::pivoting, pivotings), {.name = "pivoting", .option = "--pivot", .help = "Pivoting"}},
//          {number(&LdltVariant::alpha, open(0, 1)), {.name = "alpha", .key = "alpha", .option = "--alpha"}}});
//     return grammar;
//   }
//   grammar().parse("LDLT-RK;alpha=0.5"), grammar().print(variant), grammar().section(variant)
#pragma once

#include <variants/variant_names.hpp>

#include <array>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

namespace pivotlab {

/// Access to the value of a row in a variant V.
template <class V>
struct OptionField {
  Domain domain;
  std::function<OptionValue(const V&)> get;  ///< empty for a value that is not one of the choices
  std::function<void(V&, const OptionValue&)> set;
};

/// A row of a table.
template <class V>
struct VariantRow {
  OptionField<V> field;
  OptionRow row;
};

/// A choice of an enumeration's value. A record contains the word if there is one, otherwise the spelling.
template <class T>
struct Choice {
  T value;
  std::string_view spelling;
  std::string_view word = {};
  std::string_view summary = {};
  std::string_view in_list = {};
};

template <class T, class... Texts>
Choice(T, Texts...) -> Choice<T>;

/// Returns the choice of a value; the first one if there is none.
template <class T, std::size_t N>
constexpr const Choice<T>& choice_of(const std::array<Choice<T>, N>& choices, const T& value) {
  for (const Choice<T>& choice : choices)
    if (choice.value == value) return choice;
  return choices.front();
}

/// Makes a row with choices whose value is read and set by functions.
template <class V, class T>
OptionField<V> choice(std::function<T(const V&)> get, std::function<void(V&, const T&)> set,
                      std::span<const Choice<T>> choices) {
  Domain domain;
  for (const Choice<T>& c : choices)
    domain.choices.push_back({std::string(c.spelling), std::string(c.in_list),
                              c.word.empty() ? OptionValue() : OptionValue(std::string(c.word)),
                              std::string(c.summary)});
  return {std::move(domain),
          [get, choices](const V& variant) -> OptionValue {
            const T value = get(variant);
            for (const Choice<T>& c : choices)
              if (c.value == value) return std::string(c.spelling);
            return {};
          },
          [set, choices](V& variant, const OptionValue& spelling) {
            for (const Choice<T>& c : choices)
              if (c.spelling == std::get<std::string>(spelling)) set(variant, c.value);
          }};
}

/// Makes a row for a member that has one of the choices, an array that outlives the row.
template <class V, class T, std::size_t N>
OptionField<V> choice(T V::*member, const std::array<Choice<T>, N>& choices) {
  return choice<V, T>([member](const V& variant) { return variant.*member; },
                      [member](V& variant, const T& value) { variant.*member = value; },
                      std::span<const Choice<T>>(choices));
}

/// Makes a row for a member that has one of a few integers, which a record contains as numbers.
template <class V>
OptionField<V> integers(int V::*member, const std::vector<int>& values) {
  Domain domain;
  for (const int value : values) domain.choices.push_back({std::to_string(value), {}, std::int64_t{value}, {}});
  return {
      std::move(domain), [member](const V& variant) { return std::to_string(variant.*member); },
      [member](V& variant, const OptionValue& value) { variant.*member = std::stoi(std::get<std::string>(value)); }};
}

template <class V>
OptionField<V> boolean(bool V::*member, Domain::Kind kind) {
  return {{.kind = kind},
          [member](const V& variant) { return variant.*member; },
          [member](V& variant, const OptionValue& value) { variant.*member = std::get<bool>(value); }};
}

/// Makes a row with the form KEY=on|off.
template <class V>
OptionField<V> on_off(bool V::*member) {
  return boolean(member, Domain::Kind::on_off);
}

/// Makes a row with the form KEY for true and nothing for false.
template <class V>
OptionField<V> flag(bool V::*member) {
  return boolean(member, Domain::Kind::flag);
}

/// Makes a row with the integers first, first + step, …, last.
template <class V>
OptionField<V> integer(std::function<int(const V&)> get, std::function<void(V&, int)> set, int first, int last,
                       int step = 1) {
  return {
      {.kind = Domain::Kind::integer, .first = first, .last = last, .step = step},
      [get](const V& variant) { return std::int64_t{get(variant)}; },
      [set](V& variant, const OptionValue& value) { set(variant, static_cast<int>(std::get<std::int64_t>(value))); }};
}

template <class V>
OptionField<V> integer(int V::*member, int first, int last, int step = 1) {
  return integer<V>([member](const V& variant) { return variant.*member; },
                    [member](V& variant, int value) { variant.*member = value; }, first, last, step);
}

struct Interval {
  double lower, upper;
  bool lower_open, upper_open;
};
constexpr Interval open(double lower, double upper) {
  return {lower, upper, true, true};
}
constexpr Interval closed(double lower, double upper) {
  return {lower, upper, false, false};
}
/// Returns the interval (lower, upper].
constexpr Interval left_open(double lower, double upper) {
  return {lower, upper, true, false};
}

template <class V>
OptionField<V> number(double V::*member, Interval interval) {
  return {{.kind = Domain::Kind::number,
           .lower = interval.lower,
           .upper = interval.upper,
           .lower_open = interval.lower_open,
           .upper_open = interval.upper_open},
          [member](const V& variant) { return variant.*member; },
          [member](V& variant, const OptionValue& value) { variant.*member = std::get<double>(value); }};
}

/// Converts the rows of a part to rows of the struct that has it as a member.
template <class V, class Part>
std::vector<VariantRow<V>> within(Part V::*member, const std::vector<VariantRow<Part>>& rows) {
  std::vector<VariantRow<V>> lifted;
  for (const auto& [field, row] : rows)
    lifted.push_back(
        {{field.domain, [member, get = field.get](const V& variant) { return get(variant.*member); },
          [member, set = field.set](V& variant, const OptionValue& value) { set(variant.*member, value); }},
         row});
  return lifted;
}

/// Concatenates two tables.
template <class V>
std::vector<VariantRow<V>> joined(std::type_identity_t<std::vector<VariantRow<V>>> first,
                                  const std::type_identity_t<std::vector<VariantRow<V>>>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Parser and printer of the names of variants V.
template <class V>
class Grammar final : public VariantNames {
 public:
  struct NamedPreset {
    std::string name;
    V variant;
  };

  /// describe(variant) returns one sentence about the variant, or an empty text.
  Grammar(
      std::string_view head, std::vector<VariantRow<V>> rows,
      std::function<std::string(const V&)> describe = [](const V&) { return std::string(); },
      const std::vector<NamedPreset>& presets = {})
      : VariantNames(head, untyped(rows)), rows_(std::move(rows)), describe_(std::move(describe)) {
    for (const NamedPreset& preset : presets) add_preset({preset.name, values(preset.variant)});
  }

  /// Parses a name. Throws InputError with the nearest valid names if there is no such variant.
  V parse(std::string_view name) const { return variant(parse_values(name)); }
  std::string print(const V& variant) const { return print_values(values(variant)); }
  std::vector<Entry> section(const V& variant) const { return section_of(values(variant)); }
  using VariantNames::section;
  /// Throws InputError for a value out of its domain.
  void require_valid(const V& variant) const { require_valid_values(values(variant)); }

 private:
  static std::vector<OptionRow> untyped(const std::vector<VariantRow<V>>& rows) {
    std::vector<OptionRow> result;
    for (const auto& [field, row] : rows) {
      result.push_back(row);
      result.back().domain = field.domain;
      result.back().default_value = field.get(V{});
    }
    return result;
  }

  Values values(const V& variant) const {
    Values result;
    for (const auto& [field, row] : rows_) result.push_back(field.get(variant));
    return result;
  }

  V variant(const Values& given) const {
    V result{};
    for (std::size_t k = 0; k < rows_.size(); ++k)
      if (rows_[k].row.in_name && !std::holds_alternative<std::monostate>(given[k]))
        rows_[k].field.set(result, given[k]);
    return result;
  }

  Values complete(const Values& given) const override { return values(variant(given)); }
  std::string describe_values(const Values& given) const override { return describe_(variant(given)); }

  std::vector<VariantRow<V>> rows_;
  std::function<std::string(const V&)> describe_;
};

}  // namespace pivotlab
