// SPDX-License-Identifier: BSD-3-Clause
// Commands of `pivotlab-mpi`: commands as in `pivotlab` whose run takes the ranks.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <pivotlab/mpi.hpp>

namespace pivotlab::cli {

struct MpiCommand {
  CLI::App* app;
  std::function<int(Transport&)> run;  ///< called on every rank after the options are parsed; returns the exit code
};

/// Adds `solve`. The commands of methods get the ranks before they are run.
MpiCommand add_solve_over_mpi(CLI::App& root, Transport& ranks);
MpiCommand add_work_over_mpi(CLI::App& root);

}  // namespace pivotlab::cli
