// SPDX-License-Identifier: BSD-3-Clause
// A name consists of a head, which is matched part by part, and options, which are looked up in the rows. All heads and
// options are spelled out only for error messages.
#include <variants/variant_names.hpp>

#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace pivotlab {
namespace {

using Kind = Domain::Kind;

[[noreturn]] void reject(std::string_view name, std::string_view place, std::string_view what_and_remedy) {
  throw InputError(fmt::format("variant '{}': {}: {}", name, place, what_and_remedy));
}

/// Number of characters at the beginning of `text` that match the literal; `whole` if all of it matches.
struct Match {
  std::size_t length;
  bool whole;
};
Match match_literal(const std::string& text, const std::string& literal) {
  std::size_t at = 0;
  for (const char c : literal) {
    if (at < text.size() && text[at] == c)
      ++at;
    else if (c != ' ')
      return {at, false};
  }
  return {at, true};
}

/// The value with the longest spelling with which `text` begins, whatever its case; length 0 if there is none.
struct MatchedValue {
  OptionValue value;
  std::size_t length = 0;
};
MatchedValue match_value(std::string_view name, const Domain& domain) {
  MatchedValue longest;
  if (const std::size_t close = name.find(']'); domain.own != nullptr && name.starts_with('[') && close < name.size())
    return {domain.own(name.substr(0, close + 1)), close + 1};
  const std::string text = lower_case(name);
  for (const OptionValue& value : all_values(domain))
    if (const std::string spelling = lower_case(spelled(domain, value));
        text.starts_with(spelling) && spelling.size() > longest.length)
      longest = {value, spelling.size()};
  return longest;
}

bool is_bare(const OptionRow& row) {
  return is_option(row) && row.key.empty();
}

/// Returns an option in the form of names: "w=16", "refine", "fused"; empty for values that are not spelled out.
std::string option_text(const OptionRow& row, const OptionValue& value) {
  if (row.domain.kind == Kind::flag) return std::get<bool>(value) ? row.key : "";
  const std::string text = spelled(row.domain, value);
  return is_bare(row) ? text : fmt::format("{}={}", row.key, text);
}

/// Returns all options of a row in the form of names; for a number an example.
std::vector<std::string> all_options(const OptionRow& row) {
  if (row.domain.kind == Kind::flag) return {row.key};
  if (row.domain.kind == Kind::number) return {option_text(row, example(row))};
  std::vector<std::string> options;
  for (const std::string& text : spellings(row.domain))
    if (!text.empty()) options.push_back(is_bare(row) ? text : fmt::format("{}={}", row.key, text));
  return options;
}

std::string subject(const OptionRow& row) {
  return row.key.empty() ? row.name : row.key;
}

/// Keeps the first of equal names: a head that ends early is that of several combinations of values.
std::vector<std::string> without_repetitions(std::vector<std::string> names) {
  std::set<std::string> seen;
  std::erase_if(names, [&](const std::string& name) { return !seen.insert(name).second; });
  return names;
}

}  // namespace

VariantNames::VariantNames(std::string_view head, std::vector<OptionRow> rows)
    : head_text_(head), rows_(std::move(rows)) {
  while (!head.empty()) {
    const std::size_t open = std::min(head.find('{'), head.size());
    if (open > 0) head_.push_back({std::string(head.substr(0, open)), no_row});
    head.remove_prefix(open);
    if (head.empty()) break;
    const std::size_t close = head.find('}'), row = find_row(head.substr(1, close - 1));
    rows_[row].in_head = true;
    head_.push_back({"", row});
    head.remove_prefix(close + 1);
  }
}

std::size_t VariantNames::find_row(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &OptionRow::name);
  if (found != rows_.end()) return static_cast<std::size_t>(found - rows_.begin());
  std::vector<std::string> names;
  for (const OptionRow& row : rows_) names.push_back(row.name);
  throw InputError(fmt::format("variant: there is no row '{}'; {}", name, nearest_text(name, names)));
}

bool VariantNames::applies(const OptionRow& row, const Values& values) const {
  if (!row.applies) return true;
  const std::size_t k = find_row(row.applies->row);
  const std::string& wanted = row.applies->value;
  const bool has = spelled(rows_[k].domain, values[k]) == wanted || written(rows_[k], values[k]) == OptionValue(wanted);
  return has != row.applies->unless;
}

