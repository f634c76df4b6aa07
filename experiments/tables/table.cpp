// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <experiments/tables/table.hpp>
#include <nlohmann/json.hpp>
#include <optional>
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

// Returns the width of a column for numbers that are not known yet.
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

/// Writes the verdict and its remark, each on its own line; an empty one is left out.
void write_verdict(std::ostream& out, const TableVerdict& verdict, bool colour = false) {
  const char* begin = !colour ? "" : verdict.good ? "\033[1;32m" : "\033[1;31m";
  const char* end = colour ? "\033[0m" : "";
  if (!verdict.summary.empty() || !verdict.word.empty())
    out << verdict.summary << (verdict.summary.empty() || verdict.word.empty() ? "" : "  ") << begin << verdict.word
        << end << '\n';
  if (!verdict.remark.empty()) out << verdict.remark << '\n';
  out << std::flush;
}

/// Returns the number of the cell, flagged or not, as CSV and JSON have it.
std::optional<double> finite_number(const Cell& cell) {
  const auto* flagged = std::get_if<FlaggedNumber>(&cell);
  const double* number = flagged != nullptr ? &flagged->value : std::get_if<double>(&cell);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

// RFC 4180.
std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::string csv_cell(const Cell& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return csv_quoted(on_terminal(*text));
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto number = finite_number(value)) return fmt::format("{}", *number);
  return "";
}

nlohmann::ordered_json json_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell); text && !text->empty()) return *text;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
  if (const auto number = finite_number(cell)) return *number;
  return nullptr;
}

}  // namespace

TableFormat table_format_from_string(std::string_view name) {
  if (name == "table") return TableFormat::table;
  if (name == "csv") return TableFormat::csv;
  if (name == "json") return TableFormat::json;
  const std::string analysis = name == "markdown" || name == "latex"
                                   ? fmt::format("; pivotlab report DIR --tables {} writes the tables of a run", name)
                                   : "";
  throw InputError(fmt::format("--format: '{}' is not a table format; choose table, csv or json{}", name, analysis));
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
    : data_(data), notes_(notes), style_(style), columns_(std::move(columns)) {
  switch (style_.format) {
    case TableFormat::table:
      settle_layout(preview);
      if (!constants_.empty()) data_ << constants_ << '\n';
      write_line([&](std::size_t k) { return columns_[k].heading; });
      write_line([&](std::size_t k) { return std::string(widths_[k], '-'); });
      break;
    case TableFormat::csv:
      for (std::size_t k = 0; k < columns_.size(); ++k) data_ << (k == 0 ? "" : ",") << csv_quoted(columns_[k].key);
      data_ << std::endl;
      break;
    case TableFormat::json:
      data_ << '[';
      break;
  }
}

void TableWriter::settle_layout(std::span<const TableRow> preview) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Column& column = columns_[k];
    widths_.push_back(width_of(column, preview, k));
    if (column.detail || is_redundant(columns_, preview, k)) continue;
    if (column.hide_constant && !preview.empty() && is_constant(preview, k)) {
      const Cell& value = preview.front()[k];
      if (!std::holds_alternative<std::monostate>(value))
        constants_ +=
            fmt::format("{}{} {}", constants_.empty() ? "" : ", ", column.heading, format_cell(value, column.kind));
    } else {
      shown_.push_back(k);
    }
  }
}

/// Writes one line of the fixed-width table and flushes it, so that a row appears as soon as its case is done.
void TableWriter::write_line(const std::function<std::string(std::size_t)>& text_of) {
  std::string line;
  for (const std::size_t k : shown_) {
    if (!line.empty()) line += "  ";
    line += columns_[k].kind == ColumnKind::text ? fmt::format("{:<{}}", text_of(k), widths_[k])
                                                 : fmt::format("{:>{}}", text_of(k), widths_[k]);
  }
  data_ << line.substr(0, line.find_last_not_of(' ') + 1) << std::endl;
}

void TableWriter::add(const TableRow& row) {
  switch (style_.format) {
    case TableFormat::table:
      write_line([&](std::size_t k) { return format_cell(row[k], columns_[k].kind); });
      break;
    case TableFormat::csv:
      for (std::size_t k = 0; k < row.size(); ++k) data_ << (k == 0 ? "" : ",") << csv_cell(row[k]);
      data_ << std::endl;
      break;
    case TableFormat::json:
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (std::size_t k = 0; k < row.size(); ++k) object[columns_[k].key] = json_cell(row[k]);
      data_ << (first_ ? "\n  " : ",\n  ") << object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)
            << std::flush;
      break;
  }
  first_ = false;
}

void TableWriter::finish(const TableVerdict& verdict) {
  if (style_.format == TableFormat::table) {
    if (!verdict.summary.empty() || !verdict.word.empty()) data_ << '\n';
    return write_verdict(data_, verdict, style_.colour);
  }
  if (style_.format == TableFormat::json) data_ << (first_ ? "]" : "\n]") << std::endl;
  write_verdict(notes_, verdict);
}

void write_table(std::ostream& data, std::ostream& notes, TableWriter::Style style, std::vector<Column> columns,
                 std::span<const TableRow> rows, const TableVerdict& verdict) {
  TableWriter writer(data, notes, style, std::move(columns), rows);
  for (const TableRow& row : rows) writer.add(row);
  writer.finish(verdict);
}

}  // namespace pivotlab::experiments
