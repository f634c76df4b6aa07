// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/command.hpp>
#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>

namespace pivotlab::cli {
namespace {

/// BibTeX's entry of this program. The year is that of the version.
constexpr std::string_view own_entry = R"(@software{{pivotlab,
  author  = {{{{the pivotlab authors}}}},
  title   = {{{{pivotlab}}: a research framework for pivoting algorithms of dense numerical linear algebra}},
  version = {{{}}},
  year    = {{2026}}
}})";

/// Returns the papers of these methods, each once.
std::vector<std::string_view> papers_of(const std::vector<const experiments::Method*>& methods) {
  std::vector<std::string_view> all;
  for (const experiments::Method* method : methods)
    for (const std::string_view paper : method->papers())
      if (std::find(all.begin(), all.end(), paper) == all.end()) all.push_back(paper);
  return all;
}

}  // namespace

Command add_cite(CLI::App& root) {
  CLI::App* app = root.add_subcommand("cite", "Print BibTeX entries of pivotlab and of the papers behind a method");
  auto name = std::make_shared<std::string>();
  app->add_option("method", *name, "Name of a method, as in `pivotlab list methods` (default: all methods)")
      ->type_name("");
  app->footer(
      examples_text("pivotlab cite", {std::string(experiments::all_methods().front()->name()), "> pivotlab.bib"}));
  return {app, [name] {
            const auto papers =
                papers_of(name->empty() ? experiments::all_methods() : std::vector{&experiments::find_method(*name)});
            std::cout << fmt::format(own_entry, PIVOTLAB_VERSION) << '\n';
            for (const std::string_view paper : papers) std::cout << '\n' << paper << '\n';
            return exit_fine;
          }};
}

}  // namespace pivotlab::cli
