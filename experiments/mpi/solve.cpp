// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/mpi/command.hpp>
#include <pivotlab/transport.hpp>

namespace pivotlab::cli {

MpiCommand add_solve_over_mpi(CLI::App& root, Transport& ranks) {
  const Command command = add_methods(
      root.add_subcommand("solve", "Solve your own problem, from a file to a file"), true,
      [&ranks](const experiments::Method& method) { return method.solve_command_over(ranks); },
      [&ranks](const std::function<void()>& check) { in_agreement(ranks, check); });
  return {command.app, [command](Transport&) { return command.run(); }};
}

}  // namespace pivotlab::cli
