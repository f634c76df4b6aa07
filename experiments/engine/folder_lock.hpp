// SPDX-License-Identifier: BSD-3-Clause
// Lock of a folder, so that one process works in it at a time, or several that divide the work.
#pragma once

#include <experiments/engine/posix.hpp>
#include <filesystem>

namespace pivotlab::experiments {

/// A lock on a folder, released when the object is destroyed or the process ends. It consists of two locks
/// (flock): of the folder itself, which nobody can delete while it is used, and of the file .lock in it, which states
/// the process of an exclusive lock and excludes processes on other hosts, too: NFS forwards locks of files and not of
/// folders.
class FolderLock {
 public:
  enum class Mode { exclusive, shared, packing };  ///< packing: exclusive for seconds

  /// Throws InputError if another process holds a lock, of which one is exclusive, and if .lock was not made by
  /// pivotlab; such a file is neither followed nor changed. Waits a minute at most for a process that packs.
  FolderLock(const std::filesystem::path& folder, Mode mode);

 private:
  FileDescriptor folder_, file_;
};

/// Returns whether a process of this host holds a lock on the folder.
bool is_locked(const std::filesystem::path& folder);

}  // namespace pivotlab::experiments
