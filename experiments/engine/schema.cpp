// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/peaks.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_sections.hpp>
#include <experiments/engine/schema.hpp>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::string_view type_name(JsonType type) {
  constexpr std::string_view names[] = {"boolean", "integer", "number", "string", "object"};
  return names[static_cast<std::size_t>(type)];
}

Json schema_of(const std::vector<Quantity>& members);

Json or_null(Json schema, bool nullable) {
  if (!nullable) return schema;
  if (schema.contains("type") && schema.size() == 1) return {{"type", {schema["type"], "null"}}};
  return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
}

Json schema_of_one(const Quantity& quantity) {
  const Domain& domain = quantity.domain;
  if (domain.type == JsonType::object && !quantity.members.empty()) return schema_of(quantity.members);
  if (!domain.choices.empty()) return {{"enum", domain.choices}};
  Json schema = {{"type", type_name(domain.type)}};
  if (!domain.pattern.empty()) schema["pattern"] = domain.pattern;
  if (domain.minimum) schema[domain.open_minimum ? "exclusiveMinimum" : "minimum"] = *domain.minimum;
  if (domain.maximum) schema[domain.open_maximum ? "exclusiveMaximum" : "maximum"] = *domain.maximum;
  return schema;
}

Json schema_of(const Quantity& quantity) {
  Json schema = or_null(schema_of_one(quantity), quantity.domain.nullable);
  if (quantity.domain.list) schema = {{"type", "array"}, {"items", std::move(schema)}};
  if (!quantity.definition.empty()) schema["description"] = quantity.definition;
  return schema;
}

Json schema_of(const std::vector<Quantity>& members) {
  Json required = Json::array(), properties = Json::object();
  for (const Quantity& member : members) {
    if (!member.domain.optional) required.push_back(member.at);
    properties[member.at] = schema_of(member);
  }
  return {{"type", "object"},
          {"required", std::move(required)},
          {"properties", std::move(properties)},
          {"additionalProperties", false}};
}

Json schema_of_section(const Section& section) {
  Json schema = schema_of(section.quantities);
  if (std::ranges::any_of(section.quantities, &Quantity::bounded)) {
    schema["required"].push_back("verdict_bounds");
    schema["properties"]["verdict_bounds"] = {
        {"type", "object"},
        {"additionalProperties", {{"type", {"number", "null"}}}},
        {"description", "What each metric may be in a passed case; null: it is not part of the verdict"}};
  }
  return schema;
}

/// Describes the values of an axis as a quantity.
Quantity quantity_of(const AxisInfo& axis) {
  constexpr JsonType types[] = {JsonType::boolean, JsonType::integer, JsonType::number, JsonType::text};
  Quantity quantity{.at = axis.name, .heading = axis.name, .definition = axis.summary, .domain = axis.domain};
  quantity.domain.type = types[axis.default_value.index()];
  if (quantity.domain.type == JsonType::number) quantity.format = NumberFormat::scientific;
  return quantity;
}

Json schema_of_case(const Method& method) {
  Json required = {"method"}, properties = {{"method", {{"const", method.name()}}}};
  for (const AxisInfo& axis : method.axes()) {
    if (!axis.domain.optional) required.push_back(axis.name);
    properties[axis.name] = schema_of(quantity_of(axis));
  }
  properties["digest"] = {{"type", "string"},
                          {"pattern", "^[0-9a-f]{32}$"},
                          {"description", "hash of the files that the problem was read from"}};
  properties["solver_digest"] = {{"type", "string"},
                                 {"pattern", "^[0-9a-f]{32}$"},
                                 {"description", "hash of the files of a solver of the user's"}};
  return {{"type", "object"},
          {"required", std::move(required)},
          {"properties", std::move(properties)},
          {"additionalProperties", false}};
}

/// Returns the schema of the sections that one method describes, as a rule for its records.
Json rule_for(const Method& method) {
  Json properties = {{"case", schema_of_case(method)}};
  for (const char* name : {"variant", "problem", "convergence", "metrics"}) {
    const auto& sections = method.sections();
    const auto found = std::ranges::find(sections, name, &Section::name);
    properties[name] = found == sections.end() ? Json{{"type", "null"}} : or_null(schema_of_section(*found), true);
  }
  return {{"if", {{"properties", {{"case", {{"properties", {{"method", {{"const", method.name()}}}}}}}}}}},
          {"then", {{"properties", std::move(properties)}}}};
}

