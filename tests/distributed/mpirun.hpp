// SPDX-License-Identifier: BSD-3-Clause
// Runs programs under mpirun, for tests.
#pragma once

#include "support/timer.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace pivotlab::test {

struct Ended {
  int code;
  std::string output;  // and errors
  double seconds;
};

/// Options of Open MPI: it allows more processes than cores, and root in a container, only on request; transports are
/// limited to the memory of one host and of its GPUs, with ordinary copies, because a container may forbid others.
inline void permit_test_machines() {
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  setenv("OMPI_MCA_btl", "^tcp,openib,ofi", 1);
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
  if (geteuid() != 0) return;
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
}

inline Ended run_command(const std::string& command) {
  const Timer timer;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Ended ended{-1, "", 0};
  std::array<char, 4096> buffer;
  for (std::size_t count; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    ended.output.append(buffer.data(), count);
  const int status = pclose(pipe);
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ended.seconds = timer.seconds();
  return ended;
}

/// Returns the lines of our programs, without mpirun's own lines on a failed job.
inline std::vector<std::string> error_lines(const Ended& ended) {
  std::vector<std::string> lines;
  std::istringstream output(ended.output);
  for (std::string line; std::getline(output, line);)
    if (line.starts_with("pivotlab: ")) lines.push_back(line);
  return lines;
}

/// Returns the path of a program: the value of the variable, if it is set, else the default.
inline std::string program(const char* variable, const std::string& usual) {
  const char* path = std::getenv(variable);
  return path != nullptr && *path != '\0' ? path : usual;
}

/// Runs mpirun with these arguments.
inline Ended mpirun(const std::string& arguments) {
  permit_test_machines();
  return run_command(fmt::format("{} {}", program("PIVOTLAB_MPIEXEC", MPIRUN), arguments));
}

}  // namespace pivotlab::test
