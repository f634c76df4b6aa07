// Tables: the same rows for people (fixed width) and for programs (CSV, JSON). The analysis writes Markdown and LaTeX.
//
// For people, columns that would say the same in every row are told once above the table, numbers have the digits that
// mean something and stand under each other, and the table ends with a verdict. For programs every column is there, in
// full precision, and the verdict goes elsewhere. Rows are written as they come: the layout is settled beforehand from
// a preview, so that a sweep shows its cases while it runs.
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

/// What a number is, hence how many of its digits are shown: three significant ones of seconds. Bytes are shown in
/// megabytes (MiB).
enum class ColumnKind { text, integer, seconds, scientific, ratio, megabytes };

struct Column {
  std::string key;      ///< its name in CSV, JSON and --columns
  std::string heading;  ///< its name for people
  ColumnKind kind = ColumnKind::text;
  /// Told once above the table, and not in every row, when the preview has one value only.
  bool hide_constant = false;
  /// Not for people unless they name it.
  bool detail = false;
  /// Not for people where every row has the value of the column of this key (m_f where it is n).
  std::string redundant_with = {};
  /// Characters at least, for texts that come after the preview.
  std::size_t least_width = 0;
  /// Not in CSV and JSON, which have its parts in columns of their own.
  bool people_only = false;
};

/// A number to be read with care, as a noisy time: "~0.123" for people, the number alone for programs.
struct FlaggedNumber {
  double value = 0;
  bool operator==(const FlaggedNumber&) const = default;
};

/// One entry; monostate is "there is none" (a baseline has no sweeps). JSON has null for it and for an empty text.
using Cell = std::variant<std::monostate, std::string, bool, std::int64_t, double, FlaggedNumber>;
using TableRow = std::vector<Cell>;

/// A column together with where its value is found in a Source (a record, a case, …).
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

/// The column of someone who named it: always shown.
inline Column named(Column column) {
  column.hide_constant = column.detail = false;
  column.redundant_with.clear();
  return column;
}

/// The fields that a table of this format can have.
template <class Source>
std::vector<Field<Source>> fields_for(TableFormat format, std::vector<Field<Source>> fields) {
  if (format == TableFormat::csv || format == TableFormat::json)
    std::erase_if(fields, [](const Field<Source>& field) { return field.column.people_only; });
  return fields;
}

/// The named fields, in the order named; all of them if there are no names.
template <class Source>
std::vector<Field<Source>> select_fields(const std::vector<Field<Source>>& fields, std::span<const std::string> names) {
  if (names.empty()) return fields;
  std::vector<Field<Source>> selected;
  for (const std::size_t position : find_columns(columns_of(fields), names)) {
    selected.push_back({named(fields[position].column), fields[position].value});
  }
  return selected;
}

/// How it ended: "12 passed, 0 incorrect" and PASSED; the remark is a line of its own below.
struct TableVerdict {
  std::string summary, word;
  bool good = true;
  std::string remark = {};
};

/// The text of a cell for people: "-" if there is none.
std::string format_cell(const Cell& cell, ColumnKind kind);

/// Characters that a text takes on the screen (UTF-8 sequences count as one).
std::size_t display_width(std::string_view text);

/// Colour only for people: when the stream is a terminal and NO_COLOR is not set.
bool colour_allowed(int file_descriptor);

class TableWriter {
 public:
  struct Style {
    TableFormat format = TableFormat::table;
    bool colour = false;  ///< of the verdict's word
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
  std::vector<std::size_t> widths_;  ///< of all columns
  std::vector<std::size_t> shown_;   ///< positions of the columns for people; programs get all
  std::string constants_;            ///< "type d, generator paper": the line above the table
  bool first_ = true;                ///< no row has been written yet
};

/// A table whose rows are all known.
void write_table(std::ostream& data, std::ostream& notes, TableWriter::Style style, std::vector<Column> columns,
                 std::span<const TableRow> rows, const TableVerdict& verdict);

}  // namespace pivotlab::experiments
