// A command whose processes end with the one that has started it.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>

namespace pivotlab::experiments {

struct GuardedCommand {
  std::string text;  ///< for the shell
  int stream;        ///< becomes its standard input and output
  int errors;        ///< becomes its standard error
  sigset_t mask;     ///< of signals, with which it begins
};

/// What a child of `parent` becomes: runs the command and ends as it ends. On SIGTERM, and when the parent dies, it
/// asks the command to end and kills it after ten seconds.
[[noreturn]] void guard(const GuardedCommand& command, pid_t parent);

}  // namespace pivotlab::experiments
