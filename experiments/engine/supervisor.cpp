#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/guarded_command.hpp>
#include <experiments/engine/messages.hpp>
#include <experiments/engine/order.hpp>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/supervisor.hpp>
#include <support/timer.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

volatile std::sig_atomic_t stop_received = 0;
struct sigaction previous_interrupt, previous_terminate;
sigset_t previous_mask;

void on_stop(int) {
  stop_received = 1;
}

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

/// A worker and its socket. The worker is forked, or started by the order's command with the socket as its standard
/// streams. The destructor kills it.
class WorkerProcess {
 public:
  explicit WorkerProcess(const WorkOrder& order) : launched_(!order.launch.empty()) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw std::system_error(errno, std::generic_category(), "socketpair");
    FileDescriptor ours(ends[0]), theirs(ends[1]);
    if (launched_) errors_ = FileDescriptor(::memfd_create("errors", MFD_CLOEXEC));
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid_ == 0 && launched_) guard({order.launch, theirs.get(), errors_.get(), previous_mask}, parent);
    if (pid_ == 0) become_worker(order, parent, theirs.get());
    socket_ = std::move(ours);
    if (launched_) send_all(to_line(order));
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess() {
    if (pid_ > 0) {
      kill();
      wait();
    }
  }

  int socket() const { return socket_.get(); }
  /// A launched command first ends its processes, also on other hosts.
  void kill() { ::kill(pid_, launched_ ? SIGTERM : SIGKILL); }

  /// Waits for the end of the process and describes it.
  std::string wait() {
    const int status = wait_for(std::exchange(pid_, -1));
    if (const std::string errors = what_it_said(); !errors.empty()) {
      if (std::string message = error_message_in(errors); !message.empty()) return message;
      std::fputs(errors.c_str(), stderr);
    }
    const char* who = launched_ ? "the command that started the ranks" : "the worker process";
    if (WIFEXITED(status)) return fmt::format("{} ended with exit status {}", who, WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    return fmt::format("{} was ended by signal {} ({}){}", who, signal, ::strsignal(signal),
                       signal == SIGKILL ? "; the system does so when memory runs out" : "");
  }

 private:
  /// Sends the text. Ignores errors: a process that has died is noticed by the next read.
  void send_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR) return;
      if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  std::string what_it_said() const {
    std::string text;
    if (errors_.valid() && ::lseek(errors_.get(), 0, SEEK_SET) == 0) read_all(errors_.get(), text);
    return text;
  }

  [[noreturn]] static void become_worker(const WorkOrder& order, pid_t parent, int socket) {
    // A worker must not outlive its parent and disturb a later run.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    // Ctrl-C reaches the whole process group; only the parent reacts to it.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::pthread_sigmask(SIG_SETMASK, &previous_mask, nullptr);
    // In particular, a worker must not hold the lock of the run folder.
    ::close_range(3, static_cast<unsigned>(socket) - 1, 0);
    ::close_range(static_cast<unsigned>(socket) + 1, ~0U, 0);
    work(order, socket);
    ::_exit(0);
  }

  bool launched_;
  pid_t pid_ = -1;
  FileDescriptor socket_, errors_;
};

class Supervisor {
 public:
  Supervisor(WorkOrder& order, const Watch& watch) : order_(order), watch_(watch) {}

  bool run() {
    while (!order_.cases.empty() && !stopped_) run_worker();
    return !stopped_;
  }

 private:
  enum class End { finished, timed_out };

  void run_worker() {
    current_case_.clear();
    any_case_begun_ = false;
    spent_s_.clear();
    case_timer_.restart();
    buffer_.clear();
    const std::size_t cases_before = order_.cases.size();
    WorkerProcess worker(order_);
    const End end = listen(worker);
    if (stopped_) return;
    if (end == End::timed_out) worker.kill();
    const std::string how = worker.wait();
    if (order_.cases.empty()) return;
    if (end == End::timed_out)
      blame(Status::timeout, fmt::format("took longer than {} s", watch_.timeout_s));
    else if (!current_case_.empty() || order_.cases.size() == cases_before)
      blame(how.ends_with(": out of memory") ? Status::out_of_memory : Status::failed, how);
  }

