#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <experiments/tables/table.hpp>
#include <experiments/tables/table_formats.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::experiments {
namespace {

/// Three significant digits, and all digits of whole seconds: "0.000123", "12.3", "1234"; "1.23e-05" below 1e-4.
std::string format_seconds(double value) {
  if (value == 0) return "0";
  const std::string rounded = fmt::format("{:.2e}", value);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  return exponent < -4 ? rounded : fmt::format("{:.{}f}", value, std::max(0, 2 - exponent));
}

std::string format_number(double value, ColumnKind kind) {
  if (!std::isfinite(value)) return "-";
  switch (kind) {
    case ColumnKind::seconds:
      return format_seconds(value);
    case ColumnKind::scientific:
      return fmt::format("{:.2e}", value);
    case ColumnKind::ratio:
      return fmt::format("{:.3f}", value);
    case ColumnKind::megabytes:
      return fmt::format("{:.1f}", value / (1024.0 * 1024.0));
    case ColumnKind::integer:
      return fmt::format("{:.0f}", value);
    case ColumnKind::text:
      break;
  }
  return fmt::format("{}", value);
}

// What the shape of a column's numbers needs before they are known.
std::size_t usual_width(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::seconds:
      return std::size("~0.000123") - 1;
    case ColumnKind::scientific:
      return std::size("1.23e-16") - 1;
    case ColumnKind::ratio:
      return std::size("12.345") - 1;
    default:
      return 1;
  }
}

bool is_constant(std::span<const TableRow> rows, std::size_t column) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const TableRow& row) { return row[column] == rows.front()[column]; });
}

std::size_t width_of(const Column& column, std::span<const TableRow> rows, std::size_t position) {
  std::size_t width = std::max({display_width(column.heading), usual_width(column.kind), column.least_width});
  for (const TableRow& row : rows) width = std::max(width, display_width(format_cell(row[position], column.kind)));
  return width;
}

bool is_redundant(const std::vector<Column>& columns, std::span<const TableRow> rows, std::size_t column) {
  const auto other = std::find_if(columns.begin(), columns.end(), [&](const Column& candidate) {
    return candidate.key == columns[column].redundant_with;
  });
  if (columns[column].redundant_with.empty() || other == columns.end()) return false;
  const auto position = static_cast<std::size_t>(other - columns.begin());
  return std::all_of(rows.begin(), rows.end(), [&](const TableRow& row) { return row[column] == row[position]; });
}

TableLayout settle_layout(std::vector<Column> columns, std::span<const TableRow> preview) {
  TableLayout layout;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Column& column = columns[k];
    layout.widths.push_back(width_of(column, preview, k));
    if (column.detail || is_redundant(columns, preview, k)) continue;
    if (column.hide_constant && !preview.empty() && is_constant(preview, k)) {
      const Cell& value = preview.front()[k];
      if (!std::holds_alternative<std::monostate>(value))
        layout.constants += fmt::format("{}{} {}", layout.constants.empty() ? "" : ", ", column.heading,
                                        format_cell(value, column.kind));
    } else {
      layout.shown.push_back(k);
    }
  }
  layout.columns = std::move(columns);
  return layout;
}

}  // namespace

TableFormat table_format_from_string(std::string_view name) {
  if (name == "table") return TableFormat::table;
  if (name == "csv") return TableFormat::csv;
  if (name == "json") return TableFormat::json;
  if (name == "markdown") return TableFormat::markdown;
  if (name == "latex") return TableFormat::latex;
  throw InputError(fmt::format("--format: '{}' is no table format; choose table, csv, json, markdown or latex", name));
}

std::vector<std::size_t> find_columns(const std::vector<Column>& columns, std::span<const std::string> names) {
  std::vector<std::size_t> positions;
  for (const std::string& name : names) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.key == name; });
    if (found == columns.end()) {
      std::string keys;
      for (const Column& column : columns) keys += (keys.empty() ? "" : ", ") + column.key;
      throw InputError(fmt::format("--columns: no column is called '{}'; choose from {}", name, keys));
    }
    positions.push_back(static_cast<std::size_t>(found - columns.begin()));
  }
  return positions;
}

std::string format_cell(const Cell& cell, ColumnKind kind) {
  if (const auto* text = std::get_if<std::string>(&cell)) return on_terminal(*text);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&cell)) return format_number(*number, kind);
  if (const auto* flagged = std::get_if<FlaggedNumber>(&cell))
    return (std::isfinite(flagged->value) ? "~" : "") + format_number(flagged->value, kind);
  return "-";
}

std::size_t display_width(std::string_view text) {
  const auto is_continuation = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

bool colour_allowed(int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(file_descriptor) != 0 && (no_color == nullptr || *no_color == '\0');
}

TableWriter::TableWriter(std::ostream& data, std::ostream& notes, Style style, std::vector<Column> columns,
                         std::span<const TableRow> preview)
    : format_(make_format(data, notes, style, settle_layout(std::move(columns), preview))) {
  format_->begin();
}

TableWriter::~TableWriter() = default;

void TableWriter::add(const TableRow& row) {
  format_->row(row);
}
void TableWriter::finish(const TableVerdict& verdict) {
  format_->end(verdict);
}

void write_table(std::ostream& data, std::ostream& notes, TableWriter::Style style, std::vector<Column> columns,
                 std::span<const TableRow> rows, const TableVerdict& verdict) {
  TableWriter writer(data, notes, style, std::move(columns), rows);
  for (const TableRow& row : rows) writer.add(row);
  writer.finish(verdict);
}

}  // namespace pivotlab::experiments
