// SPDX-License-Identifier: BSD-3-Clause
// Small sound files of every kind that the project writes or reads.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pivotlab::fuzz {

struct SoundFile {
  std::string name, bytes;
  bool is_hdf5 = false;
};

/// Those that are made, by way of a folder for them, and those in `corpus` (folders of files).
std::vector<SoundFile> sound_files(const std::filesystem::path& folder,
                                   const std::vector<std::filesystem::path>& corpus);

}  // namespace pivotlab::fuzz