bool VariantNames::has_part(std::size_t k, const Values& values) const {
  if (head_[k].row == no_row && k + 1 < head_.size()) ++k;
  return head_[k].row == no_row || applies(rows_[head_[k].row], values);
}

OptionValue VariantNames::absent(const OptionRow& row) {
  if (!row.in_name) return {};
  return is_bare(row) ? OptionValue(std::string()) : row.default_value;
}

std::string VariantNames::print_head(const Values& values, bool wildcards) const {
  std::string head;
  for (std::size_t k = 0; k < head_.size() && has_part(k, values); ++k) {
    const auto& [literal, row] = head_[k];
    if (row == no_row)
      head += literal;
    else
      head += wildcards && !rows_[row].wildcard.empty() ? rows_[row].wildcard : spelled(rows_[row].domain, values[row]);
  }
  return head;
}

std::string VariantNames::print_values(const Values& values, bool wildcards) const {
  std::string name = print_head(values, wildcards);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (is_option(rows_[k]) && values[k] != absent(rows_[k])) name += ";" + option_text(rows_[k], values[k]);
  return name;
}

std::vector<VariantNames::Values> VariantNames::product(const std::vector<Values>& lists) const {
  constexpr std::size_t max_names = 1'000'000;
  std::vector<Values> all{{}};
  for (const Values& list : lists) {
    if (all.size() * list.size() > max_names)
      throw InputError(fmt::format("variant: the lists stand for more than {} names; shorten one", max_names));
    std::vector<Values> longer;
    for (const Values& values : all)
      for (const OptionValue& value : list) (longer.emplace_back(values)).push_back(value);
    all = std::move(longer);
  }
  return all;
}

std::vector<std::string> VariantNames::all_heads() const {
  std::vector<Values> lists;
  for (const OptionRow& row : rows_) lists.push_back(row.in_head ? all_values(row.domain) : Values{row.default_value});
  std::vector<std::string> heads;
  for (const Values& values : product(lists)) heads.push_back(print_head(values, false));
  for (const Preset& preset : presets_) heads.push_back(preset.name);
  return without_repetitions(std::move(heads));
}

void VariantNames::parse_head(std::string_view head, std::string_view name, Values& values) const {
  const std::string text = lower_case(head);
  std::size_t at = 0;
  const auto fail = [&] {
    reject(name, at == head.size() ? "at its end" : fmt::format("at '{}'", head.substr(at)),
           fmt::format("no such variant; {}", nearest_text(head, all_heads())));
  };
  for (std::size_t k = 0; k < head_.size() && has_part(k, values); ++k) {
    const auto& [literal, row] = head_[k];
    if (row == no_row) {
      const auto [length, whole] = match_literal(text.substr(at), lower_case(literal));
      at += length;
      if (!whole) fail();
    } else {
      const auto [value, length] = match_value(head.substr(at), rows_[row].domain);
      if (length == 0) fail();
      values[row] = value;
      at += length;
    }
  }
  if (at < head.size()) fail();
}

std::string VariantNames::nearest_options(std::string_view option) const {
  std::vector<std::string> usages, candidates;
  for (const OptionRow& row : rows_) {
    if (!is_option(row)) continue;
    usages.push_back(usage(row));
    const std::vector<std::string> options = all_options(row);
    candidates.insert(candidates.end(), options.begin(), options.end());
  }
  return fmt::format("there are {}; {}", fmt::join(usages, ", "), nearest_text(option, candidates));
}

std::size_t VariantNames::parse_option(std::string_view option, std::string_view name, Values& values) const {
  const std::string place = fmt::format("option '{}'", option), text = lower_case(option);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const OptionRow& row = rows_[k];
    if (!is_option(row)) continue;
    std::optional<OptionValue> value;
    if (row.domain.kind == Kind::flag) {
      if (text == lower_case(row.key)) value = true;
    } else if (is_bare(row)) {
      if (!text.empty()) value = parse_spelled(row.domain, text);
    } else if (text.starts_with(lower_case(row.key) + "=")) {
      value = parse_spelled(row.domain, option.substr(row.key.size() + 1));
      if (!value && row.domain.kind == Kind::number)
        reject(name, place,
               fmt::format("{} is not a number {}; choose one, as in {}={}", row.key, domain_text(row.domain), row.key,
                           example(row)));
      if (!value)
        reject(name, place,
               fmt::format("no such value; there are {}; {}", usage(row), nearest_text(option, all_options(row))));
    }
    if (!value) continue;
    values[k] = *value;
    return k;
  }
  reject(name, place, fmt::format("no such option; {}", nearest_options(option)));
}

