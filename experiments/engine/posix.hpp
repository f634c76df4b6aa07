// The few system resources that the engine owns.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace pivotlab::experiments {

/// An open file descriptor, closed at the end of its life.
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
  bool close();  ///< false when the system reports that data were lost

 private:
  int fd_ = -1;
};

/// Writes everything; false, with errno set, when the system refuses.
bool write_all(int fd, std::string_view text);

/// Appends what there is to be read; false, with errno set, when the system refuses.
bool read_all(int fd, std::string& text);

/// Waits for the end of a child process; returns its status as waitpid gives it, that of exit code 127 where the
/// system does not tell.
int wait_for(pid_t child);

/// Throws InputError "<path>: cannot be <verb> (<what the system says>); <a remedy that fits>" for an errno.
[[noreturn]] void fail_on_path(const std::filesystem::path& path, std::string_view verb, int error);

}  // namespace pivotlab::experiments
