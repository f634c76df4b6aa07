// SPDX-License-Identifier: BSD-3-Clause
// A command whose processes end when the process that started it ends.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace pivotlab::experiments {

struct GuardedCommand {
  std::string file;                    ///< of the program
  std::vector<std::string> arguments;  ///< the first one is the program's name
  int stream;                          ///< becomes its standard input and output
  int errors;                          ///< becomes its standard error
  sigset_t mask;                       ///< signal mask at the start of the command
};

/// Runs the command in a child of `parent` and exits with its status. On SIGTERM, and when the parent dies, it sends
/// SIGTERM to the command and kills it after ten seconds. At the end it kills what the command has left behind.
[[noreturn]] void guard(const GuardedCommand& command, pid_t parent);

}  // namespace pivotlab::experiments