VariantNames::Values VariantNames::parse_values(std::string_view name) const {
  for (const Preset& preset : presets_)
    if (lower_case(preset.name) == lower_case(name)) return preset.values;
  Values values;
  for (const OptionRow& row : rows_) values.push_back(absent(row));
  std::size_t end = std::min(name.find(';'), name.size());
  parse_head(name.substr(0, end), name, values);
  std::set<std::size_t> given;
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find(';', begin), name.size());
    const std::string_view option = name.substr(begin, end - begin);
    const std::size_t k = parse_option(option, name, values);
    if (!given.insert(k).second)
      reject(name, fmt::format("option '{}'", option),
             fmt::format("{} is given twice; keep one of them", subject(rows_[k])));
  }
  require_applicable(name, values);
  return values;
}

void VariantNames::require_applicable(std::string_view name, const Values& values) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const auto& [row, condition] = std::tie(rows_[k], rows_[k].applies);
    if (condition && is_option(row) && values[k] != absent(row) && !applies(row, values))
      reject(
          name, fmt::format("option '{}'", option_text(row, values[k])),
          condition->reason + (condition->unless ? "; leave it out"
                                                 : fmt::format("; take {} for {}", condition->value, condition->row)));
  }
}

std::string VariantNames::canonical(std::string_view name) const {
  return print_values(parse_values(name));
}

std::vector<VariantNames::Entry> VariantNames::section_of(const Values& values) const {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const OptionRow& row = rows_[k];
    if (row.written == Written::never || (row.written == Written::if_not_default && values[k] == row.default_value))
      continue;
    entries.push_back({row.name, applies(row, values) ? written(row, values[k]) : OptionValue()});
  }
  return entries;
}

std::vector<VariantNames::Entry> VariantNames::section(std::string_view name) const {
  return section_of(complete(parse_values(name)));
}

void VariantNames::require_valid_values(const Values& values) const {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const OptionRow& row = rows_[k];
    if (!applies(row, values) || contains(row.domain, values[k])) continue;
    if (row.domain.kind == Kind::number)
      throw InputError(fmt::format("variant: {} = {} is not {}; choose one, as in {}", row.name,
                                   std::get<double>(values[k]), domain_text(row.domain), example(row)));
    const bool known = !std::holds_alternative<std::monostate>(values[k]);
    throw InputError(fmt::format("variant: {}{} is not usable; choose from {}", row.name,
                                 known ? " = " + spelled(row.domain, values[k]) : "", domain_text(row.domain)));
  }
}

std::vector<std::string> VariantNames::sweep(const std::map<std::string, std::string>& lists) const {
  std::vector<Values> choices;
  for (const OptionRow& row : rows_) choices.push_back({row.default_value});
  for (const auto& [name, list] : lists) {
    const std::size_t k = find_row(name);
    choices[k].clear();
    for (const std::string& item : items_of(rows_[k], list)) choices[k].push_back(value_of(rows_[k], item));
  }
  std::vector<std::string> names;
  for (const Values& values : product(choices)) {
    names.push_back(print_values(values, true));
    require_applicable(names.back(), values);
  }
  return without_repetitions(std::move(names));
}

std::vector<VariantNames::Listed> VariantNames::listed() const {
  std::vector<Listed> list;
  for (const Preset& preset : presets_)
    list.push_back({print_values(preset.values), fmt::format("{}: {}", preset.name, describe_values(preset.values))});
  std::vector<Values> choices;
  for (const OptionRow& row : rows_) choices.push_back(row.listed ? all_values(row.domain) : Values{row.default_value});
  if (list.empty() && std::ranges::any_of(rows_, &OptionRow::listed))
    for (const Values& values : product(choices))
      if (const std::string sentence = describe_values(values), name = print_values(values);
          !sentence.empty() && std::ranges::find(list, name, &Listed::name) == list.end())
        list.push_back({name, sentence});
  return list;
}

}  // namespace pivotlab
