// SPDX-License-Identifier: BSD-3-Clause
#include <variants/option_row.hpp>

#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pivotlab {
namespace {

using Kind = Domain::Kind;

const std::string& list_item(const OptionChoice& choice) {
  return choice.in_list.empty() ? choice.spelling : choice.in_list;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const OptionChoice* find_choice(const Domain& domain, const OptionValue& spelling) {
  const auto* text = std::get_if<std::string>(&spelling);
  if (text == nullptr) return nullptr;
  const auto found = std::ranges::find(domain.choices, *text, &OptionChoice::spelling);
  return found == domain.choices.end() ? nullptr : &*found;
}

/// Returns the spelling of a value of the user's; empty if it is none.
std::string own_choice(const Domain& domain, std::string_view text) {
  return domain.own == nullptr ? "" : domain.own(text);
}

bool is_own(const Domain& domain, const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && domain.own != nullptr && text->starts_with('[');
}

/// Returns all values in the spelling of a sweep's lists; empty for numbers.
std::vector<std::string> list_items(const Domain& domain) {
  if (domain.kind != Kind::choice) return spellings(domain);
  std::vector<std::string> items;
  for (const OptionChoice& choice : domain.choices) items.push_back(list_item(choice));
  return items;
}

std::optional<OptionValue> parse_item(const OptionRow& row, std::string_view item) {
  if (!row.default_word.empty() && lower_case(row.default_word) == lower_case(item)) return row.default_value;
  if (row.domain.kind != Kind::choice) return parse_spelled(row.domain, item);
  for (const OptionChoice& choice : row.domain.choices) {
    const auto* word = std::get_if<std::string>(&choice.word);
    const bool is_word = word != nullptr && lower_case(*word) == lower_case(item);
    if (is_word || lower_case(list_item(choice)) == lower_case(item)) return choice.spelling;
  }
  if (const std::string own = own_choice(row.domain, item); !own.empty()) return own;
  return std::nullopt;
}

std::string interval_text(const Domain& domain) {
  return fmt::format("in {}{}, {}{}", domain.lower_open ? '(' : '[', domain.lower, domain.upper,
                     domain.upper_open ? ')' : ']');
}

/// Returns "a0", or the long option of "-w,--width".
std::string place_of(const OptionRow& row) {
  if (row.option.empty()) return row.name;
  return row.option.substr(row.option.find("--") == std::string::npos ? 0 : row.option.find("--"));
}

/// Returns the spelling with the word, "BP (complete)".
std::string with_word(const OptionChoice& choice) {
  const auto* word = std::get_if<std::string>(&choice.word);
  return word == nullptr || *word == list_item(choice) ? list_item(choice)
                                                       : fmt::format("{} ({})", list_item(choice), *word);
}

}  // namespace

std::vector<OptionValue> all_values(const Domain& domain) {
  std::vector<OptionValue> all;
  switch (domain.kind) {
    case Kind::choice:
      for (const OptionChoice& choice : domain.choices) all.emplace_back(choice.spelling);
      break;
    case Kind::on_off:
    case Kind::flag:
      all = {true, false};
      break;
    case Kind::integer:
      for (std::int64_t value = domain.first; value <= domain.last; value += domain.step) all.emplace_back(value);
      break;
    case Kind::number:
      break;
  }
  return all;
}

std::vector<std::string> spellings(const Domain& domain) {
  std::vector<std::string> all;
  for (const OptionValue& value : all_values(domain)) all.push_back(spelled(domain, value));
  return all;
}

std::string domain_text(const Domain& domain) {
  constexpr std::size_t most_shown = 4;
  if (domain.kind == Kind::number) return interval_text(domain);
  const std::vector<std::string> items = list_items(domain);
  if (domain.kind == Kind::integer && items.size() > most_shown)
    return fmt::format("{}, {}, …, {}", items[0], items[1], items.back());
  return fmt::format("{}", fmt::join(items, ", "));
}

std::optional<OptionValue> parse_spelled(const Domain& domain, std::string_view text) {
  OptionValue value;
  switch (domain.kind) {
    case Kind::choice:
      for (const OptionChoice& choice : domain.choices)
        if (lower_case(choice.spelling) == lower_case(text)) return choice.spelling;
      if (const std::string own = own_choice(domain, text); !own.empty()) return own;
      return std::nullopt;
    case Kind::on_off:
    case Kind::flag:
      if (lower_case(text) != "on" && lower_case(text) != "off") return std::nullopt;
      return lower_case(text) == "on";
    case Kind::integer:
      if (const auto integer = parse_number<std::int64_t>(text)) value = *integer;
      if (!contains(domain, value) || spelled(domain, value) != text) return std::nullopt;
      return value;
    case Kind::number:
      if (const auto number = parse_number<double>(text)) value = *number;
      return contains(domain, value) ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

std::string spelled(const Domain& domain, const OptionValue& value) {
  switch (domain.kind) {
    case Kind::choice:
      return find_choice(domain, value) == nullptr && !is_own(domain, value) ? "?" : std::get<std::string>(value);
    case Kind::on_off:
    case Kind::flag:
      return std::get<bool>(value) ? "on" : "off";
    case Kind::integer:
      return fmt::format("{}", std::get<std::int64_t>(value));
    case Kind::number:
      return fmt::format("{}", std::get<double>(value));
  }
  return "?";
}

bool contains(const Domain& domain, const OptionValue& value) {
  if (domain.kind == Kind::choice) return find_choice(domain, value) != nullptr || is_own(domain, value);
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return domain.first <= *integer && *integer <= domain.last && (*integer - domain.first) % domain.step == 0;
  if (const auto* number = std::get_if<double>(&value))  // false for NaN
    return std::isfinite(*number) && (domain.lower_open ? domain.lower < *number : domain.lower <= *number) &&
           (domain.upper_open ? *number < domain.upper : *number <= domain.upper);
  return std::holds_alternative<bool>(value);
}

double example(const OptionRow& row) {
  const double middle = row.domain.lower + (row.domain.upper - row.domain.lower) / 2;
  return std::isfinite(middle) ? middle : std::get<double>(row.default_value);
}

bool is_option(const OptionRow& row) {
  return row.in_name && !row.in_head;
}

std::string usage(const OptionRow& row) {
  switch (row.domain.kind) {
    case Kind::choice: {
      std::vector<std::string> all = spellings(row.domain);
      std::erase(all, "");
      return fmt::format("{}{}{}", row.key, row.key.empty() ? "" : "=", fmt::join(all, "|"));
    }
    case Kind::on_off:
      return row.key + "=on|off";
    case Kind::flag:
      return row.key;
    case Kind::integer:
      return fmt::format("{}={}", row.key, domain_text(row.domain));
    case Kind::number:
      return fmt::format("{}=NUMBER {}", row.key, domain_text(row.domain));
  }
  return "?";
}

std::string help_text(const OptionRow& row) {
  if (row.domain.kind != Kind::choice) return fmt::format("{}: {}", row.help, domain_text(row.domain));
  std::vector<std::string> choices;
  for (const OptionChoice& choice : row.domain.choices) choices.push_back(with_word(choice));
  if (row.domain.own != nullptr) choices.emplace_back("or a FILE of your own");
  return fmt::format("{}: {}", row.help, fmt::join(choices, ", "));
}

std::string default_text(const OptionRow& row) {
  if (!row.default_word.empty()) return row.default_word;
  const OptionChoice* choice = find_choice(row.domain, row.default_value);
  return choice == nullptr ? spelled(row.domain, row.default_value) : list_item(*choice);
}

OptionValue written(const OptionRow& row, const OptionValue& value) {
  const OptionChoice* choice = find_choice(row.domain, value);
  return choice == nullptr || std::holds_alternative<std::monostate>(choice->word) ? value : choice->word;
}

std::vector<OptionValue> written_choices(const OptionRow& row) {
  std::vector<OptionValue> all;
  if (row.written == Written::if_not_default && std::holds_alternative<bool>(row.default_value))
    all.emplace_back(!std::get<bool>(row.default_value));
  for (const OptionChoice& choice : row.domain.choices) {
    const OptionValue value = written(row, choice.spelling);
    if (std::ranges::find(all, value) == all.end()) all.push_back(value);
  }
  return all;
}

std::vector<std::string> items_of(const OptionRow& row, std::string_view list) {
  try {
    return expand_list(list);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", place_of(row), error.what()));
  }
}

OptionValue value_of(const OptionRow& row, std::string_view item) {
  if (const std::optional<OptionValue> value = parse_item(row, item)) return *value;
  if (row.domain.kind == Kind::number)
    throw InputError(fmt::format("{}: '{}' is not a number {}; choose one, as in {}", place_of(row), item,
                                 domain_text(row.domain), example(row)));
  if (row.domain.kind == Kind::integer)
    throw InputError(fmt::format("{}: there is no '{}'; choose from {}; {}", place_of(row), item,
                                 domain_text(row.domain), nearest_text(item, list_items(row.domain))));
  throw InputError(fmt::format("{}: there is no '{}'; choose from {}", place_of(row), item, domain_text(row.domain)));
}

}  // namespace pivotlab
