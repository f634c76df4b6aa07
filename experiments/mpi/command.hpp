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

MpiCommand add_solve_over_mpi(CLI::App& root);
MpiCommand add_work_over_mpi(CLI::App& root);

/// in_agreement() that counts what is not supported as an input error, too, and names the rank if it is not the first.
void agree(Transport& transport, const std::function<void()>& work);

}  // namespace pivotlab::cli
