// SPDX-License-Identifier: BSD-3-Clause
// Folders for files that only this process and its children read.
#pragma once

#include <filesystem>

namespace pivotlab::experiments {

/// A folder in that for temporary files, removed by the destructor. A folder whose process was killed is removed by the
/// next one.
class PrivateFolder {
 public:
  PrivateFolder();  ///< throws SolverFault if it cannot be made
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pivotlab::experiments
