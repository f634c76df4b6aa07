// SPDX-License-Identifier: BSD-3-Clause
// File descriptors and errors of the system.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace pivotlab::experiments {

/// An open file descriptor, closed by the destructor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  bool close();  ///< returns false if the system reports that data were lost

 private:
  int fd_ = -1;
};

/// Writes the whole text; returns false, with errno set, if that fails.
bool write_all(int fd, std::string_view text);

/// Reads up to the end of the file and appends to `text`; returns false, with errno set, if that fails.
bool read_all(int fd, std::string& text);

/// Returns whether the name still denotes the open file.
bool has_name(const FileDescriptor& opened, const std::filesystem::path& file);

/// Waits for the end of a child process; returns its status as waitpid gives it, that of exit code 127 where the
/// system does not tell.
int wait_for(pid_t child);
/// Returns "<who> ended with exit status 3" or "<who> was ended by signal 11 (Segmentation fault)" for such a status.
std::string describe_end(std::string_view who, int status);

/// Throws InputError "<path>: cannot be <verb> (<message of the system>); <remedy>" for an errno.
[[noreturn]] void fail_on_path(const std::filesystem::path& path, std::string_view verb, int error);

}  // namespace pivotlab::experiments