std::string_view kind_of(const Quantity& quantity) {
  constexpr std::string_view formats[] = {"", "scientific", "seconds", "ratio"};
  constexpr std::string_view types[] = {"flag", "integer", "number", "text", "object"};
  if (quantity.at == "samples") return "integer";
  if (quantity.domain.list) return quantity.domain.type == JsonType::text ? "text" : "list";
  if (quantity.format != NumberFormat::plain) return formats[static_cast<std::size_t>(quantity.format)];
  return types[static_cast<std::size_t>(quantity.domain.type)];
}

Json described(const RecordColumn& column) {
  const Quantity& quantity = column.quantity;
  return {{"name", column.name},
          {"place", column.place},
          {"heading", quantity.heading},
          {"kind", kind_of(quantity)},
          {"unit", quantity.unit},
          {"definition", quantity.definition},
          {"source", quantity.source},
          {"precision", quantity.precision},
          {"bound", quantity.bound},
          {"bound_source", quantity.bound_source},
          {"shown", quantity.role >= Role::shown},
          {"compared", quantity.role == Role::compared}};
}

Json described(const std::vector<RecordColumn>& columns) {
  Json list = Json::array();
  for (const RecordColumn& column : columns) list.push_back(described(column));
  return list;
}

void append(std::vector<RecordColumn>& all, std::vector<RecordColumn> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Returns the columns of a section of the method.
std::vector<RecordColumn> columns_of(const Method& method, std::string_view section) {
  for (const Section& one : method.sections())
    if (one.name == section) return columns_of(one.quantities, "/" + one.name);
  return {};
}

/// Returns the columns of members that every record has: those at `place`, or all.
std::vector<RecordColumn> common_columns(std::string_view place = "") {
  std::vector<RecordColumn> columns = columns_of(record_quantities(), "");
  std::erase_if(columns, [&](const RecordColumn& column) { return !column.place.starts_with(place); });
  return columns;
}

}  // namespace

std::vector<RecordColumn> record_columns(const Method& method) {
  std::vector<RecordColumn> columns = columns_of(method, "convergence");
  append(columns, common_columns("/time"));
  append(columns, common_columns("/environment"));
  for (const char* section : {"problem", "variant", "metrics"}) append(columns, columns_of(method, section));
  for (const char* place : {"/status", "/message", "/key"}) append(columns, common_columns(place));
  return columns;
}

Json schema_of_records(const std::vector<const Method*>& methods) {
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"$id", std::string(record_schema)},
      {"title", "Record of one case"},
      {"description",
       "One JSON object a case, a line of <out>/<experiment>/records.jsonl.gz. Times are in seconds, sizes in "
       "bytes. A number that does not exist is null."}};
  schema.update(schema_of(record_quantities()));
  schema["properties"]["case"]["required"] = {"method"};
  for (const Method* method : methods) schema["allOf"].push_back(rule_for(*method));
  return schema;
}

Json describe(const std::vector<const Method*>& methods) {
  Json flags = Json::array(), list = Json::array(), statuses;
  for (const auto& [name, meaning] : flag_meanings()) flags.push_back({{"name", name}, {"meaning", meaning}});
  for (const Quantity& quantity : record_quantities())
    if (quantity.at == "status") statuses = quantity.domain.choices;
  for (const Method* method : methods) {
    Json axes = Json::array();
    for (const AxisInfo& axis : method->axes())
      axes.push_back({{"name", axis.name},
                      {"kind", kind_of(quantity_of(axis))},
                      {"heading", axis.name},
                      {"summary", axis.summary}});
    std::vector<RecordColumn> columns;
    for (const Section& section : method->sections())
      append(columns, columns_of(section.quantities, "/" + section.name));
    list.push_back({{"name", method->name()},
                    {"title", method->title()},
                    {"summary", method->summary()},
                    {"proved", method->claims().proved},
                    {"unproved", method->claims().unproved},
                    {"axes", std::move(axes)},
                    {"columns", described(columns)}});
  }
  Json peaks = Json::array();
  for (const GpuPeaks& of : measured_peaks) peaks.push_back({{"gpu", of.gpu}, {"flops_per_s", of.flops_per_second}});
  return {{"schema", "pivotlab/methods/1"}, {"statuses", std::move(statuses)},        {"flags", std::move(flags)},
          {"peaks", std::move(peaks)},      {"columns", described(common_columns())}, {"methods", std::move(list)}};
}

}  // namespace pivotlab::experiments
