// SPDX-License-Identifier: BSD-3-Clause
// One end of the dialogue of a controller and a worker (worker.hpp lists its lines).
#pragma once

#include <experiments/engine/posix.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// Two streams. A worker and the process that it forks for an order use the same.
class Connection {
 public:
  Connection(int input, int output);

  int input() const { return input_; }
  int output() const { return output_; }
  /// Sends the line {"<what>": content}, which lines of another process do not divide; returns false if that fails.
  bool send(const char* what, const nlohmann::json& content) const;
  /// Waits for a line and takes it; returns false at the end of the stream.
  bool receive(std::string& line);

 private:
  int input_, output_;
  std::string received_;
  FileDescriptor sending_;  ///< locked by the process that sends, as long as it lives
};

}  // namespace pivotlab::experiments
