// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/problems/collection.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <set>
#include <sstream>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<CollectionEntry>;

std::int64_t integer_of(const std::string& text) {
  const Value value = parse_value(text);
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer == nullptr ? 0 : *integer;
}

/// Calls take(fields) for the lines of a CSV file without quotes, `heads` lines excepted.
void read_lines(const fs::path& file, int heads, const std::function<void(const std::vector<std::string>&)>& take) {
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);) {
    if (heads-- > 0 || line.empty()) continue;
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ',')
        fields.emplace_back();
      else if (c != '\r')
        fields.back() += c;
    take(fields);
  }
}

/// The collection's own index: group, name, rows, columns, entries, is real, is binary, is 2D or 3D, is definite,
/// symmetry of the pattern and of the numbers, kind, entries of the pattern.
void read_ssstats(const fs::path& file, const std::set<std::string>& known, Entries& entries) {
  read_lines(file, 2, [&](const std::vector<std::string>& fields) {
    constexpr std::size_t least = 11, real = 5, definite = 8, symmetry = 10;
    if (fields.size() < least || known.contains(fields[0] + '/' + fields[1])) return;
    entries.push_back({.name = fields[0] + '/' + fields[1],
                       .rows = integer_of(fields[2]),
                       .cols = integer_of(fields[3]),
                       .entries = integer_of(fields[4]),
                       .is_real = fields[real] == "1",
                       .is_symmetric = parse_value(fields[symmetry]) == Value(std::int64_t{1}),
                       .definiteness = fields[definite] == "1" ? "definite" : "indefinite"});
  });
}

constexpr std::array<std::string_view, 7> words = {"real",        "complex",  "square",    "symmetric",
                                                   "unsymmetric", "definite", "indefinite"};

bool has_word(const CollectionEntry& entry, std::string_view word) {
  if (word == "real" || word == "complex") return entry.is_real == (word == "real");
  if (word == "square") return entry.rows == entry.cols;
  if (word == "symmetric" || word == "unsymmetric") return entry.is_symmetric == (word == "symmetric");
  return entry.is_symmetric && entry.definiteness == word;
}

[[noreturn]] void fail(std::string_view query, std::string_view condition) {
  throw InputError(
      fmt::format("'{}{}': '{}' is not a condition; write n, m or nnz with < <= > >= = and a number, {}, or a "
                  "name GROUP/NAME; {}",
                  collection_mark, query, condition, fmt::join(words, ", "),
                  nearest_text(std::string(condition), std::vector<std::string>(words.begin(), words.end()))));
}

using Condition = std::function<bool(const CollectionEntry&)>;

Condition condition_of(std::string_view query, const std::string& text) {
  if (std::ranges::find(words, text) != words.end())
    return [text](const CollectionEntry& entry) { return has_word(entry, text); };
  const std::size_t at = text.find_first_of("<>=");
  if (at == std::string::npos) {
    if (text.find('/') == std::string::npos) fail(query, text);
    return [text](const CollectionEntry& entry) { return matches(entry.name, text); };
  }
  const std::size_t end = text.find_first_not_of("<>=", at);
  const std::string name = text.substr(0, at), sign = text.substr(at, end - at);
  const Value value = end == std::string::npos ? Value(false) : parse_value(text.substr(end));
  const auto* limit = std::get_if<std::int64_t>(&value);
  if (limit == nullptr || (name != "n" && name != "m" && name != "nnz")) fail(query, text);
  if (sign != "<" && sign != "<=" && sign != ">" && sign != ">=" && sign != "=") fail(query, text);
  return [=, limit = *limit](const CollectionEntry& entry) {
    const std::int64_t own = name == "n" ? entry.cols : name == "m" ? entry.rows : entry.entries;
    return sign == "<"    ? own < limit
           : sign == "<=" ? own <= limit
           : sign == ">"  ? own > limit
           : sign == ">=" ? own >= limit
                          : own == limit;
  };
}

bool is_name(std::string_view query) {
  return std::ranges::count(query, '/') == 1 && query.find_first_of("*?,<>= ") == std::string_view::npos;
}

}  // namespace

Entries read_collection() {
  Entries entries;
  std::set<std::string> known;
  read_lines(resource("analysis/pivotlab_analysis/assets/suitesparse.csv"), 1,
             [&](const std::vector<std::string>& fields) {
               entries.push_back({.name = fields.at(0),
                                  .rows = integer_of(fields.at(1)),
                                  .cols = integer_of(fields.at(2)),
                                  .entries = integer_of(fields.at(3)),
                                  .is_real = fields.at(4) == "real",
                                  .is_symmetric = fields.at(5) == "symmetric",
                                  .definiteness = fields.at(6),
                                  .digest = fields.at(7)});
               known.insert(fields.at(0));
             });
  std::error_code error;
  if (const fs::path more = data_folder() / "suitesparse" / "ssstats.csv"; fs::is_regular_file(more, error))
    read_ssstats(more, known, entries);
  return entries;
}

Entries find_in_collection(std::string_view query) {
  Entries entries = read_collection();
  if (is_name(query)) {
    const auto known = std::ranges::find(entries, query, &CollectionEntry::name);
    return {known != entries.end() ? *known : CollectionEntry{.name = std::string(query)}};
  }
  for (const std::string& text : split_list(query)) std::erase_if(entries, std::not_fn(condition_of(query, text)));
  if (entries.empty())
    throw InputError(
        fmt::format("'{}{}': no matrix of the index meets this; `pivotlab data fetch --index` gets the index "
                    "of the whole collection",
                    collection_mark, query));
  return entries;
}

fs::path data_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string data = variable("PIVOTLAB_DATA"); !data.empty()) return data;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "pivotlab";
  return fs::path(variable("HOME")) / ".cache" / "pivotlab";
}

fs::path find_in_data(std::string_view name) {
  const fs::path folder = data_folder();
  std::error_code error;
  for (const fs::path& stem : {folder / "suitesparse" / name, folder / name.substr(name.find('/') + 1)})
    for (const char* extension : {".mtx.gz", ".mtx"})
      if (fs::path file = stem.string() + extension; fs::is_regular_file(file, error)) return file;
  return {};
}

fs::path file_in_collection(std::string_view name) {
  if (fs::path file = find_in_data(name); !file.empty()) return file;
  throw InputError(
      fmt::format("generator '{0}{1}': is not on this machine; `pivotlab data fetch {0}{1}` gets it, or put "
                  "it at {2}.mtx or .mtx.gz",
                  collection_mark, name, (data_folder() / "suitesparse" / name).string()));
}

}  // namespace pivotlab::experiments
