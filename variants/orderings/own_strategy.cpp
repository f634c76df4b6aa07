// SPDX-License-Identifier: BSD-3-Clause
#include "variants/orderings/own_strategy.hpp"

#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

namespace pivotlab {
namespace {

namespace fs = std::filesystem;

constexpr int built_in = 3;
constexpr std::uint32_t most_columns = 1U << 14;

struct OwnStrategy {
  std::string path, spelling;
  std::map<Index, StrategyTable> tables;  ///< by order
};

std::mutex mutex;

/// All strategies so far. References to elements stay valid.
std::deque<OwnStrategy>& known() {
  static std::deque<OwnStrategy> all;
  return all;
}

/// Returns the pairs of a line of a file; none for a line without numbers.
std::vector<PivotPair> pairs_in(std::string line, const std::string& place) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::vector<std::uint32_t> columns;
  for (std::string word; words >> word;) {
    std::uint32_t column = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), column);
    if (error != std::errc() || end != word.data() + word.size() || column >= most_columns)
      throw InputError(
          fmt::format("{}: '{}' is not a column; columns are whole numbers from 0", place, word.substr(0, 20)));
    columns.push_back(column);
  }
  if (columns.size() % 2 != 0)
    throw InputError(fmt::format("{}: {} numbers make no pairs; write two for each pair", place, columns.size()));
  std::vector<PivotPair> pairs;
  for (std::size_t k = 0; k < columns.size(); k += 2)
    pairs.push_back({std::min(columns[k], columns[k + 1]), std::max(columns[k], columns[k + 1])});
  return pairs;
}

/// Throws InputError unless the pairs are of different columns and disjoint.
void check_step(const std::vector<PivotPair>& pairs, const std::string& place) {
  std::vector<std::uint32_t> columns;
  for (const auto [p, q] : pairs) columns.insert(columns.end(), {p, q});
  std::ranges::sort(columns);
  if (const auto twice = std::ranges::adjacent_find(columns); twice != columns.end())
    throw InputError(fmt::format("{}: column {} is in two pairs of this step; pairs must be disjoint", place, *twice));
}

StrategyTable read_table(const fs::path& file) {
  std::ifstream lines(file);
  if (!lines) throw InputError(fmt::format("{}: cannot be read; name a strategy or its file", file.string()));
  StrategyTable table;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> met;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", file.string(), ++number);
    const std::vector<PivotPair> pairs = pairs_in(line, place);
    if (pairs.empty()) continue;
    check_step(pairs, place);
    if (table.steps++ == 0) table.order = 2 * static_cast<std::ptrdiff_t>(pairs.size());
    if (2 * static_cast<std::ptrdiff_t>(pairs.size()) != table.order)
      throw InputError(fmt::format("{}: has {} pairs, the first step {}; a variant needs all columns in each step",
                                   place, pairs.size(), table.order / 2));
    for (const PivotPair pair : pairs) {
      if (pair.q >= table.order)
        throw InputError(fmt::format("{}: column {} is beyond the {} columns of a step", place, pair.q, table.order));
      if (const auto [first, is_new] = met.try_emplace({pair.p, pair.q}, number); !is_new)
        throw InputError(fmt::format("{}: pair {} {} was met in line {}; meet each pair once", place, pair.p, pair.q,
                                     first->second));
      table.pairs.push_back(pair);
    }
  }
  if (table.steps != table.order - 1 || table.order < 2)
    throw InputError(fmt::format("{}: has {} steps, of order {} there must be {} to meet every pair once",
                                 file.string(), table.steps, table.order, table.order - 1));
  return table;
}

/// Returns eight digits of the FNV-1a hash of the tables. They are part of a variant's name and tell versions of one
/// file apart; for that the installed library need not depend on xxHash, which experiments use.
std::string digest_of(const std::map<Index, StrategyTable>& tables) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211U; };
  for (const auto& [order, table] : tables) {
    add(static_cast<std::uint64_t>(order));
    for (const PivotPair pair : table.pairs) add(pair.p), add(pair.q);
  }
  return fmt::format("{:08x}", static_cast<std::uint32_t>(hash ^ (hash >> 32)));
}

OwnStrategy read_strategy(const std::string& path) {
  OwnStrategy strategy{.path = path, .spelling = {}, .tables = {}};
  std::vector<fs::path> files{path};
  std::error_code error;
  if (fs::is_directory(path, error)) {
    files.clear();
    for (const auto& entry : fs::directory_iterator(path, error))
      if (entry.path().extension() == ".txt") files.push_back(entry.path());
    std::ranges::sort(files);
    if (files.empty()) throw InputError(fmt::format("{}: has no file .txt with a strategy", path));
  }
  for (const fs::path& file : files) {
    StrategyTable table = read_table(file);
    const Index order = table.order;
    if (!strategy.tables.emplace(order, std::move(table)).second)
      throw InputError(fmt::format("{}: another file has the order {}, too; keep one", file.string(), order));
  }
  strategy.spelling = fmt::format("[{}#{}]", path, digest_of(strategy.tables));
  return strategy;
}

const OwnStrategy& at(Strategy strategy) {
  return known().at(static_cast<std::size_t>(static_cast<int>(strategy) - built_in));
}

}  // namespace

bool is_own_strategy(std::string_view text) {
  std::error_code error;
  return (text.starts_with('[') && text.ends_with(']')) ||
         (text.find_first_of("./") != std::string_view::npos && fs::exists(text, error));
}

Strategy own_strategy(std::string_view text) {
  if (text.starts_with('[')) text = text.substr(1, text.size() - 2);
  const std::size_t mark = std::min(text.rfind('#'), text.size());
  const std::string path(text.substr(0, mark));
  if (path.find_first_of("[];,{}#") != std::string::npos)
    throw InputError(fmt::format("strategy: '{}': names of files have no []{{}};,#; rename it", path));
  OwnStrategy own = read_strategy(path);
  if (mark < text.size() && own.spelling != fmt::format("[{}]", text))
    throw InputError(fmt::format("strategy: [{}]: the file has changed, it is now {}", text, own.spelling));
  const std::lock_guard lock(mutex);
  auto found = std::ranges::find(known(), own.spelling, &OwnStrategy::spelling);
  if (found == known().end()) found = known().insert(known().end(), std::move(own));
  return static_cast<Strategy>(built_in + static_cast<int>(found - known().begin()));
}

std::string_view spelling_of_own(Strategy strategy) {
  if (static_cast<int>(strategy) < built_in) return {};
  const std::lock_guard lock(mutex);
  return at(strategy).spelling;
}

StrategyTable own_strategy_table(Strategy strategy, Index order) {
  const std::lock_guard lock(mutex);
  const OwnStrategy& own = at(strategy);
  if (const auto found = own.tables.find(order); found != own.tables.end()) return found->second;
  std::vector<Index> orders;
  for (const auto& [known_order, table] : own.tables) orders.push_back(known_order);
  throw InputError(
      fmt::format("strategy {}: has the order {}, but {} columns or blocks are to be paired; put strategies "
                  "of all orders into one folder, or choose n and the width",
                  own.spelling, fmt::join(orders, ", "), order));
}

}  // namespace pivotlab
