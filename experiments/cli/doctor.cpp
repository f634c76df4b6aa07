// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/command.hpp>
#include <experiments/cli/findings.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Field;

std::string to_string(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::optional:
      return "optional";
    case State::problem:
      break;
  }
  return "problem";
}

const std::vector<Field<Finding>>& fields() {
  static const std::vector<Field<Finding>> list = {
      {{"part", "part"}, [](const Finding& f) -> Cell { return f.part; }},
      {{"state", "state"}, [](const Finding& f) -> Cell { return to_string(f.state); }},
      {{"found", "found"}, [](const Finding& f) -> Cell { return f.found; }},
      {{"remedy", "remedy"}, [](const Finding& f) -> Cell { return f.remedy; }},
  };
  return list;
}

experiments::TableVerdict verdict(const std::vector<Finding>& findings) {
  const auto problems = std::count_if(findings.begin(), findings.end(),
                                      [](const Finding& finding) { return finding.state == State::problem; });
  if (problems == 0) return {"All required parts are available.", "READY", true};
  return {fmt::format("{} problem{}, remedies above.", problems, problems == 1 ? "" : "s"), "NOT READY", false};
}

// Prints each remedy below its finding, because a remedy is too long for a column.
void print_for_people(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const char mark = finding.state == State::ok ? ' ' : finding.state == State::optional ? '-' : '!';
    std::cout << fmt::format("{} {:<13}{}\n", mark, finding.part, on_terminal(finding.found));
    if (!finding.remedy.empty()) std::cout << fmt::format("  {:<13}-> {}\n", "", on_terminal(finding.remedy));
  }
  const auto outcome = verdict(findings);
  std::cout << fmt::format("\n{} {}\n", outcome.summary, outcome.word);
}

int run(const TableOptions& table) {
  const auto style = table.style();
  std::vector<Finding> findings;
  for (const auto& probe : {probe_machine, probe_libraries, probe_gpu, probe_project})
    for (Finding& finding : probe()) findings.push_back(std::move(finding));
  if (style.format == experiments::TableFormat::table && table.columns.empty())
    print_for_people(findings);
  else
    print_table(table, fields(), findings, verdict(findings));
  return verdict(findings).good ? exit_fine : exit_cases_failed;
}

}  // namespace

Command add_doctor(CLI::App& root) {
  CLI::App* app = root.add_subcommand("doctor", "Check the environment and suggest fixes");
  auto table = std::make_shared<TableOptions>();
  add_table_options(*app, *table);
  app->footer(
      "'-' marks a missing optional part, '!' a problem; the exit code is 1 if there are problems.\n\n"
      "Examples:\n"
      "  pivotlab doctor\n"
      "  pivotlab doctor --format json");
  return {app, [table] { return run(*table); }};
}

}  // namespace pivotlab::cli
