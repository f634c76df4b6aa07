// What `pivotlab doctor` looks at. A probe never throws and never changes anything.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::cli {

enum class State {
  ok,
  optional,  ///< absent, and everything else works without it
  problem,   ///< something that was asked for will not work
};

struct Finding {
  std::string part;  ///< "GPU"
  State state = State::ok;
  std::string found;   ///< what there is
  std::string remedy;  ///< what to do when something is missing, else empty
};

std::vector<Finding> probe_machine();    ///< CPU, cores, memory, instruction set, compiler
std::vector<Finding> probe_libraries();  ///< BLAS and LAPACK, HDF5, MPI
std::vector<Finding> probe_gpu();        ///< CUDA driver and devices
std::vector<Finding> probe_project();    ///< resources, Python and its packages, data

/// The interpreter of the analysis: $PIVOTLAB_PYTHON, else .venv of the project, else python3 on PATH; empty if none.
std::string find_python();

/// Runs code in isolation: no module comes from the current folder, from PYTHONPATH or from the user's own packages.
std::vector<std::string> python_command(const std::string& interpreter, const std::string& code);

}  // namespace pivotlab::cli
