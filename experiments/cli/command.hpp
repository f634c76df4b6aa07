// What a subcommand of `pivotlab` is. Each lives in its own file and adds itself to the root application.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/tables/table.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <pivotlab/error.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

using experiments::with_option_context;

enum ExitCode : int {
  exit_fine = 0,
  exit_cases_failed = 1,  ///< a case failed or is incorrect, nothing passed, what the command line names is not
                          ///< supported here, or a regression that was asked to count
  exit_bad_input = 2,     ///< one line on stderr, nothing written
  exit_interrupted = 130,
};

/// The options of a command live in the closure `run`, which is called once they are parsed and returns the exit code.
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
Command add_report(CLI::App& root);
Command add_doctor(CLI::App& root);

/// --version, --help and how they are printed, the same in both programs.
void add_root_options(CLI::App& root);

/// What was wrong with the command line, as one line.
std::string explain(const CLI::App& root, const CLI::ParseError& error);

/// --format and --columns, the same in every command that prints a table.
struct TableOptions {
  std::string format = "table";
  std::vector<std::string> columns;

  /// Throws InputError for an unknown format.
  experiments::TableWriter::Style style() const;
};
void add_table_options(CLI::App& command, TableOptions& options);

/// Checks that complain in words and do not show in the help.
CLI::Validator positive();      ///< a whole number above 0
CLI::Validator not_negative();  ///< a number, 0 included

/// The items of a list, split_list() with the option in messages.
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
