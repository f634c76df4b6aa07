// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <experiments/cli/analysis.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/cli/method_command.hpp>
#include <experiments/problems/collection.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::CollectionEntry;
using experiments::Field;

const std::vector<Field<CollectionEntry>>& data_fields() {
  static const std::vector<Field<CollectionEntry>> list = {
      {{"name", "name"}, [](const CollectionEntry& e) -> Cell { return e.name; }},
      {{"m", "m"}, [](const CollectionEntry& e) -> Cell { return e.rows; }},
      {{"n", "n"}, [](const CollectionEntry& e) -> Cell { return e.cols; }},
      {{"nnz", "nnz"}, [](const CollectionEntry& e) -> Cell { return e.entries; }},
      {{"type", "type"}, [](const CollectionEntry& e) -> Cell { return std::string(e.is_real ? "real" : "complex"); }},
      {{"symmetry", "symmetry"},
       [](const CollectionEntry& e) -> Cell { return std::string(e.is_symmetric ? "symmetric" : "unsymmetric"); }},
      {{"definiteness", "definiteness"}, [](const CollectionEntry& e) -> Cell { return e.definiteness; }},
      {{"file", "file"}, [](const CollectionEntry& e) -> Cell { return experiments::find_in_data(e.name).string(); }},
  };
  return list;
}

/// Returns a query without the name of the collection, which may be left out.
std::string_view query_of(std::string_view text) {
  return text.starts_with(experiments::collection_mark) ? text.substr(experiments::collection_mark.size()) : text;
}

Command add_list_of_data(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("list", "List matrices of the index, and their files on this machine");
  auto query = std::make_shared<std::string>();
  auto table = std::make_shared<TableOptions>();
  app->add_option("query", *query, "Conditions, as of the generator suitesparse: (default: all)")->type_name("QUERY");
  add_table_options(*app, *table);
  return {app, [query, table] {
            const auto found =
                query->empty() ? experiments::read_collection() : experiments::find_in_collection(query_of(*query));
            print_table(*table, data_fields(), found);
            return exit_fine;
          }};
}

Command add_fetch(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("fetch", "Fetch matrices of the SuiteSparse collection to this machine");
  struct Fetch {
    std::vector<std::string> queries;
    std::string folder;
    bool index = false;
  };
  auto fetch = std::make_shared<Fetch>();
  app->add_option("matrices", fetch->queries, "Names GROUP/NAME, or conditions")->type_name("QUERY");
  app->add_option("--to", fetch->folder, "Folder (default: $PIVOTLAB_DATA, else ~/.cache/pivotlab)")->type_name("DIR");
  app->add_flag("--index", fetch->index, "Fetch the index of the whole collection, for conditions");
  return {app, [fetch] {
            if (fetch->queries.empty() && !fetch->index)
              throw InputError("data fetch: names no matrix; write for example HB/lund_a, or --index");
            std::vector<std::string> names, words{"fetch"};
            for (const std::string& query : fetch->queries)
              for (const CollectionEntry& entry : experiments::find_in_collection(query_of(query)))
                names.push_back(entry.name);
            words.push_back("--to=" + (fetch->folder.empty() ? experiments::data_folder().string() : fetch->folder));
            if (fetch->index) words.emplace_back("--index");
            return run_analysis("data fetch", words, names);
          }};
}

}  // namespace

Command add_data(CLI::App& root) {
  CLI::App* app = root.add_subcommand("data", "List and fetch matrices of the SuiteSparse collection");
  app->footer(
      "A matrix is a problem of sweeps by its name, --generator suitesparse:GROUP/NAME; conditions in place of the "
      "name\n"
      "stand for all matrices of the index that meet them: n, m or nnz with < <= > >= = and a number, real, complex,\n"
      "square, symmetric, unsymmetric, definite, indefinite, GROUP/* and commas between them. Files are\n"
      "DIR/suitesparse/GROUP/NAME.mtx.gz or .mtx, DIR/NAME.mtx.gz or .mtx; DIR is $PIVOTLAB_DATA, else\n"
      "$XDG_CACHE_HOME/pivotlab, else ~/.cache/pivotlab. PIVOTLAB_SUITESPARSE names another site, also file:///DIR.\n\n"
      "Examples:\n"
      "  pivotlab data list 'n<2000,symmetric,indefinite'\n"
      "  pivotlab data fetch HB/lund_a HB/lund_b\n"
      "  pivotlab data fetch --index\n"
      "  pivotlab data fetch 'HB/bcsstk*,n<500'");
  std::vector<Command> commands{add_list_of_data(*app), add_fetch(*app)};
  return one_of(app, std::move(commands));
}

}  // namespace pivotlab::cli
