// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <experiments/engine/worker.hpp>
#include <experiments/mpi/command.hpp>

namespace pivotlab::cli {

MpiCommand add_work_over_mpi(CLI::App& root) {
  CLI::App* app = root.add_subcommand("work", "Solve cases for pivotlab run --launch, which starts this command");
  return {app, [](Transport& ranks) {
            experiments::serve_together(ranks, STDIN_FILENO, STDOUT_FILENO);
            return 0;
          }};
}

}  // namespace pivotlab::cli
