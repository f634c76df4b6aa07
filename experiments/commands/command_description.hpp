// SPDX-License-Identifier: BSD-3-Clause
// A command of a method as data: its options, its output, and the function that it calls. The command line derives the
// command, its help and its errors from this description.
#pragma once

#include <cstdint>
#include <experiments/commands/fact.hpp>
#include <functional>
#include <optional>
#include <pivotlab/status.hpp>
#include <string>
#include <variant>
#include <variants/option_row.hpp>
#include <vector>

namespace pivotlab::experiments {

/// One option or argument of a command.
struct CommandOption {
  /// The member that the option sets; it holds the default. A flag sets true.
  using Target =
      std::variant<std::string*, bool*, int*, std::int64_t*, std::uint64_t*, double*, std::optional<double>*>;

  std::string name;  ///< "-o,--output"; without dashes an argument
  Target target;
  std::string help;
  std::string value_name = {};  ///< "FILE"; flags and arguments have none
  bool required = false;
  std::vector<std::string> choices = {};             ///< the values of a text; empty: any text
  std::optional<double> minimum = {}, maximum = {};  ///< bounds of a number
  std::string needs = {};                            ///< another option that this one requires
  std::vector<std::string> excludes = {};            ///< options that cannot be given with this one
};

/// The result of a command.
struct CommandResult {
  Status status = Status::passed;       ///< the exit code is 0 if it is passed, else 1
  std::vector<Fact> facts = {};         ///< printed as a summary or as a row of a table; none: nothing is printed
  std::vector<std::string> files = {};  ///< written ones, printed on stdout, one a line
  std::string content = {};             ///< description of the files' content, printed on stderr
};

struct CommandDescription {
  std::string title;  ///< shown in the help
  std::vector<CommandOption> options;
  std::string notes = {};                   ///< printed after the options; may have several lines
  std::vector<std::string> examples = {};   ///< command lines without "pivotlab COMMAND METHOD"
  std::function<CommandResult()> run = {};  ///< may throw InputError and NotSupported
};

/// Returns the option -o for an HDF5 file of results.
CommandOption hdf5_output_option(std::string& file, const std::string& content);
/// Returns the option --force, which allows existing files to be replaced.
CommandOption force_option(bool& force);
/// Returns the option --backend; see parse_backend_or_usual().
CommandOption backend_option(std::string& backend);
/// Returns the option --max-sweeps.
CommandOption max_sweeps_option(int& sweeps);
/// Returns the option --threads; a given value is at least 1.
CommandOption threads_option(int& threads,
                             std::string help = "Number of threads; does not change the results (default: all cores)");
/// Returns the option --baseline. `excludes` are the options that a baseline does not have.
CommandOption baseline_option(std::string& baseline, std::vector<std::string> excludes);
/// Returns the option of a row of the variant; its target is an item of value_of(row, …).
CommandOption row_option(const OptionRow& row, std::string& item);

}  // namespace pivotlab::experiments
