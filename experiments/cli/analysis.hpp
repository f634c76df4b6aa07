// SPDX-License-Identifier: BSD-3-Clause
// Runs the analysis of records, a Python package that comes with pivotlab.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// Runs `pivotlab_analysis` with these arguments, then the names of folders or files, and returns its exit code. Throws
/// InputError, which names the command, if there is no Python that can load it.
int run_analysis(const std::string& command, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& names);

/// Throws InputError if one of the folders does not exist. No folders become "runs".
void require_runs(std::vector<std::string>& folders);

/// An option that the analysis reads, once or several times; a flag has no type.
struct AnalysisOption {
  std::string name, type, help;
  std::vector<std::string> choices = {};  ///< its values, if they are few
};

/// Options of a command that are passed to the analysis as they are given.
class AnalysisOptions {
 public:
  void add(CLI::App& app, const std::vector<AnalysisOption>& options);
  bool has(const std::string& name) const { return options_.at(name)->count() > 0; }
  /// Returns the value of an option; empty if it is not given.
  std::string operator[](const std::string& name) const;
  /// Returns the given options but the excepted ones: "--x=n", "--log".
  std::vector<std::string> arguments(const std::vector<std::string>& except = {}) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, CLI::Option*> options_;
};

}  // namespace pivotlab::cli
