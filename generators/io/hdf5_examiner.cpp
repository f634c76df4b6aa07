// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_examiner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pivotlab/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "generators/io/hdf5_examine.hpp"
#include "generators/io/place.hpp"

extern char** environ;

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view asked = "examine-hdf5";
constexpr std::string_view damaged = "the file is damaged; copy or write it again";

// The first byte of an answer; after it the map, or the message of an InputError.
constexpr char is_map = 'M', is_refusal = 'E';

/// Limit above the time of every undamaged file: 10^6 chunks need 2 s and 100 MB.
rlim_t most_seconds(std::uint64_t file_bytes) {
  return 8 + file_bytes / 100'000'000;
}
[[maybe_unused]] rlim_t most_bytes(std::uint64_t file_bytes) {
  return 1'500'000'000 + file_bytes / 100;
}

std::filesystem::path& chosen() {
  static std::filesystem::path program;
  return program;
}

/// Owns both ends of a pipe.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) ::close(end);
  }
  void close_writing_end() { ::close(std::exchange(ends[1], -1)); }
};

/// Returns the command's arguments: size, the file's name, "list" or "-", names of objects, "-", names of optional
/// ones.
std::vector<std::string> arguments(const std::filesystem::path& program, std::uint64_t size,
                                   const std::filesystem::path& file, const Wanted& wanted) {
  std::vector<std::string> result{program.string(), std::string(asked), std::to_string(size), file.string(),
                                  wanted.list ? "list" : "-"};
  result.insert(result.end(), wanted.objects.begin(), wanted.objects.end());
  result.push_back("-");
  result.insert(result.end(), wanted.optional.begin(), wanted.optional.end());
  return result;
}

Wanted wanted_by(std::span<char*> arguments) {
  Wanted wanted{.objects = {}, .list = std::string_view(arguments[0]) == "list"};
  auto* names = &wanted.objects;
  for (const char* argument : arguments.subspan(1))
    if (std::string_view(argument) == "-")
      names = &wanted.optional;
    else
      names->emplace_back(argument);
  return wanted;
}

/// Starts the process with the file as standard input; its standard error is discarded.
pid_t start(std::vector<std::string> command, int file, int output) {
  std::vector<char*> pointers;
  for (std::string& argument : command) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int error = posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw InputError(
        fmt::format("{}: cannot be started to examine HDF5 files ({}); let PIVOTLAB_EXAMINER name the "
                    "program pivotlab",
                    command.front(), std::strerror(error)));
  return child;
}

std::string read_all(int descriptor) {
  std::string result;
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const auto got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return result;
    result.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

std::string ending(int status, std::uint64_t size) {
  if (!WIFSIGNALED(status)) return "ends the HDF5 library with an error of its own";
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU) return fmt::format("keeps the HDF5 library busy for more than {} s", most_seconds(size));
  return fmt::format("crashes the HDF5 library ({})", ::strsignal(signal));
}

void limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_max = std::min(now.rlim_max, hard);
  now.rlim_cur = std::min(soft, now.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// Prevents core files, endless loops and excessive memory. The parent handles interrupts.
void limit_this_process(std::uint64_t size) {
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, most_seconds(size), most_seconds(size) + 1);
#ifndef __SANITIZE_ADDRESS__  // the address sanitizer reserves terabytes
  limit(RLIMIT_AS, most_bytes(size), most_bytes(size));
#endif
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGXCPU, SIG_DFL);
}

bool write_all(std::string_view answer) {
  while (!answer.empty()) {
    const auto written = ::write(STDOUT_FILENO, answer.data(), answer.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    answer.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string answer(std::uint64_t size, const char* file, const Wanted& wanted) {
  try {
    return is_map + to_bytes(examine(STDIN_FILENO, size, file, wanted));
  } catch (const InputError& error) {
    return std::string(1, is_refusal) + error.what();
  }
}

}  // namespace

std::filesystem::path examiner() {
  if (!chosen().empty()) return chosen();
  const char* program = std::getenv("PIVOTLAB_EXAMINER");
  return program == nullptr ? "" : program;
}

void set_examiner(std::filesystem::path program) {
  chosen() = std::move(program);
}

FileMap examine_by(const std::filesystem::path& program, int descriptor, std::uint64_t size,
                   const std::filesystem::path& file, const Wanted& wanted) {
  const Place place{file, ""};
  Pipe pipe;
  if (::pipe2(pipe.ends.data(), O_CLOEXEC) != 0) place.fail(std::strerror(errno), "close some files");
  const pid_t child = start(arguments(program, size, file, wanted), descriptor, pipe.ends[1]);
  pipe.close_writing_end();
  const std::string reply = read_all(pipe.ends[0]);
  const int status = wait_for(child);
  if (status != 0 || reply.empty()) place.fail(ending(status, size), damaged);
  if (reply.front() == is_refusal) throw InputError(reply.substr(1));
  return from_bytes(std::string_view(reply).substr(1),
                    fmt::format("{}: cannot be examined by {}; let PIVOTLAB_EXAMINER name the program of this version",
                                file.string(), program.string()));
}

void examine_if_asked(std::span<char*> arguments) {
  if (arguments.size() < 5 || arguments[1] != asked) return;
  const std::uint64_t size = std::strtoull(arguments[2], nullptr, 10);
  limit_this_process(size);
  // _exit() skips libhdf5's own clean-up, which may crash.
  ::_exit(write_all(answer(size, arguments[3], wanted_by(arguments.subspan(4)))) ? 0 : 1);
}

}  // namespace pivotlab::io::hdf5
