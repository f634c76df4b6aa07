// Other programs: running them and reading what they print.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// Runs a program (found on PATH) that shares our streams, and waits. Returns its exit code, 128 + the signal that
/// ended it, or 127 if it cannot be started.
int run_process(const std::vector<std::string>& command);

/// What a program prints on stdout, without the last newline; nullopt if it cannot be started or fails.
std::optional<std::string> capture_process(const std::vector<std::string>& command);

/// How this process was called, as a shell would call it again: "pivotlab run quick --filter 'n={64,128}'".
std::string own_command_line();

/// Lets this process's OpenMP threads spin for some microseconds before they sleep, unless the environment says
/// something else. Called first in main(): it may start the program over.
void spin_briefly(char** argv);

/// Where PATH has a program; empty if nowhere.
std::string find_on_path(const std::string& program);

}  // namespace pivotlab::cli
