// SPDX-License-Identifier: BSD-3-Clause
// Where the programs that tests start lie.
#pragma once

#include <filesystem>
#include <string>

namespace pivotlab::test {

/// Returns the path of a program, given relative to the folder of the program that runs.
inline std::string beside(const std::filesystem::path& path) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / path).lexically_normal().string();
}

}  // namespace pivotlab::test
