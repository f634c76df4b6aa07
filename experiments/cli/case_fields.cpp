// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/cli/case_fields.hpp>
#include <experiments/cli/flagged_times.hpp>
#include <experiments/commands/fact.hpp>
#include <experiments/engine/schema.hpp>
#include <experiments/own/own_name.hpp>
#include <map>
#include <nlohmann/json.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Cell;
using experiments::Column;
using experiments::ColumnKind;
using experiments::Field;

/// Returns the cell for one place of a record; marks flagged times.
Cell cell_at(const nlohmann::json& record, std::string_view place) {
  const nlohmann::json::json_pointer pointer{std::string(place)};
  if (!record.contains(pointer)) return {};
  if (place == "/time/flags") return list_of(flags_of(record));
  const auto is_below = [&](std::string_view name) { return place.starts_with(name); };
  const bool is_measured = is_below("/time/compute_s/") || is_below("/time/wall_s/") || place == "/time/gflops" ||
                           place == "/time/of_peak" || place == "/time/problem_s";
  return flagged_if(is_measured && !flags_of(record).empty(), experiments::cell_of(record.at(pointer)));
}

Column table_column(const experiments::RecordColumn& column) {
  const experiments::Quantity& quantity = column.quantity;
  std::size_t width = 0;
  for (const std::string& choice : quantity.domain.choices) width = std::max(width, choice.size());
  return {.key = column.name,
          .heading = quantity.heading,
          .kind = experiments::kind_of(quantity),
          .detail = quantity.role == experiments::Role::detail,
          .least_width = column.name == "status" ? width : 0};
}

/// Returns an option of a solver of the user's, or a value that it has given beside its results.
Cell own_cell(const CaseLine& line, const std::string& name) {
  const std::string solver = experiments::to_string(line.axes->at("solver"));
  if (!experiments::is_own_solver(solver)) return {};
  const auto options = experiments::parse_own_solver(solver).options;
  if (const auto option = options.find(name); option != options.end()) return to_cell(option->second);
  const nlohmann::json::json_pointer place("/own/values/" + name);
  if (line.record == nullptr || !line.record->contains(place)) return {};
  return experiments::cell_of(line.record->at(place));
}

}  // namespace

namespace detail {

Column axis_column(const experiments::AxisInfo& axis) {
  const bool is_integer = std::holds_alternative<std::int64_t>(axis.default_value);
  const bool is_number = std::holds_alternative<double>(axis.default_value);
  Column column{axis.name, axis.name,
                is_integer  ? ColumnKind::integer
                : is_number ? ColumnKind::scientific
                            : ColumnKind::text};
  column.hide_constant = true;
  column.redundant_with = axis.multiple_of;
  return column;
}

Cell axis_cell(const experiments::Case& axes, const std::string& name) {
  const auto found = axes.find(name);
  return found == axes.end() ? Cell{} : to_cell(found->second);
}

}  // namespace detail

Cell to_cell(const experiments::Value& value) {
  return std::visit([](const auto& one) { return Cell(one); }, value);
}

std::vector<std::string> compared_metrics(const experiments::Method& method) {
  std::vector<std::string> names;
  for (const experiments::RecordColumn& column : record_columns(method))
    if (column.quantity.role == experiments::Role::compared && column.place.starts_with("/metrics/"))
      names.push_back(column.name);
  return names;
}

std::vector<Field<CaseLine>> record_fields(const experiments::Method& method) {
  auto fields =
      axis_fields<CaseLine>(method, [](const CaseLine& line) -> const experiments::Case& { return *line.axes; });
  for (const experiments::RecordColumn& one : record_columns(method))
    if (one.quantity.role >= experiments::Role::detail)
      fields.push_back({table_column(one), [place = one.place](const CaseLine& line) {
                          return line.record == nullptr ? Cell{} : cell_at(*line.record, place);
                        }});
  return fields;
}

std::vector<Field<CaseLine>> own_fields(const experiments::Plan& plan, const std::vector<std::string>& columns) {
  constexpr std::string_view prefix = "own.";
  std::map<std::string, ColumnKind> names;
  bool has_own = false;
  for (const experiments::PlannedCase& planned : plan.cases) {
    const std::string solver = experiments::to_string(planned.axes.at("solver"));
    if (!experiments::is_own_solver(solver)) continue;
    has_own = true;
    for (const auto& [name, value] : experiments::parse_own_solver(solver).options) names[name] = ColumnKind::text;
  }
  for (const std::string& column : columns)
    if (has_own && column.starts_with(prefix)) names.try_emplace(column.substr(prefix.size()), ColumnKind::scientific);
  std::vector<Field<CaseLine>> fields;
  for (const auto& [name, kind] : names) {
    const std::string key = std::string(prefix) + name;
    fields.push_back({{.key = key, .heading = key, .kind = kind},
                      [name = name](const CaseLine& line) { return own_cell(line, name); }});
  }
  return fields;
}

}  // namespace pivotlab::cli
