// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <experiments/cli/command.hpp>
#include <experiments/engine/merge.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {

Command add_merge(CLI::App& root) {
  CLI::App* app = root.add_subcommand("merge", "Merge the records of runs of one experiment into one folder");
  auto folders = std::make_shared<std::vector<std::string>>();
  auto out = std::make_shared<std::string>();
  app->add_option("folders", *folders, "Folders of runs: <out>/<experiment>")->required()->type_name("DIR");
  app->add_option("-o,--out", *out, "Folder of the merged run; it may exist if it is a run of the same experiment")
      ->required()
      ->type_name("DIR");
  app->footer(
      "All folders must have been made from the same spec. A record that passed replaces one that did not; for a case\n"
      "with several records of equal standing, the folder that is named first wins, and an existing record of DIR "
      "before "
      "all.\n\n"
      "Example:\n"
      "  pivotlab merge node1/paper node2/paper --out runs/paper");
  return {app, [folders, out] {
            const experiments::MergeSummary summary = experiments::merge({folders->begin(), folders->end()}, *out);
            std::cerr << fmt::format(
                "{}: {} of {} cases have a record; copied {}, left out {} of cases with another record\n",
                on_terminal(*out), summary.present, summary.planned, summary.copied, summary.left_out);
            return summary.present == summary.planned ? exit_fine : exit_cases_failed;
          }};
}

}  // namespace pivotlab::cli
