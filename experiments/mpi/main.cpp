// SPDX-License-Identifier: BSD-3-Clause
// pivotlab-mpi: the commands of pivotlab that run on several processes. It is a separate program, so that pivotlab
// needs no MPI.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/mpi/command.hpp>
#include <iostream>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {

namespace {

void describe(CLI::App& root, Transport& ranks) {
  std::vector<std::string> examples;
  for (const experiments::Method* method : experiments::all_methods())
    if (const auto command = method->solve_command_over(ranks))
      for (const std::string& example : command->examples)
        examples.push_back(fmt::format("solve {} {}", method->name(), example));
  root.description(
      "pivotlab-mpi solves problems over MPI processes, each with a GPU or some threads, none with a whole matrix.\n");
  root.footer(
      examples_text("mpirun -n 4 pivotlab-mpi", examples) +
      "\n\nExit codes: 0 fine, 1 incorrect or a rank has failed, 2 bad input, or what this machine or MPI cannot do.");
  add_root_options(root);
}

/// Only rank 0 prints errors of the command line, help and version.
int parse_and_run(Transport& transport, int argc, char** argv) {
  CLI::App root{"", "pivotlab-mpi"};
  describe(root, transport);
  const std::vector<MpiCommand> commands = {add_solve_over_mpi(root, transport), add_work_over_mpi(root)};
  for (const MpiCommand& command : commands) command.app->group("Commands");

  const bool is_first_rank = transport.rank() == 0;
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return is_first_rank ? root.exit(success) : int{exit_fine};
  } catch (const CLI::ParseError& error) {
    if (is_first_rank) std::cerr << "pivotlab: " << on_terminal(explain(root, error)) << std::endl;
    return exit_bad_input;
  }
  return std::ranges::find_if(commands, [](const MpiCommand& command) { return command.app->parsed(); })
      ->run(transport);
}

}  // namespace
}  // namespace pivotlab::cli

int main(int argc, char** argv) {
  pivotlab::experiments::spin_briefly(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // as in pivotlab's main.cpp
  return pivotlab::run_on_mpi(
      argc, argv, [&](pivotlab::Transport& transport) { return pivotlab::cli::parse_and_run(transport, argc, argv); });
}
