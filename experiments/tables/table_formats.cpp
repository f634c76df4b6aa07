#include <fmt/format.h>

#include <cmath>
#include <experiments/tables/table_formats.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <support/text/terminal.hpp>

namespace pivotlab::experiments {
namespace {

using Format = TableWriter::Format;

bool is_numeric(const Column& column) {
  return column.kind != ColumnKind::text;
}

std::string pad(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return right ? blanks + text : text + blanks;
}

/// The verdict and its remark, a line each behind `prefix`; nothing of an empty one.
void write_verdict(std::ostream& out, const TableVerdict& verdict, const char* prefix = "", bool colour = false) {
  const char* begin = !colour ? "" : verdict.good ? "\033[1;32m" : "\033[1;31m";
  const char* end = colour ? "\033[0m" : "";
  if (!verdict.summary.empty() || !verdict.word.empty())
    out << prefix << verdict.summary << (verdict.summary.empty() || verdict.word.empty() ? "" : "  ") << begin
        << verdict.word << end << '\n';
  if (!verdict.remark.empty()) out << prefix << verdict.remark << '\n';
  out << std::flush;
}

/// What programs get of a number, flagged or not.
std::optional<double> finite_number(const Cell& cell) {
  const auto* flagged = std::get_if<FlaggedNumber>(&cell);
  const double* number = flagged != nullptr ? &flagged->value : std::get_if<double>(&cell);
  return number != nullptr && std::isfinite(*number) ? std::optional(*number) : std::nullopt;
}

class FixedWidth final : public Format {
 public:
  FixedWidth(std::ostream& data, TableLayout layout, bool colour) : Format(data, std::move(layout)), colour_(colour) {}

  void begin() override {
    if (!layout_.constants.empty()) data_ << layout_.constants << '\n';
    std::string headings, rule;
    for (const std::size_t k : layout_.shown) {
      append(headings, layout_.columns[k].heading, k);
      append(rule, std::string(layout_.widths[k], '-'), k);
    }
    data_ << trimmed(headings) << '\n' << rule << std::endl;
  }

  void row(const TableRow& row) override {
    std::string line;
    for (const std::size_t k : layout_.shown) append(line, format_cell(row[k], layout_.columns[k].kind), k);
    data_ << trimmed(line) << std::endl;  // each row is seen as soon as its case is done
  }

  void end(const TableVerdict& verdict) override {
    if (!verdict.summary.empty() || !verdict.word.empty()) data_ << '\n';
    write_verdict(data_, verdict, "", colour_);
  }

 private:
  void append(std::string& line, const std::string& text, std::size_t k) const {
    if (!line.empty()) line += "  ";
    line += pad(text, layout_.widths[k], is_numeric(layout_.columns[k]));
  }
  static std::string_view trimmed(std::string_view line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

  bool colour_;
};

class Markdown final : public Format {
 public:
  using Format::Format;

  void begin() override {
    if (!layout_.constants.empty()) data_ << layout_.constants << "\n\n";
    std::string headings = "|", rule = "|";
    for (const std::size_t k : layout_.shown) {
      headings += ' ' + escape(layout_.columns[k].heading) + " |";
      rule += is_numeric(layout_.columns[k]) ? "---:|" : "---|";
    }
    data_ << headings << '\n' << rule << std::endl;
  }

  void row(const TableRow& row) override {
    std::string line = "|";
    for (const std::size_t k : layout_.shown) line += ' ' + escape(format_cell(row[k], layout_.columns[k].kind)) + " |";
    data_ << line << std::endl;
  }

  void end(const TableVerdict& verdict) override {
    if (!verdict.summary.empty() || !verdict.word.empty()) data_ << '\n';
    write_verdict(data_, verdict);
  }

 private:
  static std::string escape(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
    return result;
  }
};

class Latex final : public Format {
 public:
  using Format::Format;

  void begin() override {
    if (!layout_.constants.empty()) data_ << "% " << layout_.constants << '\n';
    std::string alignment, headings;
    for (const std::size_t k : layout_.shown) {
      alignment += is_numeric(layout_.columns[k]) ? 'r' : 'l';
      headings += (headings.empty() ? "" : " & ") + escape(layout_.columns[k].heading);
    }
    data_ << "\\begin{tabular}{" << alignment << "}\n\\toprule\n" << headings << " \\\\\n\\midrule" << std::endl;
  }

