// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/json_text.hpp>
#include <pivotlab/error.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

/// Returns whether the text can be that of a lock file: the number of a process, or empty.
bool is_process(const std::string& text) {
  return text.size() <= 20 && std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; });
}

/// The lock file contains this while a process packs, in place of its number.
constexpr const char* packer = "0";

bool is_packed(const fs::path& lock) {
  try {
    return read_text(lock) == packer;
  } catch (const InputError&) {  // deleted
    return false;
  }
}

/// Locks as flock does. Waits for a process that packs a minute, and for others, which may only look whether the folder
/// is locked or be about to pack, a tenth of a second.
bool lock_patiently(int fd, int operation, const fs::path& file) {
  const Timer waiting;
  while (::flock(fd, operation) != 0) {
    const int error = errno;
    if (error != EWOULDBLOCK || waiting.seconds() > (is_packed(file) ? 60 : 0.1)) return errno = error, false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

[[noreturn]] void refuse_second_runner(const fs::path& lock) {
  std::string process;
  try {
    process = read_text(lock);
  } catch (const InputError&) {  // deleted
  }
  const bool known = !process.empty() && is_process(process);
  throw InputError(fmt::format("{}: another pivotlab{} is running here; wait for it or choose another --out",
                               lock.parent_path().string(), known ? fmt::format(" (process {})", process) : ""));
}

[[noreturn]] void refuse_foreign_lock(const fs::path& file) {
  throw InputError(
      fmt::format("{}: is not a lock of pivotlab, a regular file with the number of a process; remove it or "
                  "choose another folder with --out",
                  file.string()));
}

/// Opens the file .lock, creating it if necessary. Links and files of other programs are neither followed nor changed.
FileDescriptor open_lock(const fs::path& file) {
  FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!lock.valid() && (errno == ELOOP || errno == EISDIR || errno == ENXIO)) refuse_foreign_lock(file);
  if (!lock.valid()) fail_on_path(file, "written", errno);
  struct stat status {};
  if (::fstat(lock.get(), &status) != 0) fail_on_path(file, "read", errno);
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1) refuse_foreign_lock(file);
  std::string content(32, '\0');
  const ssize_t count = ::pread(lock.get(), content.data(), content.size(), 0);
  if (count < 0) fail_on_path(file, "read", errno);
  content.resize(count);
  if (!is_process(content)) refuse_foreign_lock(file);
  return lock;
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder, Mode mode) {
  const int operation = (mode == Mode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.valid()) fail_on_path(folder, "opened", errno);
  const fs::path file = folder / ".lock";
  // If the file system cannot lock folders, only the file is locked.
  if (!lock_patiently(folder_.get(), operation, file) && errno == EWOULDBLOCK) refuse_second_runner(file);
  file_ = open_lock(file);
  if (!lock_patiently(file_.get(), operation, file)) {
    if (errno == EWOULDBLOCK) refuse_second_runner(file);
    fail_on_path(file, "locked", errno);
  }
  if (!has_name(file_, file)) refuse_second_runner(file);
  const std::string holder = mode == Mode::shared ? "" : mode == Mode::packing ? packer : std::to_string(::getpid());
  if (::ftruncate(file_.get(), 0) != 0 || !write_all(file_.get(), holder)) fail_on_path(file, "written", errno);
}

bool is_locked(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened.valid() && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace pivotlab::experiments
