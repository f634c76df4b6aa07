// SPDX-License-Identifier: BSD-3-Clause
#include "support/files/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace pivotlab {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the number after a word at the beginning of a line.
std::optional<double> number_behind(const std::filesystem::path& file, std::string_view word) {
  std::ifstream stream(file);
  std::string first;
  double number = 0;
  for (std::string line; stream >> first; std::getline(stream, line))
    if (first == word && stream >> number) return number;
  return std::nullopt;
}

/// Returns the number in a file that contains nothing else.
std::optional<double> number_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  double number = 0;
  if (stream >> number) return number;
  return std::nullopt;  // "max", or no such file
}

/// Returns the memory in use without the page cache, which is released when memory is short.
std::optional<double> used_by(const std::filesystem::path& group) {
  const auto used = number_in(group / "memory.current");
  if (!used) return std::nullopt;
  const auto statistics = group / "memory.stat";
  return *used - number_behind(statistics, "inactive_file").value_or(0) -
         number_behind(statistics, "active_file").value_or(0);
}

std::string membership() {
  std::ifstream stream("/proc/self/cgroup");
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("0::/")) return line.substr(4);
  return {};
}

/// Returns the bytes below a limit of the process; `page_column` of /proc/self/statm is the usage that counts towards
/// it.
double left_by(int resource, int page_column) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return infinite;
  std::ifstream stream("/proc/self/statm");
  double pages = 0;
  for (int column = 0; column <= page_column; ++column) stream >> pages;
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
}

}  // namespace

std::optional<GroupMemory> group_memory() {
  const std::filesystem::path root = "/sys/fs/cgroup";
  const std::string own = membership();
  if (own.empty()) return std::nullopt;
  std::optional<GroupMemory> tightest;
  for (std::filesystem::path group = root / own;; group = group.parent_path()) {
    const auto limit = number_in(group / "memory.max"), used = used_by(group);
    if (limit && used && (!tightest || *limit - *used < tightest->limit - tightest->used))
      tightest = GroupMemory{*limit, *used};
    if (group == root || !group.has_relative_path() || group == group.parent_path()) return tightest;
  }
}

double available_memory() {
  const auto kilobytes = number_behind("/proc/meminfo", "MemAvailable:");
  const auto group = group_memory();
  const double left = std::min({kilobytes ? 1024 * *kilobytes : infinite, group ? group->limit - group->used : infinite,
                                left_by(RLIMIT_AS, 0), left_by(RLIMIT_DATA, 5)});
  return std::max(left, 0.0);
}

std::optional<double> memory_kills() {
  return number_behind("/proc/vmstat", "oom_kill");
}

}  // namespace pivotlab
