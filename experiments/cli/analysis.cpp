// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <experiments/cli/analysis.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/engine/schema.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace pivotlab::cli {
namespace {

const std::string remedy = "run ./reproduce once (it makes .venv with the required packages) or set PIVOTLAB_PYTHON";

/// The exit code of a program that cannot be started, and of the analysis where it cannot be imported.
constexpr int not_started = 127;

/// Imports the analysis from the folder of the first argument only, and runs it with the others.
const std::string analysis_program = R"(import sys
sys.path.insert(0, sys.argv.pop(1))
try:
    import pivotlab_analysis.__main__ as analysis
except ImportError:
    sys.exit(127)
sys.exit(analysis.main()))";

/// Passes the methods of this program to the analysis in a temporary file, if they differ from methods.json.
class OwnDescription {
 public:
  OwnDescription() {
    const std::string own = experiments::to_lines(experiments::describe(experiments::all_methods())) + '\n';
    if (experiments::read_text(experiments::resource("experiments/methods.json")) == own) return;
    file_ = std::filesystem::temp_directory_path() / fmt::format("pivotlab-methods-{}.json", ::getpid());
    experiments::write_atomically(file_, own);
    ::setenv("PIVOTLAB_METHODS", file_.c_str(), 1);
  }
  ~OwnDescription() {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  OwnDescription(const OwnDescription&) = delete;
  OwnDescription& operator=(const OwnDescription&) = delete;

 private:
  std::filesystem::path file_;
};

}  // namespace

int run_analysis(const std::string& name, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& names) {
  const std::string python = experiments::find_python();
  if (python.empty()) throw InputError(fmt::format("{}: no Python found; {}", name, remedy));
  const OwnDescription description;
  std::vector<std::string> command = python_command(python, analysis_program);
  command.push_back(experiments::resource("analysis").string());
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back("--");
  command.insert(command.end(), names.begin(), names.end());
  const int code = experiments::run_process(command);
  if (code == not_started)
    throw InputError(fmt::format("{}: {} cannot load pivotlab_analysis; {}", name, python, remedy));
  return code;
}

void require_runs(std::vector<std::string>& folders) {
  if (folders.empty()) folders.emplace_back("runs");
  for (const std::string& folder : folders)
    if (!std::filesystem::exists(folder))
      throw InputError(fmt::format("{}: no such folder; pivotlab run quick writes records to runs/quick", folder));
}

void AnalysisOptions::add(CLI::App& app, const std::vector<AnalysisOption>& options) {
  for (const auto& [name, type, help, choices] : options) {
    CLI::Option* option = type.empty() ? app.add_flag(name, help) : app.add_option(name, help)->type_name(type);
    if (!type.empty()) option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (!choices.empty()) option->check(CLI::IsMember(choices).description(""));
    names_.push_back("--" + option->get_lnames().front());
    options_[names_.back()] = option;
  }
}

std::string AnalysisOptions::operator[](const std::string& name) const {
  return has(name) ? options_.at(name)->results().back() : "";
}

std::vector<std::string> AnalysisOptions::arguments(const std::vector<std::string>& except) const {
  std::vector<std::string> words;
  for (const std::string& name : names_) {
    if (!has(name) || std::ranges::find(except, name) != except.end()) continue;
    if (options_.at(name)->get_items_expected_max() == 0)
      words.push_back(name);
    else
      for (const std::string& value : options_.at(name)->results()) words.push_back(name + "=" + value);
  }
  return words;
}

}  // namespace pivotlab::cli
