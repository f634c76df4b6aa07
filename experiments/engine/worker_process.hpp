// SPDX-License-Identifier: BSD-3-Clause
// A worker process and the controller's connection to it.
#pragma once

#include <sys/types.h>
#include <experiments/engine/posix.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// How a worker is started.
struct WorkerStart {
  /// For the shell; empty: this program with the argument `work`, also if its file was replaced or removed meanwhile.
  std::string command = {};
  bool with_gpus = true;  ///< only for this program: whether it looks for GPUs

  bool is_own() const { return command.empty(); }
};

/// Longest line of a worker; one that sends more without an end of line is given up.
inline constexpr std::size_t longest_line = std::size_t{1} << 28;

/// A worker with a socket as its standard streams. The errors of a command are kept to explain its end; this program
/// as a worker writes to the controller's. The destructor ends the worker: it kills it, or gives it some seconds to end
/// after hang_up().
class WorkerProcess {
 public:
  explicit WorkerProcess(const WorkerStart& start);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  int socket() const { return socket_.get(); }
  /// Sends as much of the text as the process takes at once; the rest waits for send_rest(). Ignores errors: a process
  /// that has died is noticed by the next recv().
  void send(std::string_view text);
  bool has_rest() const { return !unsent_.empty(); }
  void send_rest() { send({}); }
  /// Reads what has arrived; returns false at the end of the stream. Lines of which only a part has arrived wait.
  bool receive();
  /// Takes the next line that has arrived; returns false if there is none.
  bool next_line(std::string& line);
  /// Returns whether the worker sends a line that is too long for a message.
  bool sends_endless_line() const { return received_.size() > longest_line; }
  /// Ends the processes of the worker, also on other hosts, if it has not been waited for.
  void kill() const;
  /// Closes the connection.
  void hang_up();
  /// Waits for the end of the worker; returns how it has ended.
  std::string wait();

 private:
  bool is_own_, hung_up_ = false;
  pid_t pid_ = -1;
  FileDescriptor socket_, errors_;
  std::string unsent_, received_;
  std::size_t searched_ = 0;  ///< characters of received_ without an end of line
};

}  // namespace pivotlab::experiments
