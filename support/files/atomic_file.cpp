// SPDX-License-Identifier: BSD-3-Clause
#include "support/files/atomic_file.hpp"

#include <pivotlab/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace pivotlab {
namespace {

std::filesystem::path directory_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view why, std::string_view remedy) {
  throw InputError(fmt::format("{}: cannot be written: {}; {}", file.string(), why, remedy));
}

const char* remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free space there or write elsewhere";
    case EACCES:
    case EPERM:
    case EROFS:
      return "write to a directory that you may write to";
    case ENOENT:
    case ENOTDIR:
      return "create the directory first";
    default:
      return "write elsewhere";
  }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target_, ignored);
  // The target must be a regular file: renaming over a directory fails late, and over a device it succeeds, which is
  // worse.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    refuse(target_, "is not a regular file", "give the name of a file");
  static std::atomic<unsigned> count{0};
  // A killed process may have left a file of this name; it is not removed.
  for (int attempts = 0; descriptor_ < 0 && attempts < 100; ++attempts) {
    temporary_ = directory_of(target_) /
                 fmt::format(".{}.{}.{}.tmp", target_.filename().string(), ::getpid(), count.fetch_add(1));
    descriptor_ = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail(errno);
  }
  if (descriptor_ < 0) fail(EEXIST);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  auto next = static_cast<const char*>(data);
  while (bytes > 0) {
    constexpr std::size_t most = std::size_t{1} << 30;  // Linux writes at most 2 GiB at once
    const auto written = ::write(descriptor_, next, std::min(bytes, most));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(std::exchange(descriptor_, -1));
  // The folder is flushed so that the new name survives a crash. The data already does, so a file system that does not
  // support it is no failure.
  const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

void AtomicFile::fail(int error) const {
  refuse(target_, std::generic_category().message(error), remedy(error));
}

}  // namespace pivotlab
