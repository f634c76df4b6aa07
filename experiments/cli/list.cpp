#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/eig_variant.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/peers.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/command.hpp>
#include <experiments/cli/selection.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/engine/schema.hpp>
#include <nlohmann/json.hpp>
#include <optional>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Field;

/// One thing that can be chosen: most topics are a name and a sentence, for one method.
struct Entry {
  std::string method, name;
  Cell default_value;
  std::string summary;
};

constexpr const char *gsvd = "gsvd", *ldlt = "ldlt", *eig = "eig";

std::vector<Entry> variants() {
  std::vector<Entry> list;
  for (const ScalarType type : {ScalarType::d, ScalarType::z})
    for (int id = 0; id <= 7; ++id)
      list.push_back({gsvd, to_string(GsvdVariant{}.with_id(id), type), "", describe(id, type)});
  const auto how_long = [](Blocking blocking) {
    return blocking == Blocking::FB ? "until it has converged" : "for one sweep";
  };
  for (const auto& [letter, named] : distributed_presets())
    list.push_back({gsvd, to_string(named.variant, named.type), "",
                    fmt::format("{}: over ranks; a pair of stripes {}, a tile {}.", letter,
                                how_long(named.variant.stripes), how_long(named.variant.inner.blocking))});
  list.push_back(
      {gsvd, ";pairs=once", "",
       "B and D with no pair of block columns twice in a sweep over all ranks: less work, not the paper's."});
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial})
    list.push_back({ldlt, to_string(LdltVariant{.pivoting = pivoting}), "", std::string(describe(pivoting))});
  list.push_back(
      {ldlt, ";equilibrate=on", "", "Any of these of S A S, S of powers of two such that its rows are of one size."});
  for (const EigForm form : {EigForm::steps, EigForm::fused, EigForm::blocked})
    list.push_back({eig, to_string(EigVariant{.form = form}), "", std::string(describe(form))});
  return list;
}

std::vector<Entry> strategies() {
  std::vector<Entry> list;
  for (const char* method : {gsvd, eig})
    for (const auto& [name, summary] :
         {std::pair("ME", "generalized Mantharam-Eberlein: cyclic, n-1 steps, every pair once"),
          {"MM", "modified modulus: quasi-cyclic, n steps, n/2 pairs twice"},
          {"RR", "round robin, as in a chess tournament: cyclic, n-1 steps, every pair once"}})
      list.push_back({method, name, "", summary});
  return list;
}

std::vector<Entry> generators() {
  std::vector<Entry> list;
  for (const auto& [method, infos] :
       {std::pair(gsvd, list_pair_generators()), {ldlt, list_symmetric_generators()}, {eig, list_general_generators()}})
    for (const GeneratorInfo& generator : infos) {
      list.push_back({method, generator.name, "", generator.summary});
      for (const auto& option : generator.options)
        list.push_back({method, fmt::format("  ;{}=", option.name), option.default_value, option.summary});
    }
  return list;
}

std::vector<Entry> peers() {
  std::vector<Entry> list;
  const auto add = [&](const char* method, const std::vector<PeerInfo>& infos) {
    for (const PeerInfo& peer : infos) list.push_back({method, peer.name, "", peer.summary});
  };
  add(gsvd, list_gsvd_peers(ScalarType::d));
  add(gsvd, list_gsvd_peers(ScalarType::z));
  add(ldlt, list_ldlt_peers(ScalarType::d));
  add(ldlt, list_ldlt_peers(ScalarType::z, Symmetry::hermitian));
  add(ldlt, list_ldlt_peers(ScalarType::z, Symmetry::symmetric));
  add(eig, list_eig_peers(ScalarType::d));
  add(eig, list_eig_peers(ScalarType::z));
  return list;
}

std::vector<Entry> methods() {
  std::vector<Entry> list;
  for (const std::string& name : experiments::method_names())
    for (const experiments::AxisInfo& axis : experiments::find_method(name).axes())
      list.push_back({name, axis.name, to_cell(axis.default_value), axis.summary});
  return list;
}

std::vector<Entry> metrics() {
  std::vector<Entry> list;
  for (const experiments::Method* method : experiments::all_methods())
    for (const experiments::RecordColumn& column : experiments::record_columns(*method)) {
      const experiments::Quantity& quantity = column.quantity;
      if (!column.place.starts_with("/metrics/") || quantity.definition.empty()) continue;
      list.push_back(
          {std::string(method->name()), column.name, quantity.bounded ? "bounded" : "", quantity.definition});
    }
  return list;
}

std::vector<Entry> experiment_entries() {
  std::vector<Entry> list;
  for (const ExperimentInfo& one : list_experiments()) list.push_back({one.method, one.name, one.scales, one.title});
  return list;
}

struct Topic {
  const char *name, *about, *name_heading, *value_heading;  // no value heading: no such column
  std::vector<Entry> (*entries)();
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> list = {
      {"variants",
       "IDs of Table 1, which FB or BO, strategies, w, sorting and factor vary; pivotings, which alpha varies; forms, "
       "which "
       "strategies, b, balance, damping, exponent, refine, finish and shear|unitary|diagonal=off vary",
       "variant", "", variants},
      {"strategies", "Parallel pivot orders, outer and inner", "strategy", "", strategies},
      {"generators", "Test pairs and matrices and their options, e.g. 'graded;g=8;side=left'", "generator", "default",
       generators},
      {"peers", "What else solves the problem", "peer", "", peers},
      {"experiments", "What pivotlab run knows by name", "experiment", "scales", experiment_entries},
      {"methods", "Methods and the axes that a spec can vary", "axis", "default", methods},
      {"metrics", "Metrics of records; a passed case has all bounded ones within their bounds", "metric", "verdict",
       metrics},
  };
  return list;
}

const Topic& find_topic(const std::string& name) {
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

/// The documents that programs read, by name.
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
  CLI::App* app =
      root.add_subcommand("list", "List variants, strategies, generators, baselines, experiments, methods and metrics");
  auto topic = std::make_shared<std::string>();
  auto table = std::make_shared<TableOptions>();
  app->add_option("topic", *topic,
                  "variants, strategies, generators, peers, experiments, methods, metrics (default: all of these);\n"
                  "schema: the JSON schema of records; description: all columns of records as JSON")
      ->type_name("");
  add_table_options(*app, *table);
  app->footer(
      "Examples:\n"
      "  pivotlab list\n"
      "  pivotlab list generators\n"
      "  pivotlab list variants --format markdown");
  return {app, [topic, table] { return run(*topic, *table); }};
}

}  // namespace pivotlab::cli
