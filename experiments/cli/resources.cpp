// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <experiments/cli/resources.hpp>
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

}  // namespace pivotlab::experiments
