// A file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>

namespace pivotlab {

/// Written under a temporary name beside its place, flushed to the disk, then renamed. Without commit() nothing stays.
/// Every failure is an InputError that names the target, so a full disk or a read-only directory leaves no trace.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// For libraries that open files by name.
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
