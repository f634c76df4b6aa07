// SPDX-License-Identifier: BSD-3-Clause
// A file that is written atomically.
#pragma once

#include <cstddef>
#include <filesystem>

namespace pivotlab {

/// Writes a temporary file beside the target, flushes it to the disk and renames it. Without commit() no file remains.
/// Every failure is an InputError that names the target, so a full disk or a read-only directory leaves no trace.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Returns the temporary file's name, for libraries that open files by name.
  const std::filesystem::path& temporary() const { return temporary_; }
  const std::filesystem::path& target() const { return target_; }
  int descriptor() const { return descriptor_; }

  void write(const void* data, std::size_t bytes);
  void commit();
  /// Throws the InputError for an errno of a write.
  [[noreturn]] void fail(int error) const;

 private:
  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace pivotlab
