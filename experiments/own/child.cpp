// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <experiments/own/child.hpp>
#include <experiments/own/own_name.hpp>
#include <support/files/memory.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <system_error>

extern char** environ;

namespace pivotlab::experiments {
namespace {

constexpr int stream_of_child = 3;

std::vector<std::string> environment_of_child(int threads) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}) {
    const std::string start = fmt::format("{}=", name);
    std::erase_if(variables, [&](const std::string& one) { return one.starts_with(start); });
    variables.push_back(start + std::to_string(threads));
  }
  return variables;
}

std::vector<char*> addresses_of(std::vector<std::string>& texts) {
  std::vector<char*> addresses;
  for (std::string& text : texts) addresses.push_back(text.data());
  addresses.push_back(nullptr);
  return addresses;
}

/// Puts '?' in the place of bytes that are not ASCII and of control characters, which JSON and terminals do not take.
std::string as_ascii(std::string text) {
  for (char& c : text)
    if ((c < ' ' && c != '\n' && c != '\t') || c > '~') c = '?';
  return text;
}

}  // namespace

Child::Child(std::vector<std::string> command, const Limits& limits, bool connected)
    : output_(::memfd_create("printed", MFD_CLOEXEC)) {
  int ends[2] = {-1, -1};
  if (connected && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  stream_ = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  std::vector<std::string> variables = environment_of_child(limits.threads);
  const std::vector<char*> arguments = addresses_of(command), environment = addresses_of(variables);
  const double bytes = limits.memory_bytes > 0 ? limits.memory_bytes : available_memory();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ > 0) {
    life_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    return;
  }
  // Only functions that are safe after fork() in a process with threads.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (std::isfinite(bytes)) {
    const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output_.get(), STDOUT_FILENO);
  ::dup2(output_.get(), STDERR_FILENO);
  if (connected && theirs.get() == stream_of_child) ::fcntl(stream_of_child, F_SETFD, 0);
  if (connected) ::dup2(theirs.get(), stream_of_child);
  ::close_range(connected ? stream_of_child + 1 : stream_of_child, ~0U, 0);
  ::execve(arguments.front(), arguments.data(), environment.data());
  ::_exit(127);
}

Child::~Child() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  wait_for(pid_);
}

void Child::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(stream_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Waits until there is something to read; returns false if the process has ended without it.
bool Child::has_input() const {
  std::array<pollfd, 2> ends{{{stream_.get(), POLLIN, 0}, {life_.get(), POLLIN, 0}}};
  while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) continue;
  return ends[0].revents != 0 || ::poll(ends.data(), 1, 0) > 0;
}

bool Child::receive(char* to, std::size_t count) const {
  while (count > 0) {
    if (!has_input()) return false;
    const ssize_t received = ::recv(stream_.get(), to, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    to += received, count -= static_cast<std::size_t>(received);
  }
  return true;
}

int Child::wait() {
  return wait_for(std::exchange(pid_, -1));
}

std::string Child::printed(std::size_t most) const {
  const off_t end = ::lseek(output_.get(), 0, SEEK_END);
  if (end <= 0) return {};
  std::string text(std::min(most, static_cast<std::size_t>(end)), '\0');
  const ssize_t count = ::pread(output_.get(), text.data(), text.size(), end - static_cast<off_t>(text.size()));
  text.resize(std::max<ssize_t>(count, 0));
  return as_ascii(std::move(text));
}

std::string describe_death(int status, const std::string& printed) {
  const std::string said = last_line(printed);
  return describe_end("the solver's process", status) + (said.empty() ? "" : ": " + said);
}

}  // namespace pivotlab::experiments
