// SPDX-License-Identifier: BSD-3-Clause
// Runs other programs and reads their output.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Runs a program (found on PATH) with the streams of this process, and waits. Returns its exit code, 128 + the signal
/// that ended it, or 127 if it cannot be started.
int run_process(const std::vector<std::string>& command);

/// Returns the stdout of a program, without the last newline; nullopt if it cannot be started or fails.
std::optional<std::string> capture_process(const std::vector<std::string>& command);

/// Lets this process's OpenMP threads spin for some microseconds before they sleep, unless the environment sets another
/// policy. To be called first in main(), because it may restart the program.
void spin_briefly(char** argv);

}  // namespace pivotlab::experiments
