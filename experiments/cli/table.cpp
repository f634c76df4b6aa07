// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/cli/analysis.hpp>
#include <experiments/cli/command.hpp>

namespace pivotlab::cli {
namespace {

struct GroupedTable {
  std::vector<std::string> runs;
  AnalysisOptions options;
};

int run(GroupedTable& table) {
  std::vector<std::string> words = table.options.arguments();
  words.insert(words.begin(), "table");
  require_runs(table.runs);
  return run_analysis("table", words, table.runs);
}

}  // namespace

Command add_table(CLI::App& root) {
  CLI::App* app = root.add_subcommand("table", "Print medians of the cases of runs, by columns of your choice");
  auto table = std::make_shared<GroupedTable>();
  app->add_option("runs", table->runs, "Folders of runs (default: all in runs/), which are one set of cases")
      ->type_name("");
  table->options.add(
      *app, {{"--by", "COLUMNS", "A line for each combination of values (default: n,solver)"},
             {"--value", "COLUMNS", "Medians of these (default: time,error)"},
             {"--where", "CONDITION", "Only cases with, e.g., 'n<500' or generator=random,kkt; may be repeated"},
             {"--format",
              "FORMAT",
              "text (default), markdown, latex, html or csv",
              {"text", "markdown", "latex", "html", "csv"}}});
  app->footer(
      "Columns are those of `pivotlab list description`, options in names (g, kappa, alpha), own.NAME, run and "
      "machine;\n"
      "time is compute_s, error the method's first error. Cases of several machines have columns of their own side by\n"
      "side.\n\n"
      "Examples:\n"
      "  pivotlab table runs/pivots\n"
      "  pivotlab table runs/first runs/second --by n,solver --value time,error\n"
      "  pivotlab table runs/pivots --by generator,solver --value error,max_growth --format latex");
  return {app, [table] { return run(*table); }};
}

}  // namespace pivotlab::cli
