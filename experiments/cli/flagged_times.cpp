// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>

#include <experiments/cli/flagged_times.hpp>
#include <experiments/engine/record_sections.hpp>
#include <nlohmann/json.hpp>

namespace pivotlab::cli {

std::vector<std::string> flags_of(const nlohmann::json& record) {
  std::vector<std::string> flags;
  for (const nlohmann::json& flag : record.at("time").at("flags"))
    if (flag.is_string()) flags.push_back(flag);
  return flags;
}

experiments::Cell list_of(const std::vector<std::string>& flags) {
  if (flags.empty()) return {};
  return fmt::format("{}", fmt::join(flags, ","));
}

experiments::Cell flagged_if(bool condition, const experiments::Cell& cell) {
  const auto* number = std::get_if<double>(&cell);
  return condition && number != nullptr ? experiments::FlaggedNumber{*number} : cell;
}

void FlagCounts::add(const std::vector<std::string>& flags) {
  ++times_;
  for (const std::string& flag : flags) ++counts_[flag];
}

std::string FlagCounts::remark() const {
  std::string text;
  const auto append = [&](const std::string& flag) {
    const auto found = counts_.find(flag);
    if (found == counts_.end()) return;
    text += text.empty()
                ? fmt::format("{} of {} times {} {}", found->second, times_, found->second == 1 ? "is" : "are", flag)
                : fmt::format(", {} {}", found->second, flag);
  };
  for (const auto& [flag, meaning] : experiments::flag_meanings()) append(std::string(flag));
  return text.empty() ? text : text + " (~)";
}

}  // namespace pivotlab::cli
