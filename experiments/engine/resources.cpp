// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/resources.hpp>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <sstream>
#include <system_error>

namespace pivotlab::experiments {
namespace fs = std::filesystem;

fs::path home_directory() {
  if (const char* home = std::getenv("PIVOTLAB_HOME"); home != nullptr && *home != '\0') return home;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  fs::path installed = program.parent_path().parent_path() / "share" / "pivotlab";
  if (!error && fs::is_directory(installed, error)) return installed;
  return PIVOTLAB_SOURCE_DIR;
}

fs::path resource(std::string_view relative) {
  fs::path file = home_directory() / relative;
  std::error_code error;
  if (!fs::exists(file, error))
    throw InputError(
        fmt::format("{}: no such file; install pivotlab, or set PIVOTLAB_HOME to its source directory", file.string()));
  return file;
}

std::string find_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::string find_python() {
  if (const char* chosen = std::getenv("PIVOTLAB_PYTHON"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const fs::path of_project = home_directory() / ".venv" / "bin" / "python";
  if (fs::exists(of_project, error)) return of_project.string();
  return find_on_path("python3");
}

}  // namespace pivotlab::experiments
