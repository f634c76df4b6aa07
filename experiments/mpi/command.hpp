// What a command of `pivotlab-mpi` is: one of `pivotlab` whose run takes the ranks.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <pivotlab/mpi.hpp>

namespace pivotlab::cli {

struct MpiCommand {
  CLI::App* app;
  std::function<int(Transport&)> run;  ///< on every rank, once the options are parsed; the exit code
};

/// The commands of methods have the ranks before they run.
MpiCommand add_solve_over_mpi(CLI::App& root, Transport& ranks);
MpiCommand add_work_over_mpi(CLI::App& root);

}  // namespace pivotlab::cli
