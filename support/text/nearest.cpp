// SPDX-License-Identifier: BSD-3-Clause
#include <support/text/nearest.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace pivotlab {
namespace {

constexpr int edit_cost = 10;

char lower_case(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

int replacement_cost(char a, char b) {
  if (lower_case(a) == lower_case(b)) return 0;
  return is_digit(a) && is_digit(b) ? std::abs(a - b) : edit_cost;
}

bool swapped(char a1, char a2, char b1, char b2) {
  return lower_case(a1) == lower_case(b2) && lower_case(a2) == lower_case(b1);
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lower_case(c); });
  return result;
}

int edit_distance(std::string_view a, std::string_view b) {
  // Row i has the distances of the first i letters of a from all prefixes of b; only three rows are stored.
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = edit_cost * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = edit_cost * static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + edit_cost, row[j - 1] + edit_cost, last[j - 1] + replacement_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && swapped(a[i - 2], a[i - 1], b[j - 2], b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + edit_cost);
    }
  }
  return row[b.size()];
}

std::vector<std::string> detail::nearest(std::string_view word, const std::vector<std::string_view>& candidates,
                                         std::size_t max) {
  std::vector<std::pair<int, std::string_view>> ranked;
  for (const std::string_view candidate : candidates) ranked.emplace_back(edit_distance(word, candidate), candidate);
  std::ranges::stable_sort(ranked, {}, &std::pair<int, std::string_view>::first);
  ranked.resize(std::min(max, ranked.size()));

  std::vector<std::string> names;
  for (const auto& [distance, candidate] : ranked) names.emplace_back(candidate);
  return names;
}

}  // namespace pivotlab
