// A worker process and the connection to it.
#pragma once

#include <sys/types.h>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/worker.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <support/files/memory.hpp>

namespace pivotlab::experiments {

/// How a worker ended.
struct WorkerEnd {
  std::string how;
  bool was_killed = false;  ///< a forked worker, by another process and not because memory ran out
};

/// A worker and its socket. The worker is forked, or started by a command with the socket as its standard streams. The
/// destructor ends it: it kills the worker, or gives it some seconds to end after hang_up().
class WorkerProcess {
 public:
  /// Forks a worker for an order.
  explicit WorkerProcess(const WorkOrder& order);
  /// Starts a command, to which orders are sent.
  explicit WorkerProcess(const std::string& command);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  int socket() const { return socket_.get(); }
  /// Sends as much of the text as the process takes at once; the rest waits for send_rest(). Ignores errors: a process
  /// that has died is noticed by the next recv().
  void send(std::string_view text);
  bool has_rest() const { return !unsent_.empty(); }
  void send_rest() { send({}); }
  /// Ends the process if it has not been waited for; a command first ends its processes, also on other hosts.
  void kill() const;
  /// Closes the connection.
  void hang_up();
  /// Waits for the end of the process.
  WorkerEnd wait();

 private:
  std::string errors() const;

  bool is_command_, hung_up_ = false;
  std::optional<double> memory_kills_ = memory_kills();  ///< at the start
  pid_t pid_ = -1;
  FileDescriptor socket_, errors_;
  std::string unsent_;
};

}  // namespace pivotlab::experiments