  void row(const TableRow& row) override {
    std::string line;
    bool first = true;
    for (const std::size_t k : layout_.shown) {
      line += (std::exchange(first, false) ? "" : " & ") + cell(row[k], layout_.columns[k].kind);
    }
    data_ << line << " \\\\" << std::endl;
  }

  void end(const TableVerdict& verdict) override {
    data_ << "\\bottomrule\n\\end{tabular}" << std::endl;
    write_verdict(data_, verdict, "% ");
  }

 private:
  // 1.23e-14 becomes $1.23\cdot10^{-14}$.
  static std::string cell(const Cell& value, ColumnKind kind) {
    if (const auto* flagged = std::get_if<FlaggedNumber>(&value)) return "$\\sim$" + cell(flagged->value, kind);
    const std::string text = format_cell(value, kind);
    const auto exponent = text.find('e');
    const bool has_power = kind == ColumnKind::scientific || kind == ColumnKind::seconds;
    if (!has_power || exponent == std::string::npos) return escape(text);
    return fmt::format("${}\\cdot10^{{{}}}$", text.substr(0, exponent), std::stoi(text.substr(exponent + 1)));
  }

  static std::string escape(const std::string& text) {
    std::string result;
    for (const char c : text) {
      switch (c) {
        case '\\':
          result += "\\textbackslash{}";
          break;
        case '~':
          result += "\\textasciitilde{}";
          break;
        case '^':
          result += "\\textasciicircum{}";
          break;
        case '_':
        case '%':
        case '&':
        case '#':
        case '$':
        case '{':
        case '}':
          result += '\\';
          [[fallthrough]];
        default:
          result += c;
      }
    }
    return result;
  }
};

class Csv final : public Format {
 public:
  Csv(std::ostream& data, std::ostream& notes, TableLayout layout) : Format(data, std::move(layout)), notes_(notes) {}

  void begin() override {
    std::string line;
    for (const Column& column : layout_.columns) line += (line.empty() ? "" : ",") + quote(column.key);
    data_ << line << std::endl;
  }

  void row(const TableRow& row) override {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += (k == 0 ? "" : ",") + cell(row[k]);
    data_ << line << std::endl;
  }

  void end(const TableVerdict& verdict) override { write_verdict(notes_, verdict); }

 private:
  static std::string cell(const Cell& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return quote(on_terminal(*text));
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *integer);
    if (const auto number = finite_number(value)) return fmt::format("{}", *number);
    return "";
  }

  // RFC 4180.
  static std::string quote(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
  }

  std::ostream& notes_;
};

class Json final : public Format {
 public:
  Json(std::ostream& data, std::ostream& notes, TableLayout layout) : Format(data, std::move(layout)), notes_(notes) {}

  void begin() override { data_ << '['; }

  void row(const TableRow& row) override {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t k = 0; k < row.size(); ++k) object[layout_.columns[k].key] = value(row[k]);
    data_ << (std::exchange(first_, false) ? "\n  " : ",\n  ")
          << object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) << std::flush;
  }

  void end(const TableVerdict& verdict) override {
    data_ << (first_ ? "]" : "\n]") << std::endl;
    write_verdict(notes_, verdict);
  }

 private:
  static nlohmann::ordered_json value(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell); text && !text->empty()) return *text;
    if (const auto* flag = std::get_if<bool>(&cell)) return *flag;
    if (const auto* integer = std::get_if<std::int64_t>(&cell)) return *integer;
    if (const auto number = finite_number(cell)) return *number;
    return nullptr;
  }

  std::ostream& notes_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Format> make_format(std::ostream& data, std::ostream& notes, TableWriter::Style style,
                                    TableLayout layout) {
  switch (style.format) {
    case TableFormat::csv:
      return std::make_unique<Csv>(data, notes, std::move(layout));
    case TableFormat::json:
      return std::make_unique<Json>(data, notes, std::move(layout));
    case TableFormat::markdown:
      return std::make_unique<Markdown>(data, std::move(layout));
    case TableFormat::latex:
      return std::make_unique<Latex>(data, std::move(layout));
    case TableFormat::table:
      break;
  }
  return std::make_unique<FixedWidth>(data, std::move(layout), style.colour);
}

}  // namespace pivotlab::experiments
