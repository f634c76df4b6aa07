// SPDX-License-Identifier: BSD-3-Clause
// A folder is named after its process.
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/method.hpp>
#include <experiments/own/private_folder.hpp>

#include <stdlib.h>
#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix_of_folder = "pivotlab-own-";

void remove_orphans(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix_of_folder)) continue;
    const pid_t owner = std::atoi(name.c_str() + prefix_of_folder.size());
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

PrivateFolder::PrivateFolder() {
  const fs::path parent = fs::temp_directory_path();
  remove_orphans(parent);
  std::string name = (parent / fmt::format("{}{}-XXXXXX", prefix_of_folder, ::getpid())).string();
  if (::mkdtemp(name.data()) == nullptr)
    throw SolverFault(Status::failed, fmt::format("{}: a folder cannot be made; set TMPDIR", parent.string()));
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace pivotlab::experiments
