// SPDX-License-Identifier: BSD-3-Clause
#include "tests/digests/digests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace pivotlab::test {
namespace {

bool is_case(std::string_view line) {
  return !line.empty() && line[0] != '#';
}

/// Returns the position of the digest, or the end of the line.
std::size_t digest_in(std::string_view line) {
  constexpr std::size_t digits = 16;
  if (line.size() <= digits || line[line.size() - digits - 1] != ' ') return line.size();
  const bool is_digest = std::ranges::all_of(line.substr(line.size() - digits),
                                             [](char c) { return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f'); });
  return is_digest ? line.size() - digits : line.size();
}

std::string with_single_spaces(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

}  // namespace

std::vector<DigestCase> read_digests(std::string_view text) {
  std::vector<DigestCase> cases;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (!is_case(line)) continue;
    const std::size_t at = digest_in(line);
    const std::uint64_t digest = at == line.size() ? 0 : std::stoull(line.substr(at), nullptr, 16);
    cases.push_back({with_single_spaces(line.substr(0, at)), digest});
  }
  return cases;
}

std::string write_digests(std::string_view text, const std::vector<DigestCase>& cases) {
  std::string result;
  std::istringstream lines{std::string(text)};
  std::size_t next = 0;
  for (std::string line; std::getline(lines, line);) {
    if (is_case(line)) {
      line.resize(digest_in(line));
      if (line.back() != ' ') line += ' ';
      line += fmt::format("{:016x}", cases.at(next++).digest);
    }
    result += line + '\n';
  }
  return result;
}

}  // namespace pivotlab::test
