#include <algorithm>
#include <experiments/cli/by_method.hpp>

namespace pivotlab::cli {
namespace {

/// A command that is one of its methods' commands.
Command by_method(CLI::App* app, std::vector<Command> methods) {
  app->require_subcommand(1);
  app->footer("pivotlab " + app->get_name() + " METHOD --help tells the rest, with examples.");
  for (const Command& method : methods) method.app->group("Methods");
  return {app, [methods = std::move(methods)] {
            return std::ranges::find_if(methods, [](const Command& method) { return method.app->parsed(); })->run();
          }};
}

}  // namespace

Command add_solve(CLI::App& root) {
  CLI::App* app = root.add_subcommand("solve", "Solve your own problem, from files to a file");
  return by_method(app, {add_gsvd_solve(*app), add_ldlt_solve(*app), add_eig_solve(*app)});
}

Command add_generate(CLI::App& root) {
  CLI::App* app = root.add_subcommand("generate", "Make a test problem and write it to a file");
  return by_method(app, {add_gsvd_generate(*app), add_ldlt_generate(*app), add_eig_generate(*app)});
}

Command add_sweep(CLI::App& root) {
  CLI::App* app = root.add_subcommand("sweep", "Run all combinations of what the options list");
  return by_method(app, {add_gsvd_sweep(*app), add_ldlt_sweep(*app), add_eig_sweep(*app)});
}

}  // namespace pivotlab::cli
