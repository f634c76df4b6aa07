// SPDX-License-Identifier: BSD-3-Clause
// pivotlab: experiments with pivoting algorithms of numerical linear algebra.
#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <csignal>
#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/process.hpp>
#include <generators/io/hdf5_examiner.hpp>
#include <iostream>
#include <new>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

/// Returns the first example of each command of each method.
std::vector<std::string> examples() {
  std::vector<std::string> list = {"list variants", "run quick"};
  const auto add = [&](std::string_view command, const experiments::Method& method,
                       const std::vector<std::string>& of_command) {
    if (!of_command.empty()) list.push_back(fmt::format("{} {} {}", command, method.name(), of_command.front()));
  };
  for (const experiments::Method* method : experiments::all_methods()) add("sweep", *method, method->sweep_examples());
  for (const experiments::Method* method : experiments::all_methods())
    if (const auto command = method->solve_command()) add("solve", *method, command->examples);
  list.emplace_back("compare runs/before runs/after --threshold 5%");
  return list;
}

void describe(CLI::App& root) {
  std::string methods;
  for (const experiments::Method* method : experiments::all_methods())
    methods += fmt::format("  {:<6}{}\n        {}\n", method->name(), method->title(), method->summary());
  root.description(
      "pivotlab compares pivoting algorithms of dense linear algebra, judged in extended precision, with a record of\n"
      "every case. Its methods:\n" +
      methods);
  root.footer(
      examples_text("pivotlab", examples()) +
      "\n\npivotlab COMMAND --help describes each command. Data goes to stdout, everything else to stderr.\n"
      "Exit codes: 0 success; 1 a case failed, is incorrect or has not run, nothing passed, or what the command line "
      "names\n"
      "is not supported on this machine or by this build; 2 bad input; 130 interrupted.\n"
      "Read more: README.md (first steps), docs/guide (how to solve, compare, reproduce, and add a method of your "
      "own).");
  add_root_options(root);
}

int print_error(const std::string& line, int code) {
  std::cout.flush();
  std::cerr << "pivotlab: " << on_terminal(line) << std::endl;
  return code;
}

int parse_and_run(int argc, char** argv) {
  CLI::App root{"", "pivotlab"};
  describe(root);
  const std::vector<Command> commands = {
      add_list(root),    add_plan(root), add_run(root),    add_sweep(root),  add_solve(root),  add_generate(root),
      add_compare(root), add_plot(root), add_table(root),  add_report(root), add_status(root), add_merge(root),
      add_pack(root),    add_data(root), add_doctor(root), add_cite(root),   add_work(root)};
  for (const Command& command : commands) command.app->group("Commands");
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return root.exit(success);
  } catch (const CLI::ParseError& error) {
    return print_error(explain(root, error), exit_bad_input);
  }
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [](const Command& command) { return command.app->parsed(); });
  const int code = chosen->run();
  std::cout.flush();
  if (!std::cout) return print_error("standard output: cannot be written; free space on its device", exit_cases_failed);
  return code;
}

}  // namespace
}  // namespace pivotlab::cli

int main(int argc, char** argv) {
  using namespace pivotlab::cli;
  pivotlab::io::hdf5::examine_if_asked({argv, static_cast<std::size_t>(argc)});
  pivotlab::io::hdf5::set_examiner("/proc/self/exe");
  pivotlab::experiments::spin_briefly(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its size limit then is an error of write(), and is removed
  try {
    return parse_and_run(argc, argv);
  } catch (const pivotlab::InputError& error) {
    return print_error(error.what(), exit_bad_input);
  } catch (const pivotlab::NotSupported& error) {
    return print_error(error.what(), exit_cases_failed);
  } catch (const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) || dynamic_cast<const std::length_error*>(&error))
      return print_error("out of memory; choose a smaller n (pivotlab plan estimates the memory of a case)",
                         exit_cases_failed);
    return print_error(fmt::format("{}; this should not happen, please report it", error.what()), exit_cases_failed);
  } catch (...) {
    return print_error("unknown exception; this should not happen, please report it", exit_cases_failed);
  }
}
