// One process works in a folder at a time.
#pragma once

#include <experiments/engine/posix.hpp>
#include <filesystem>

namespace pivotlab::experiments {

/// An exclusive lock on a folder, released when this or the process dies. It consists of two locks (flock): of the
/// folder itself, which nobody can delete while it is used, and of the file .lock in it, which tells the process and
/// excludes processes on other hosts, too: NFS carries locks of files over and not those of folders.
class FolderLock {
 public:
  /// Throws InputError when another process has the lock, and when .lock is something that pivotlab has not made, which
  /// is neither followed nor changed.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileDescriptor folder_, file_;
};

}  // namespace pivotlab::experiments
