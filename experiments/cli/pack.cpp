// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <experiments/cli/command.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run_folder.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {

Command add_pack(CLI::App& root) {
  CLI::App* app = root.add_subcommand("pack", "Pack the records of runs into one file each");
  auto folders = std::make_shared<std::vector<std::string>>();
  app->add_option("folders", *folders, "Folders of runs: <out>/<experiment>")->required()->type_name("DIR");
  app->footer(
      "A run packs its records into DIR/records.jsonl.gz when it ends. This command does so for runs that were killed\n"
      "and for those of earlier versions, whose records are files of their own, DIR/records/<key>.json.\n\n"
      "Examples:\n"
      "  pivotlab pack runs/*\n"
      "  zcat runs/quick/records.jsonl.gz | grep '\"status\":\"failed\"'");
  return {app, [folders] {
            for (const std::string& folder : *folders) {
              (void)experiments::planned_keys(folder);  // refuses what is no run
              const std::size_t count = experiments::pack_run(folder);
              std::cerr << fmt::format("{}: {} record{} in {}\n", on_terminal(folder), count, count == 1 ? "" : "s",
                                       experiments::packed_records);
            }
            return exit_fine;
          }};
}

}  // namespace pivotlab::cli
