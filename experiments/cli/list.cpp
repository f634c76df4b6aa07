// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pivotlab/error.hpp>

#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/schema.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <variants/variant_names.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Field;

/// One line of a list, for one method.
struct Entry {
  std::string method, name;
  Cell default_value;
  std::string summary;
};

/// Calls add(method, list) for every method and returns the list.
template <class Add>
std::vector<Entry> of_all_methods(Add add) {
  std::vector<Entry> list;
  for (const experiments::Method* method : experiments::all_methods()) add(*method, list);
  return list;
}

std::vector<Entry> variants() {
  return of_all_methods([](const experiments::Method& method, std::vector<Entry>& list) {
    for (const VariantNames* names : method.variants())
      for (const auto& [name, summary] : names->listed())
        list.push_back({std::string(method.name()), name, "", summary});
  });
}

/// Returns the options of variants' names and, below each, its choices with a description.
std::vector<Entry> options() {
  return of_all_methods([](const experiments::Method& method, std::vector<Entry>& list) {
    std::set<std::string> seen;  // families may share rows
    for (const VariantNames* names : method.variants())
      for (const OptionRow& row : names->rows()) {
        if (!row.in_name || row.help.empty() || !seen.insert(row.name).second) continue;
        list.push_back(
            {std::string(method.name()), is_option(row) ? ";" + usage(row) : row.name, default_text(row), row.help});
        for (const OptionChoice& choice : row.domain.choices)
          if (!choice.summary.empty())
            list.push_back({std::string(method.name()), "  " + choice.spelling, "", choice.summary});
      }
  });
}

template <class Entries>
std::vector<Entry> entries_of(Entries entries) {
  return of_all_methods([&](const experiments::Method& method, std::vector<Entry>& list) {
    for (const experiments::ListEntry& one : (method.*entries)())
      list.push_back({std::string(method.name()), one.name, one.default_value, one.summary});
  });
}

std::vector<Entry> axes() {
  return of_all_methods([](const experiments::Method& method, std::vector<Entry>& list) {
    for (const experiments::AxisInfo& axis : method.axes())
      list.push_back({std::string(method.name()), axis.name, to_cell(axis.default_value), axis.summary});
  });
}

std::vector<Entry> metrics() {
  return of_all_methods([](const experiments::Method& method, std::vector<Entry>& list) {
    for (const experiments::RecordColumn& column : experiments::record_columns(method)) {
      const experiments::Quantity& quantity = column.quantity;
      if (!column.place.starts_with("/metrics/") || quantity.definition.empty()) continue;
      list.push_back({std::string(method.name()), column.name, quantity.bounded ? "bounded" : "", quantity.definition});
    }
  });
}

std::vector<Entry> experiment_entries() {
  std::vector<Entry> list;
  for (const ExperimentInfo& one : list_experiments()) list.push_back({one.method, one.name, one.scales, one.title});
  return list;
}

struct Topic {
  const char *name, *about, *name_heading, *value_heading;  // the column is left out without a heading
  std::vector<Entry> (*entries)();
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> list = {
      {"variants", "Variants of the methods; the options of their names vary them", "variant", "", variants},
      {"options", "Options of variants' names, and lists of `sweep`", "option", "default", options},
      {"generators", "Test problems and their options, e.g. 'graded;g=8;side=left'", "generator", "default",
       [] { return entries_of(&experiments::Method::generators); }},
      {"baselines", "Reference solvers for the same problems", "baseline", "",
       [] { return entries_of(&experiments::Method::baselines); }},
      {"experiments", "Experiments that come with pivotlab, by name", "experiment", "scales", experiment_entries},
      {"methods", "Methods and the axes that a spec can vary", "axis", "default", axes},
      {"metrics", "Metrics of records; a passed case has all bounded ones within their bounds", "metric", "verdict",
       metrics},
  };
  return list;
}

const Topic& find_topic(const std::string& given) {
  const std::string name = given == "peers" ? "baselines" : given;  // its old name
  std::vector<std::string> names;
  for (const Topic& topic : topics()) {
    if (topic.name == name) return topic;
    names.emplace_back(topic.name);
  }
  throw InputError(fmt::format("list: unknown topic '{}'; choose from {}", name, fmt::join(names, ", ")));
}

std::vector<Field<Entry>> fields(const Topic& topic) {
  std::vector<Field<Entry>> list = {
      {{"method", "method"}, [](const Entry& e) -> Cell { return e.method; }},
      {{topic.name_heading, topic.name_heading}, [](const Entry& e) -> Cell { return e.name; }}};
  if (*topic.value_heading != '\0')
    list.push_back({{topic.value_heading, topic.value_heading}, [](const Entry& e) { return e.default_value; }});
  list.push_back({{"summary", "summary"}, [](const Entry& e) -> Cell { return e.summary; }});
  return list;
}

/// Returns the document for programs with this name, if there is one.
std::optional<nlohmann::ordered_json> document(const std::string& name) {
  if (name == "schema") return experiments::schema_of_records(experiments::all_methods());
  if (name == "description") return experiments::describe(experiments::all_methods());
  return std::nullopt;
}

int run(const std::string& topic, const TableOptions& table) {
  const auto style = table.style();
  if (const auto json = document(topic)) {
    std::cout << experiments::to_lines(*json) << '\n';
    return exit_fine;
  }
  if (!topic.empty()) {
    print_table(table, fields(find_topic(topic)), find_topic(topic).entries(), {});
    return exit_fine;
  }
  if (style.format != experiments::TableFormat::table)
    throw InputError("list: --format and --columns need one topic; pivotlab list variants --format csv");
  bool first = true;
  for (const Topic& one : topics()) {
    std::cout << (std::exchange(first, false) ? "" : "\n") << one.name << ": " << one.about << '\n';
    print_table(table, fields(one), one.entries(), {});
  }
  return exit_fine;
}

}  // namespace

Command add_list(CLI::App& root) {
  CLI::App* app = root.add_subcommand(
      "list", "List variants, their options, generators, baselines, experiments, methods and metrics");
  auto topic = std::make_shared<std::string>();
  auto table = std::make_shared<TableOptions>();
  app->add_option("topic", *topic,
                  "variants, options, generators, baselines, experiments, methods, metrics (default: all of these);\n"
                  "schema: the JSON schema of records; description: all columns of records as JSON")
      ->type_name("");
  add_table_options(*app, *table);
  app->footer(
      "Examples:\n"
      "  pivotlab list\n"
      "  pivotlab list generators\n"
      "  pivotlab list variants --format csv");
  return {app, [topic, table] { return run(*topic, *table); }};
}

}  // namespace pivotlab::cli
