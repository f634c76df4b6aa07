// SPDX-License-Identifier: BSD-3-Clause
// Subcommands of `pivotlab`. Each one is defined in its own file and adds itself to the root application.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/tables/table.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::cli {

using experiments::with_option_context;

enum ExitCode : int {
  exit_fine = 0,
  exit_cases_failed = 1,  ///< a case failed or is incorrect, no case passed, a value that the command line names is not
                          ///< supported here, or --fail-on-regression or --fail-on-undecided applies
  exit_bad_input = 2,     ///< one line on stderr, no file written
  exit_interrupted = 130,
};

/// A command. The closure `run` owns the options; it is called after they are parsed and returns the exit code.
struct Command {
  CLI::App* app;
  std::function<int()> run;
};

Command add_list(CLI::App& root);
Command add_plan(CLI::App& root);
Command add_run(CLI::App& root);
Command add_sweep(CLI::App& root);
Command add_solve(CLI::App& root);
Command add_generate(CLI::App& root);
Command add_compare(CLI::App& root);
Command add_plot(CLI::App& root);
Command add_report(CLI::App& root);
Command add_table(CLI::App& root);
Command add_status(CLI::App& root);
Command add_merge(CLI::App& root);
Command add_pack(CLI::App& root);
Command add_data(CLI::App& root);
Command add_work(CLI::App& root);
Command add_doctor(CLI::App& root);
Command add_cite(CLI::App& root);

/// Returns version, commit, build and libraries, a line each.
std::string version_text();
/// Returns the version of HDF5 that the build found.
std::string_view hdf5_version();
/// Adds --version and --help and sets the format of the help, for both programs.
void add_root_options(CLI::App& root);

/// Explains an error of the command line in one line.
std::string explain(const CLI::App& root, const CLI::ParseError& error);

/// The options --format and --columns of all commands that print a table.
struct TableOptions {
  std::string format = "table";
  std::vector<std::string> columns;

  /// Throws InputError for an unknown format.
  experiments::TableWriter::Style style() const;
};
void add_table_options(CLI::App& command, TableOptions& options);

/// Validators with readable messages, which do not appear in the help.
CLI::Validator positive();      ///< accepts integers above 0
CLI::Validator not_negative();  ///< accepts numbers ≥ 0

/// Returns the names of the commands down to this one: "pivotlab list".
std::string name_of(const CLI::App& app);

/// Returns the items of a list as split_list() does, with the option in error messages.
std::vector<std::string> split_option(const std::string& option, const std::string& text);

/// Prints the chosen columns of the sources as a table on stdout.
template <class Source>
void print_table(const TableOptions& options, const std::vector<experiments::Field<Source>>& all_fields,
                 const std::vector<Source>& sources, const experiments::TableVerdict& verdict = {}) {
  const auto style = options.style();
  const auto fields = experiments::select_fields(experiments::fields_for(style.format, all_fields), options.columns);
  std::vector<experiments::TableRow> rows;
  for (const Source& source : sources) rows.push_back(experiments::row_of(fields, source));
  experiments::write_table(std::cout, std::cerr, style, experiments::columns_of(fields), rows, verdict);
}

}  // namespace pivotlab::cli
