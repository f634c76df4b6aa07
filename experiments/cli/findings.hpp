// SPDX-License-Identifier: BSD-3-Clause
// Probes of `pivotlab doctor`. A probe never throws and never changes anything.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::cli {

enum class State {
  ok,
  optional,  ///< missing, but everything else works
  problem,   ///< missing or wrong, and a requested part will not work
};

struct Finding {
  std::string part;  ///< "GPU"
  State state = State::ok;
  std::string found;   ///< description of what was found
  std::string remedy;  ///< how to fix a missing part, else empty
};

std::vector<Finding> probe_machine();    ///< CPU, cores, memory, instruction set, compiler
std::vector<Finding> probe_libraries();  ///< BLAS and LAPACK, HDF5, MPI
std::vector<Finding> probe_gpu();        ///< CUDA driver and devices
std::vector<Finding> probe_project();    ///< resources, Python and its packages, data

/// Returns a command that runs code in isolation: without modules of the current folder, PYTHONPATH or the user's
/// packages.
std::vector<std::string> python_command(const std::string& interpreter, const std::string& code);

}  // namespace pivotlab::cli
