// Lock of a folder, so that one process works in it at a time.
#pragma once

#include <experiments/engine/posix.hpp>
#include <filesystem>

namespace pivotlab::experiments {

/// An exclusive lock on a folder, released when the object is destroyed or the process ends. It consists of two locks
/// (flock): of the folder itself, which nobody can delete while it is used, and of the file .lock in it, which states
/// the process and excludes processes on other hosts, too: NFS forwards locks of files and not of folders.
class FolderLock {
 public:
  /// Throws InputError if another process holds the lock, and if .lock was not made by pivotlab; such a file is neither
  /// followed nor changed.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileDescriptor folder_, file_;
};

}  // namespace pivotlab::experiments
