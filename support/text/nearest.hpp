// SPDX-License-Identifier: BSD-3-Clause
// "Did you mean …?" for every error message that names something unknown.
#pragma once

#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {
namespace detail {

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string_view>& candidates,
                                 std::size_t max);

}  // namespace detail

/// Converts Latin letters to lower case and leaves everything else unchanged. Names are compared in this form, in any
/// locale.
std::string lower_case(std::string_view text);

/// Returns the edit distance of two words, ignoring case: ten for each letter inserted, deleted, replaced or swapped
/// with its neighbour (optimal string alignment); for a digit replaced by a digit only their difference, so that 17 is
/// nearer to 16 and 18 than to 12.
int edit_distance(std::string_view a, std::string_view b);

/// Returns up to `max` candidates of smallest edit distance from the word, nearest first, equal distances in the given
/// order. Candidates is any range of strings, string views or literals.
template <std::ranges::input_range Candidates>
std::vector<std::string> nearest(std::string_view word, const Candidates& candidates, std::size_t max = 3) {
  return detail::nearest(word, {std::ranges::begin(candidates), std::ranges::end(candidates)}, max);
}

/// Returns them as a part of a message: "nearest: DHZ0-(ME-FB-ME), DHZ1-(ME-FB-ME)". Empty if there are no candidates.
template <std::ranges::input_range Candidates>
std::string nearest_text(std::string_view word, const Candidates& candidates, std::size_t max = 3) {
  std::string text;
  for (const std::string& name : nearest(word, candidates, max)) text += (text.empty() ? "nearest: " : ", ") + name;
  return text;
}

}  // namespace pivotlab
