#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/mpi/command.hpp>
#include <pivotlab/transport.hpp>

namespace pivotlab::cli {

MpiCommand add_solve_over_mpi(CLI::App& root, Transport& ranks) {
  CLI::App* app = root.add_subcommand("solve", "Solve your own problem, from a file to a file");
  std::vector<Command> commands;
  for (const experiments::Method* method : experiments::all_methods())
    if (auto description = method->solve_command_over(ranks))
      commands.push_back(
          add_method_command(*app, std::string(method->name()), std::move(description), true,
                             [&ranks](const std::function<void()>& check) { in_agreement(ranks, check); }));
  return {app, [command = one_of(app, std::move(commands))](Transport&) { return command.run(); }};
}

}  // namespace pivotlab::cli
