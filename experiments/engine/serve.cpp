// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <experiments/engine/disturbance.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/worker_host.hpp>
#include <support/files/memory.hpp>

#include <array>
#include <csignal>
#include <nlohmann/json.hpp>
#include <system_error>

namespace pivotlab::experiments {
namespace {

constexpr int heartbeat_ms = 10'000;

/// The process that solves an order.
class Solver {
 public:
  Solver(const WorkOrder& order, Connection& connection) : connection_(connection) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    life_ = FileDescriptor(ends[0]);
    const FileDescriptor theirs(ends[1]);
    const pid_t worker = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0) become_solver(order, worker);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    wait_for(pid_);
  }

  /// Waits for its end and sends how it has ended; returns false if the connection is closed.
  bool attend() {
    // Input is not waited for: the controller sends only what the solver reads.
    std::array<pollfd, 2> ends{{{life_.get(), POLLIN, 0}, {connection_.input(), POLLRDHUP, 0}}};
    while (true) {
      const int ready = ::poll(ends.data(), ends.size(), heartbeat_ms);
      if (ready < 0 && errno != EINTR) return false;
      if (ready == 0 && !connection_.send("alive", true)) return false;
      if (ready <= 0) continue;
      if (ends[1].revents != 0) return false;
      return send_end();
    }
  }

 private:
  [[noreturn]] void become_solver(const WorkOrder& order, pid_t worker) {
    // It must not outlive the worker and disturb a later run.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != worker) ::_exit(1);
    // A signal to the whole process group ends the worker; else the current case would be blamed for it.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    solve_order(order, connection_);
    ::_exit(0);
  }

  bool send_end() {
    const int status = wait_for(std::exchange(pid_, -1));
    std::string how = describe_end("the worker process", status);
    bool was_killed = false;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      was_killed = memory_kills_ && memory_kills() == memory_kills_;
      if (!memory_kills_) how += "; the system does so when memory runs out";
      if (memory_kills_ && !was_killed) how += ": out of memory";
    }
    // It may have died while it wrote a line.
    return write_all(connection_.output(), "\n") && connection_.send(was_killed ? "killed" : "ended", how);
  }

  Connection& connection_;
  std::optional<double> memory_kills_ = memory_kills();  ///< at the start
  FileDescriptor life_;                                  ///< ends when it ends
  pid_t pid_ = -1;
};

}  // namespace

void serve(int input, int output, bool with_gpus, const MethodLookup& find) {
  Connection connection(input, output);
  share_least_probe();
  if (!write_all(output, to_line(this_host(with_gpus)))) return;
  for (std::string line; connection.receive(line);) {
    // The answer to a report whose process was killed before it read it.
    if (line.starts_with("{\"written\":")) continue;
    const ReadOrder read(line, find);
    if (!Solver(read.order(), connection).attend()) return;
  }
}

}  // namespace pivotlab::experiments
