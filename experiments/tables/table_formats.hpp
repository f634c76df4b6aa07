// Inside of the tables: how each format writes a settled layout.
#pragma once

#include <experiments/tables/table.hpp>

namespace pivotlab::experiments {

/// Which columns are shown, how wide they are, and the line that tells the constant ones.
struct TableLayout {
  std::vector<Column> columns;      ///< all
  std::vector<std::size_t> widths;  ///< of all
  std::vector<std::size_t> shown;   ///< positions, for people; programs get all
  std::string constants;            ///< "type d, generator paper"
};

class TableWriter::Format {
 public:
  Format(std::ostream& data, TableLayout layout) : data_(data), layout_(std::move(layout)) {}
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;
  virtual ~Format() = default;

  virtual void begin() = 0;
  virtual void row(const TableRow& row) = 0;
  virtual void end(const TableVerdict& verdict) = 0;

 protected:
  std::ostream& data_;
  TableLayout layout_;
};

std::unique_ptr<TableWriter::Format> make_format(std::ostream& data, std::ostream& notes, TableWriter::Style style,
                                                 TableLayout layout);

}  // namespace pivotlab::experiments
