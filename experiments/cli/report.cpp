// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <experiments/cli/command.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/cli/process.hpp>
#include <experiments/cli/resources.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/schema.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace pivotlab::cli {
namespace {

const std::string remedy = "run ./reproduce once (it makes .venv with the required packages) or set PIVOTLAB_PYTHON";

struct ReportCommand {
  std::vector<std::string> runs;
  std::string output, figures;  ///< file of the page, folder of figures
  std::string tables, key;      ///< format of tables, key of the case of a history
  bool samples = false, history = false, force = false;
};

/// Returns the command of the analysis and its options. Throws InputError for options that exclude one another.
std::vector<std::string> words_of(const ReportCommand& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> printed;
  if (!report.tables.empty()) printed.push_back({"--tables", {"tables", "--format=" + report.tables}});
  if (report.samples) printed.push_back({"--samples", {"samples"}});
  if (report.history) printed.push_back({"--history", {"history"}});
  if (printed.size() > 1)
    throw InputError(fmt::format("report: {0} excludes {1}; leave out {1}", printed[0].first, printed[1].first));
  if (!printed.empty()) {
    if (report.force || !report.output.empty() || !report.figures.empty())
      throw InputError(
          fmt::format("report: {} prints on stdout; leave out --output, --figures and --force", printed.front().first));
    std::vector<std::string> words = printed.front().second;
    if (!report.key.empty()) words.push_back("--key=" + report.key);
    return words;
  }
  std::vector<std::string> words{"report", "--output=" + (report.output.empty() ? "report.html" : report.output)};
  if (!report.figures.empty()) words.push_back("--figures=" + report.figures);
  if (report.force) words.emplace_back("--force");
  return words;
}

/// Returns a command that imports the analysis from pivotlab's own folder only and runs the code.
std::vector<std::string> with_analysis(const std::string& python, const std::string& code) {
  std::vector<std::string> command = python_command(
      python, "import sys; sys.path.insert(0, sys.argv.pop(1)); import pivotlab_analysis.__main__" + code);
  command.push_back(experiments::resource("analysis").string());
  return command;
}

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

int run(ReportCommand report) {
  std::vector<std::string>& runs = report.runs;
  const std::vector<std::string> words = words_of(report);
  const std::string python = find_python();
  if (python.empty()) throw InputError("report: no Python found; " + remedy);
  if (runs.empty()) runs.push_back("runs");
  for (const std::string& folder : runs)
    if (!std::filesystem::exists(folder))
      throw InputError(fmt::format("{}: no such folder; pivotlab run quick writes records to runs/quick", folder));
  if (!capture_process(with_analysis(python, "")))
    throw InputError(fmt::format("report: {} cannot load pivotlab_analysis; {}", python, remedy));

  const OwnDescription description;
  std::vector<std::string> command = with_analysis(python, "; sys.exit(pivotlab_analysis.__main__.main())");
  command.insert(command.end(), words.begin(), words.end());
  command.emplace_back("--");
  command.insert(command.end(), runs.begin(), runs.end());
  return run_process(command);
}

}  // namespace

Command add_report(CLI::App& root) {
  CLI::App* app = root.add_subcommand(
      "report", "Write one self-contained HTML page about the records, or print tables, samples or a history");
  auto command = std::make_shared<ReportCommand>();
  app->add_option("runs", command->runs, "Folders of runs (default: all in runs/)")->type_name("");
  app->add_option("-o,--output", command->output, "Name of the page")->type_name("FILE=report.html");
  app->add_flag("--force", command->force, "Replace a page that exists");
  app->add_option("--figures", command->figures, "Also write the figures as SVG, PNG and PDF, a folder for each run")
      ->type_name("DIR");
  app->add_option("--tables", command->tables, "Print the tables instead: text, markdown, latex, html or csv")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"text", "markdown", "latex", "html", "csv"}).description(""));
  app->add_flag("--samples", command->samples, "Print every sample of every time as CSV instead");
  CLI::Option* history =
      app->add_flag("--history", command->history, "Print each case that several runs have over their commits instead");
  app->add_option("--key", command->key, "Of a history: only the case with this key, the name of its record")
      ->type_name("KEY")
      ->needs(history);
  app->footer(
      "Tables with published and measured numbers and their ratio, interactive plots, the environment and every "
      "record.\n\n"
      "Examples:\n"
      "  pivotlab report\n"
      "  pivotlab report --force\n"
      "  pivotlab report runs/table2 runs/table6 -o tables.html\n"
      "  pivotlab report runs/table6 --tables latex > table6.tex\n"
      "  pivotlab report runs/quick --figures figures --force\n"
      "  pivotlab report runs/before runs/after --history");
  return {app, [command] { return run(*command); }};
}

}  // namespace pivotlab::cli
