#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/guarded_command.hpp>
#include <experiments/engine/stop_signals.hpp>
#include <experiments/engine/worker_process.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

namespace pivotlab::experiments {
namespace {

/// Returns the first error message of our programs in the text, without the program's name; empty if there is none.
std::string error_message_in(const std::string& text) {
  constexpr std::string_view mark = "pivotlab: ";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (text.compare(start, mark.size(), mark) == 0) return text.substr(start + mark.size(), end - start - mark.size());
    start = end + 1;
  }
  return "";
}

std::pair<FileDescriptor, FileDescriptor> connected_sockets() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// Forks a child that calls `become(parent)`, which does not return; returns the child.
template <class Become>
pid_t fork_child(Become become) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) become(parent);
  return child;
}

[[noreturn]] void become_worker(const WorkOrder& order, pid_t parent, int socket) {
  // A worker must not outlive its parent and disturb a later run.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // Ctrl-C reaches the whole process group; only the parent reacts to it.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGTERM, SIG_IGN);
  ::pthread_sigmask(SIG_SETMASK, &StopSignals::mask_before(), nullptr);
  // In particular, a worker must not hold the lock of the run folder.
  ::close_range(3, static_cast<unsigned>(socket) - 1, 0);
  ::close_range(static_cast<unsigned>(socket) + 1, ~0U, 0);
  work(order, socket);
  ::_exit(0);
}

/// Waits some seconds for the end of a child; returns whether it has ended.
bool ends_soon(pid_t child) {
  constexpr timespec fiftieth{0, 20'000'000};
  for (int k = 0; k < 250; ++k) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
    ::nanosleep(&fiftieth, nullptr);
  }
  return false;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkOrder& order) : is_command_(false) {
  auto [ours, theirs] = connected_sockets();
  const int socket = theirs.get();
  pid_ = fork_child([&](pid_t parent) { become_worker(order, parent, socket); });
  socket_ = std::move(ours);
}

WorkerProcess::WorkerProcess(const std::string& command)
    : is_command_(true), errors_(::memfd_create("errors", MFD_CLOEXEC)) {
  auto [ours, theirs] = connected_sockets();
  const GuardedCommand guarded{command, theirs.get(), errors_.get(), StopSignals::mask_before()};
  pid_ = fork_child([&](pid_t parent) { guard(guarded, parent); });
  socket_ = std::move(ours);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ < 0 || (hung_up_ && ends_soon(pid_))) return;
  kill();
  wait_for(pid_);
}

void WorkerProcess::send(std::string_view text) {
  unsent_ += text;
  std::size_t sent = 0;
  while (sent < unsent_.size()) {
    const ssize_t count =
        ::send(socket_.get(), unsent_.data() + sent, unsent_.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK) sent = unsent_.size();
    if (count < 0) break;
    sent += static_cast<std::size_t>(count);
  }
  unsent_.erase(0, sent);
}

void WorkerProcess::kill() const {
  if (pid_ < 0) return;  // it has been waited for, and -1 means every process of the user
  ::kill(pid_, is_command_ ? SIGTERM : SIGKILL);
}

void WorkerProcess::hang_up() {
  ::shutdown(socket_.get(), SHUT_RDWR);
  hung_up_ = true;
}

WorkerEnd WorkerProcess::wait() {
  const int status = wait_for(std::exchange(pid_, -1));
  if (const std::string text = errors(); !text.empty()) {
    if (std::string message = error_message_in(text); !message.empty()) return {std::move(message)};
    std::fputs(text.c_str(), stderr);
  }
  const char* who = is_command_ ? "the command that started the worker" : "the worker process";
  if (WIFEXITED(status)) return {fmt::format("{} ended with exit status {}", who, WEXITSTATUS(status))};
  const int signal = WTERMSIG(status);
  std::string how = fmt::format("{} was ended by signal {} ({})", who, signal, ::strsignal(signal));
  if (is_command_ || signal != SIGKILL) return {std::move(how)};
  if (!memory_kills_) return {how + "; the system does so when memory runs out"};
  if (memory_kills() == memory_kills_) return {std::move(how), true};
  return {how + ": out of memory"};
}

std::string WorkerProcess::errors() const {
  std::string text;
  if (errors_.valid() && ::lseek(errors_.get(), 0, SEEK_SET) == 0) read_all(errors_.get(), text);
  return text;
}

}  // namespace pivotlab::experiments
