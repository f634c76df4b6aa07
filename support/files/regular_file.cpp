// SPDX-License-Identifier: BSD-3-Clause
#include "support/files/regular_file.hpp"

#include <pivotlab/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pivotlab {
namespace {

[[noreturn]] void refuse_kind(const std::filesystem::path& file, bool is_folder) {
  throw InputError(fmt::format("{}: is {}; name a file", file.string(), is_folder ? "a folder" : "not a regular file"));
}

}  // namespace

int open_regular(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat status {};
  if (descriptor >= 0 && ::fstat(descriptor, &status) == 0) {
    if (S_ISREG(status.st_mode)) return descriptor;
    ::close(descriptor);
    refuse_kind(file, S_ISDIR(status.st_mode));
  }
  const int error = errno;
  if (error == ENXIO) refuse_kind(file, false);  // a socket
  if (descriptor >= 0) ::close(descriptor);
  throw InputError(fmt::format("{}: cannot be read ({}); check the name and the permissions", file.string(),
                               std::generic_category().message(error)));
}

}  // namespace pivotlab
