// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/guarded_command.hpp>
#include <experiments/engine/stop_signals.hpp>
#include <experiments/engine/worker_process.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
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

/// Waits some seconds for the end of a child; returns whether it has ended.
bool ends_soon(pid_t child) {
  constexpr timespec pause{0, 2'000'000};
  for (int k = 0; k < 2500; ++k) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
    ::nanosleep(&pause, nullptr);
  }
  return false;
}

}  // namespace

WorkerProcess::WorkerProcess(const WorkerStart& start) : is_own_(start.is_own()) {
  if (!is_own_) errors_ = FileDescriptor(::memfd_create("errors", MFD_CLOEXEC));
  auto [ours, theirs] = connected_sockets();
  GuardedCommand guarded{.file = "/bin/sh",
                         .arguments = {"sh", "-c", "exec " + start.command},  // the program itself is signalled
                         .stream = theirs.get(),
                         .errors = errors_.get(),
                         .mask = StopSignals::mask_before()};
  if (is_own_) {
    guarded.file = "/proc/self/exe";
    guarded.arguments = {"pivotlab", "work"};
    if (!start.with_gpus) guarded.arguments.emplace_back("--no-gpus");
    guarded.errors = STDERR_FILENO;
  }
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) guard(guarded, parent);
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

bool WorkerProcess::receive() {
  char chunk[1 << 16];
  const ssize_t count = ::recv(socket_.get(), chunk, sizeof chunk, MSG_DONTWAIT);
  if (count > 0) received_.append(chunk, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));  // ECONNRESET: it has not read all
}

bool WorkerProcess::next_line(std::string& line) {
  const std::size_t end = received_.find('\n', searched_);
  searched_ = end == std::string::npos ? received_.size() : 0;
  if (end == std::string::npos) return false;
  line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return true;
}

void WorkerProcess::kill() const {
  if (pid_ < 0) return;  // it has been waited for, and -1 means every process of the user
  ::kill(pid_, SIGTERM);
}

void WorkerProcess::hang_up() {
  ::shutdown(socket_.get(), SHUT_RDWR);
  hung_up_ = true;
}

std::string WorkerProcess::wait() {
  const int status = wait_for(std::exchange(pid_, -1));
  if (is_own_) return describe_end("the worker", status);
  std::string text;
  if (::lseek(errors_.get(), 0, SEEK_SET) == 0) read_all(errors_.get(), text);
  if (std::string message = error_message_in(text); !message.empty()) return message;
  std::fputs(text.c_str(), stderr);
  return describe_end("the command that started the worker", status);
}

}  // namespace pivotlab::experiments
