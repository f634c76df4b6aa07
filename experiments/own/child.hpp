// SPDX-License-Identifier: BSD-3-Clause
// The process of a solver of the user's.
#pragma once

#include <sys/types.h>
#include <experiments/engine/posix.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// A process that ends with this one. What it prints goes to a file in memory.
class Child {
 public:
  struct Limits {
    double memory_bytes = 0;  ///< of its data; 0: what is free
    int threads = 1;          ///< of OpenMP and BLAS
  };
  /// Starts the program, which has an absolute path. With `connected`, its descriptor 3 is a stream to this process.
  Child(std::vector<std::string> command, const Limits& limits, bool connected);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  ///< kills it

  /// Sends bytes through the stream; errors are ignored: a process that has ended is noticed by receive().
  void send(std::string_view bytes) const;
  /// Receives exactly so many bytes; returns false at the end of the process. A process that it has left behind may
  /// keep the stream open.
  bool receive(char* to, std::size_t count) const;
  /// Waits for its end; returns its status as waitpid gives it.
  int wait();
  /// Returns the last bytes of what it has printed, with '?' for what is not ASCII.
  std::string printed(std::size_t most) const;

 private:
  bool has_input() const;

  pid_t pid_ = -1;
  FileDescriptor stream_, output_, life_;  ///< life_ can be read once it has ended
};

/// Returns why a process without an answer has ended, by its status and by what it has printed.
std::string describe_death(int status, const std::string& printed);

}  // namespace pivotlab::experiments
