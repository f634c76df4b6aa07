// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/process.hpp>

extern char** environ;

namespace pivotlab::experiments {
namespace {

constexpr int cannot_start = 127;

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

int exit_code_of(pid_t child) {
  const int status = wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Starts the program; `output`, if not negative, becomes its stdout and its stderr is dropped. Returns the id or -1.
pid_t start(std::vector<std::string> command, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = -1;
  const int error = posix_spawnp(&child, command.front().c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : -1;
}

}  // namespace

int run_process(const std::vector<std::string>& command) {
  const pid_t child = start(command, -1);
  return child < 0 ? cannot_start : exit_code_of(child);
}

std::optional<std::string> capture_process(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  FileDescriptor reading(ends[0]), writing(ends[1]);
  const pid_t child = start(command, writing.get());
  writing.close();
  std::string output;
  if (child > 0) read_all(reading.get(), output);
  if (child < 0 || exit_code_of(child) != 0) return std::nullopt;
  output.erase(output.find_last_not_of('\n') + 1);
  return output;
}

// Threads that wait by spinning make a program a hundred times slower on a shared machine, and threads that sleep at
// once take a third of a factorization's time on an idle one; hence they spin for some microseconds. GCC's OpenMP reads
// its environment before main(), so that the program must be started again; if that fails, threads spin.
void spin_briefly(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  if (setenv("GOMP_SPINCOUNT", "500", 0) == 0) execv("/proc/self/exe", argv);
}

}  // namespace pivotlab::experiments