  /// Reads messages of the worker until it ends, exceeds its time, or the run is stopped.
  End listen(const WorkerProcess& worker) {
    while (true) {
      if (StopSignals::received()) stopped_ = true;
      if (stopped_) return End::finished;
      watch_.on_tick();
      const double left_s =
          watch_.timeout_s > 0 ? watch_.timeout_s - spent_s_[current_case_] - case_timer_.seconds() : 1;
      if (left_s <= 0) return End::timed_out;
      if (!wait_for_input(worker.socket(), std::min(left_s, 1.0))) continue;
      if (!read_some(worker.socket())) return End::finished;
    }
  }

  static bool wait_for_input(int socket, double timeout_s) {
    pollfd poll{socket, POLLIN, 0};
    const auto nanoseconds = static_cast<long>(timeout_s * 1e9);
    const timespec timeout{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    return ::ppoll(&poll, 1, &timeout, &previous_mask) > 0;
  }

  /// Reads available messages; returns false at the end of the stream.
  bool read_some(int socket) {
    char chunk[1 << 16];
    const ssize_t count = ::recv(socket, chunk, sizeof chunk, 0);
    if (count < 0) return errno == EINTR;  // ECONNRESET: the worker died before it read our answer
    buffer_.append(chunk, static_cast<std::size_t>(count));
    std::size_t start = 0;
    for (std::size_t end; !stopped_ && (end = buffer_.find('\n', start)) != std::string::npos; start = end + 1)
      handle_message(std::string_view(buffer_).substr(start, end - start), socket);
    buffer_.erase(0, start);
    return count > 0;
  }

  void handle_message(std::string_view line, int socket) {
    const std::optional<Message> message = read_message(line, order_.cases);
    if (!message) return;
    spent_s_[current_case_] += case_timer_.seconds();
    case_timer_.restart();
    if (!message->report) {
      current_case_ = message->key;
      any_case_begun_ = true;
      watch_.on_case(current_case_);
    } else {
      current_case_.clear();
      spent_s_[current_case_] = 0;
      finish(*message->report);
      // This fails only if the worker has died, which the next recv() detects.
      if (!stopped_) ::send(socket, "\n", 1, MSG_NOSIGNAL);
    }
  }

  void finish(const json& report) {
    const auto key = report["key"].get<std::string>();
    std::erase_if(order_.cases, [&](const PlannedCase* planned) { return planned->key == key; });
    if (!watch_.on_report(report)) stopped_ = true;
  }

  /// Reports a failure for the current case, or for all cases if the problem could not be made.
  void blame(Status status, const std::string& message) {
    if (any_case_begun_ && !current_case_.empty()) return finish(make_report(current_case_, status, message));
    const std::vector<const PlannedCase*> all = order_.cases;
    for (const PlannedCase* planned : all)
      if (!stopped_)
        finish(make_report(planned->key, status, (any_case_begun_ ? "" : "making the problem: ") + message));
  }

  WorkOrder& order_;
  const Watch& watch_;
  bool stopped_ = false;
  std::string buffer_;
  std::string current_case_;  ///< key of the current case; empty while the problem is made
  bool any_case_begun_ = false;
  Timer case_timer_;
  std::map<std::string, double> spent_s_;  ///< seconds per case, without the current interval
};

}  // namespace

StopSignals::StopSignals() {
  stop_received = 0;
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &stops, &previous_mask);
  struct sigaction action {};
  action.sa_handler = on_stop;
  ::sigaction(SIGINT, &action, &previous_interrupt);
  ::sigaction(SIGTERM, &action, &previous_terminate);
}

StopSignals::~StopSignals() {
  ::pthread_sigmask(SIG_SETMASK, &previous_mask, nullptr);  // a pending signal still sets the flag
  ::sigaction(SIGINT, &previous_interrupt, nullptr);
  ::sigaction(SIGTERM, &previous_terminate, nullptr);
}

bool StopSignals::received() {
  sigset_t pending;
  sigpending(&pending);
  return stop_received != 0 || sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

bool supervise(WorkOrder order, const Watch& watch) {
  return Supervisor(order, watch).run();
}

}  // namespace pivotlab::experiments
