#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/posix.hpp>
#include <pivotlab/error.hpp>

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

void fail_on_path(const std::filesystem::path& path, std::string_view verb, int error) {
  std::string_view remedy = "choose another folder with --out";
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    remedy = "free some space or choose another folder with --out";
  if (error == EACCES || error == EPERM || error == EROFS) remedy = "choose a folder that you may write to with --out";
  throw InputError(fmt::format("{}: cannot be {} ({}); {}", path.string(), verb, std::strerror(error), remedy));
}

}  // namespace pivotlab::experiments
