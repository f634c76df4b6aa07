// SPDX-License-Identifier: BSD-3-Clause
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/guarded_command.hpp>

#include <optional>

namespace pivotlab::experiments {
namespace {

[[noreturn]] void become(const GuardedCommand& command) {
  ::setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);  // a parent that ignores them hands that on
  ::pthread_sigmask(SIG_SETMASK, &command.mask, nullptr);
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execv(command.file.c_str(), arguments.data());
  ::_exit(127);
}

class Guard {
 public:
  explicit Guard(const GuardedCommand& command) {
    ::signal(SIGCHLD, SIG_DFL);
    sigemptyset(&heard_);
    sigaddset(&heard_, SIGCHLD);
    sigaddset(&heard_, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &heard_, nullptr);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // waits for processes that the command leaves behind
    group_ = ::fork();
    if (group_ < 0) ::_exit(126);
    if (group_ == 0) become(command);
    ::setpgid(group_, group_);  // both processes call it; the first call takes effect
  }

  void wait_for_its_end_or_sigterm() {
    while (!status_ && ::sigwaitinfo(&heard_, nullptr) != SIGTERM) wait_for_ended_ones();
  }

  /// Sends SIGTERM only once: at a second one Open MPI's mpirun ends at once and leaves its processes behind.
  void end() {
    ::kill(-group_, SIGTERM);
    constexpr timespec tenth{0, 100'000'000};
    for (int tenths = 0; tenths < 100 && ::kill(-group_, 0) == 0; ++tenths) {
      ::sigtimedwait(&heard_, nullptr, &tenth);
      wait_for_ended_ones();
    }
    ::kill(-group_, SIGKILL);
    if (int status = 0; !status_ && ::waitpid(group_, &status, 0) > 0) status_ = status;
  }

  bool has_ended() const { return status_.has_value(); }

  /// Kills processes that the command has left behind, such as forks of a solver of the user's.
  void end_leftovers() const { ::kill(-group_, SIGKILL); }

  [[noreturn]] void end_likewise() const {
    const int status = status_.value_or(0);
    if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    sigset_t none;
    sigemptyset(&none);
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    ::_exit(128 + signal);
  }

 private:
  void wait_for_ended_ones() {
    int status = 0;
    for (pid_t ended; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;)
      if (ended == group_) status_ = status;
  }

  sigset_t heard_;
  pid_t group_;
  std::optional<int> status_;
};

}  // namespace

// The system sends SIGTERM when the parent dies, once for each of its threads.
void guard(const GuardedCommand& command, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  ::setpgid(0, 0);             // Ctrl-C reaches the parent alone
  ::signal(SIGTTOU, SIG_IGN);  // errors may be written to a terminal from the background
  ::dup2(command.stream, STDIN_FILENO);
  ::dup2(command.stream, STDOUT_FILENO);
  ::dup2(command.errors, STDERR_FILENO);
  ::close_range(3, ~0U, 0);
  Guard guard(command);
  guard.wait_for_its_end_or_sigterm();
  if (!guard.has_ended()) guard.end();
  guard.end_leftovers();
  guard.end_likewise();
}

}  // namespace pivotlab::experiments
