// SPDX-License-Identifier: BSD-3-Clause
// Tables: the same rows for people (fixed width) and for programs (CSV, JSON). The analysis writes Markdown and LaTeX.
//
// For people, a column with the same value in every row is printed once above the table, numbers have only significant
// digits and are aligned, and the table ends with a verdict. For programs, every column is written in full precision,
// and the verdict goes to another stream. Rows are written one by one: a preview determines the layout beforehand, so
// that a sweep shows its cases while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pivotlab::experiments {

enum class TableFormat { table, csv, json };

/// Throws InputError for an unknown name.
TableFormat table_format_from_string(std::string_view name);

/// The kind of a number determines how many digits are shown, e.g. three significant ones for seconds. Bytes are shown
/// in megabytes (MiB).
enum class ColumnKind { text, integer, seconds, scientific, ratio, megabytes };

struct Column {
  std::string key;      ///< its name in CSV, JSON and --columns
  std::string heading;  ///< its name for people
  ColumnKind kind = ColumnKind::text;
  /// The column is printed once above the table, and not in every row, if the preview has only one value.
  bool hide_constant = false;
  /// The column is shown to people only if they name it.
  bool detail = false;
  /// The column is hidden for people if every row has the same value as the column with this key (m_f if it is n).
  std::string redundant_with = {};
  /// The least width in characters, for texts that come after the preview.
  std::size_t least_width = 0;
  /// The column is not written to CSV and JSON, which have its parts as separate columns.
  bool people_only = false;
};

/// A number that needs care, such as a noisy time: "~0.123" for people, the number alone for programs.
struct FlaggedNumber {
  double value = 0;
  bool operator==(const FlaggedNumber&) const = default;
};

/// One entry; monostate means that there is no value (a baseline has no sweeps). JSON has null for monostate and for an
/// empty text.
using Cell = std::variant<std::monostate, std::string, bool, std::int64_t, double, FlaggedNumber>;
using TableRow = std::vector<Cell>;

/// A column and the function that gets its value from a Source (a record, a case, …).
template <class Source>
struct Field {
  Column column;
  std::function<Cell(const Source&)> value;
};

template <class Source>
std::vector<Column> columns_of(const std::vector<Field<Source>>& fields) {
  std::vector<Column> columns;
  for (const Field<Source>& field : fields) columns.push_back(field.column);
  return columns;
}

template <class Source>
TableRow row_of(const std::vector<Field<Source>>& fields, const Source& source) {
  TableRow row;
  for (const Field<Source>& field : fields) row.push_back(field.value(source));
  return row;
}

/// The positions of the named columns, in the order named; throws InputError, listing the columns, for an unknown name.
std::vector<std::size_t> find_columns(const std::vector<Column>& columns, std::span<const std::string> names);

/// Returns a column that the user has named: it is always shown.
inline Column named(Column column) {
  column.hide_constant = column.detail = false;
  column.redundant_with.clear();
  return column;
}

/// Returns the fields that a table of this format can have.
template <class Source>
std::vector<Field<Source>> fields_for(TableFormat format, std::vector<Field<Source>> fields) {
  if (format == TableFormat::csv || format == TableFormat::json)
    std::erase_if(fields, [](const Field<Source>& field) { return field.column.people_only; });
  return fields;
}

/// Returns the named fields, in the order named; all fields if there are no names.
template <class Source>
std::vector<Field<Source>> select_fields(const std::vector<Field<Source>>& fields, std::span<const std::string> names) {
  if (names.empty()) return fields;
  std::vector<Field<Source>> selected;
  for (const std::size_t position : find_columns(columns_of(fields), names)) {
    selected.push_back({named(fields[position].column), fields[position].value});
  }
  return selected;
}

/// The last lines of a table: "12 passed, 0 incorrect" and PASSED, then the remark on its own line.
struct TableVerdict {
  std::string summary, word;
  bool good = true;
  std::string remark = {};
};

/// The text of a cell for people: "-" if there is none.
std::string format_cell(const Cell& cell, ColumnKind kind);

/// Returns the number of characters of a text on the screen (a UTF-8 sequence counts as one).
std::size_t display_width(std::string_view text);

/// Returns whether colour may be used: the stream is a terminal and NO_COLOR is not set.
bool colour_allowed(int file_descriptor);

class TableWriter {
 public:
  struct Style {
    TableFormat format = TableFormat::table;
    bool colour = false;  ///< whether the verdict is coloured
  };

  /// Rows of the table go to `data`. A format for programs has no place for the verdict, which goes to `notes`.
  /// The preview settles which columns are constant and how wide the others are; cells that are not known yet are
  /// monostate. Throws nothing but std::bad_alloc.
  TableWriter(std::ostream& data, std::ostream& notes, Style style, std::vector<Column> columns,
              std::span<const TableRow> preview);

  void add(const TableRow& row);
  void finish(const TableVerdict& verdict);

 private:
  void settle_layout(std::span<const TableRow> preview);
  void write_line(const std::function<std::string(std::size_t)>& text_of);

  std::ostream& data_;
  std::ostream& notes_;
  Style style_;
  std::vector<Column> columns_;
  std::vector<std::size_t> widths_;  ///< widths of all columns
  std::vector<std::size_t> shown_;   ///< positions of the columns for people; programs get all
  std::string constants_;            ///< "type d, generator paper": the line above the table
  bool first_ = true;                ///< true until a row is written
};

/// Writes a table whose rows are all known.
void write_table(std::ostream& data, std::ostream& notes, TableWriter::Style style, std::vector<Column> columns,
                 std::span<const TableRow> rows, const TableVerdict& verdict);

}  // namespace pivotlab::experiments
