// SPDX-License-Identifier: BSD-3-Clause
// A file of our own in the directory for temporary files (TMPDIR=/dev/shm keeps it in memory).
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace pivotlab::fuzz {

class ScratchFile {
 public:
  explicit ScratchFile(const char* name)
      : path_(std::filesystem::temp_directory_path() / ("pivotlab-" + std::to_string(::getpid()) + "-" + name)) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void assign(const std::uint8_t* data, std::size_t size) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace pivotlab::fuzz
