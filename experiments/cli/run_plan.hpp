// SPDX-License-Identifier: BSD-3-Clause
// Runs a plan and prints a table that grows as cases finish; for `run` and `sweep`.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/engine/run.hpp>

namespace pivotlab::cli {

/// The options of a run that have nothing to do with what is run.
struct RunControl {
  experiments::RunOptions run;  ///< `launch` as the command line has it
  double memory_gb = 0;
  std::string jobs = "1", worker, beside, shard;  ///< as the command line has them
  std::string reference = {};                     ///< solver of the column of speed-ups; empty for none
  /// Axes that the command line names; an unsupported value of them is a failure.
  std::vector<std::string> named_axes;
  TableOptions table;
};
void add_run_options(CLI::App& command, RunControl& control);

/// Checks the options for several workers and completes control.run. With --worker, the first worker gives the values
/// of the axes threads and backend, if the spec has none: this machine may be another one.
void prepare_workers(RunControl& control, experiments::Spec& spec);

/// Runs the plan, or its share, and prints the table; returns the exit code.
int run_plan(experiments::Plan plan, const std::string& out, RunControl control);

}  // namespace pivotlab::cli
