// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/posix.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>

namespace pivotlab::experiments {

bool FileDescriptor::close() {
  // Not repeated on EINTR: Linux has released the descriptor by then.
  return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(int fd, std::string& text) {
  constexpr std::size_t step = 1 << 16;
  struct stat status {};
  if (::fstat(fd, &status) == 0) text.reserve(text.size() + static_cast<std::size_t>(status.st_size));
  for (ssize_t count = 1; count != 0;) {
    const std::size_t length = text.size();
    text.resize(length + step);
    count = ::read(fd, text.data() + length, step);
    text.resize(length + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count < 0 && errno != EINTR) return false;
  }
  return true;
}

bool has_name(const FileDescriptor& opened, const std::filesystem::path& file) {
  struct stat ours {};
  struct stat named {};
  return ::fstat(opened.get(), &ours) == 0 && ::lstat(file.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return W_EXITCODE(127, 0);
  return status;
}

std::string describe_end(std::string_view who, int status) {
  if (WIFEXITED(status)) return fmt::format("{} ended with exit status {}", who, WEXITSTATUS(status));
  return fmt::format("{} was ended by signal {} ({})", who, WTERMSIG(status), ::strsignal(WTERMSIG(status)));
}

void fail_on_path(const std::filesystem::path& path, std::string_view verb, int error) {
  std::string_view remedy = "choose another folder with --out";
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    remedy = "free some space or choose another folder with --out";
  if (error == EACCES || error == EPERM || error == EROFS) remedy = "choose a folder that you may write to with --out";
  throw InputError(fmt::format("{}: cannot be {} ({}); {}", path.string(), verb, std::strerror(error), remedy));
}

}  // namespace pivotlab::experiments
