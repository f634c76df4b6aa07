// SPDX-License-Identifier: BSD-3-Clause
#include <generators/name.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

namespace pivotlab {
namespace {

using Options = std::vector<GeneratorOption>;
using Values = OptionValues::Map;

[[noreturn]] void fail(std::string_view name, std::string_view what, std::string_view remedy) {
  throw InputError(fmt::format("generator '{}': {}; {}", name, what, remedy));
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? "" : std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::string canonical_value(std::string_view name, const GeneratorOption& option, const std::string& value) {
  if (!option.choices.empty()) {
    if (std::ranges::find(option.choices, value) == option.choices.end())
      fail(name, fmt::format("{}={} is none of its values", option.name, value),
           nearest_text(value, option.choices, 9));
    return value;
  }
  double number;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !(number >= option.min && number <= option.max))
    fail(name, fmt::format("{}={} is not a number within its bounds", option.name, value),
         fmt::format("use {} to {}", option.min, option.max));
  return fmt::format("{}", number);
}

std::vector<std::string> names(const Options& options) {
  std::vector<std::string> result;
  for (const GeneratorOption& option : options) result.push_back(option.name);
  return result;
}

void set_option(std::string_view name, const Options& options, const std::string& part, Values& given) {
  const auto equals = part.find('=');
  const std::string key = trimmed(part.substr(0, equals));
  const auto option = std::ranges::find(options, key, &GeneratorOption::name);
  if (option == options.end()) fail(name, fmt::format("no option '{}'", key), nearest_text(key, names(options)));
  if (equals == part.npos) fail(name, fmt::format("option '{}' has no value", key), fmt::format("write {}=…", key));
  const std::string value = canonical_value(name, *option, trimmed(part.substr(equals + 1)));
  if (!given.emplace(key, value).second) fail(name, fmt::format("option '{}' is given twice", key), "remove one");
}

}  // namespace

GeneratorName parse_generator(std::string_view name, const GeneratorCatalog& catalog) {
  const std::string kind = trimmed(name.substr(0, name.find(';')));
  const auto known = catalog.find(kind);
  if (known == catalog.end()) {
    std::vector<std::string> kinds;
    for (const auto& [existing, options] : catalog) kinds.push_back(existing);
    fail(name, "no such generator", nearest_text(kind, kinds));
  }
  const Options& options = known->second;
  Values given;
  for (auto at = name.find(';'); at != name.npos;) {
    const auto next = name.find(';', at + 1);
    set_option(name, options, trimmed(name.substr(at + 1, next == name.npos ? next : next - at - 1)), given);
    at = next;
  }
  OptionValues::Map defaults;
  for (const GeneratorOption& option : options) defaults.emplace(option.name, option.default_value);
  std::erase_if(given, [&](const auto& entry) { return defaults.at(entry.first) == entry.second; });
  std::string canonical = kind;
  for (const auto& [key, value] : given) canonical += ";" + key + "=" + value;
  return {kind, OptionValues(std::move(given), std::move(defaults)), std::move(canonical)};
}

}  // namespace pivotlab
