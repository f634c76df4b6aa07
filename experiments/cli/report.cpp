// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pivotlab/error.hpp>

#include <experiments/cli/analysis.hpp>
#include <experiments/cli/command.hpp>

namespace pivotlab::cli {
namespace {

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

int run(ReportCommand report) {
  const std::vector<std::string> words = words_of(report);
  require_runs(report.runs);
  return run_analysis("report", words, report.runs);
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
