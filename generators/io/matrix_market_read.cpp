#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "generators/io/check.hpp"
#include "generators/io/matrix_market.hpp"
#include "generators/io/text_source.hpp"

namespace pivotlab::io {
namespace {

constexpr std::string_view banner_rule =
    "it must read '%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
    "general|symmetric|hermitian|skew-symmetric'";

enum class Format { coordinate, array };
enum class Field { real, integer, complex, pattern };

struct Header {
  Format format;
  Field field;
  Symmetry symmetry;
  Index rows = 0, cols = 0;
  std::uint64_t entries = 0;
  std::uint64_t size_line = 0;  // where the sizes stand
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/// Reads the words and numbers of one line.
class LineParser {
 public:
  LineParser(const TextSource& source, std::string_view line)
      : source_(source), next_(line.data()), end_(line.data() + line.size()) {}

  bool at_end() {
    while (next_ != end_ && is_blank(*next_)) ++next_;
    return next_ == end_;
  }

  std::string_view word() {
    if (at_end()) return {};
    const char* first = next_;
    next_ = std::find_if(next_, end_, is_blank);
    return {first, static_cast<std::size_t>(next_ - first)};
  }

  std::int64_t integer(std::string_view name) {
    std::int64_t value = 0;
    const char* first = number_begin(name);
    const auto [last, error] = std::from_chars(first, end_, value);
    if (!number_ends(last)) not_a_number(name, "an integer");
    if (error == std::errc::result_out_of_range) too_large(name);
    next_ = last;
    return value;
  }

  /// A 1-based index, given from 0.
  std::int32_t index(std::string_view name, Index limit) {
    const auto value = integer(name);
    if (value < 1 || value > limit)
      source_.fail(fmt::format("{} {} lies outside 1..{}", name, value, limit), "correct the index or the size line");
    return static_cast<std::int32_t>(value - 1);
  }

  double real(std::string_view name) {
    double value = 0;
    const char* first = number_begin(name);
    const auto [last, error] = std::from_chars(first, end_, value);
    if (!number_ends(last)) not_a_number(name, "a number");
    // from_chars does not tell overflow from underflow; strtod needs a terminated string.
    if (error == std::errc::result_out_of_range) value = std::strtod(std::string(first, last).c_str(), nullptr);
    if (!std::isfinite(value))
      source_.fail(fmt::format("{} {} is NaN, infinite or beyond the range of double", name,
                               printable({first, static_cast<std::size_t>(last - first)})),
                   "give finite numbers");
    next_ = last;
    return value;
  }

  void finish() {
    if (!at_end())
      source_.fail(fmt::format("{} follows a complete entry", printable(word())), "write one entry a line");
  }

 private:
  const char* number_begin(std::string_view name) {
    if (at_end()) source_.fail(fmt::format("the {} is missing", name), "complete the line");
    // A plus sign is allowed in the format, but not in from_chars.
    return *next_ == '+' && end_ - next_ > 1 && next_[1] != '-' ? next_ + 1 : next_;
  }
  bool number_ends(const char* last) const { return last > next_ && (last == end_ || is_blank(*last)); }
  [[noreturn]] void not_a_number(std::string_view name, std::string_view expected) {
    source_.fail(fmt::format("{} {} is not {}", name, printable(word()), expected), "correct the line");
  }
  [[noreturn]] void too_large(std::string_view name) {
    source_.fail(fmt::format("{} {} is too large", name, printable(word())), "correct the line");
  }

  const TextSource& source_;
  const char* next_;
  const char* end_;
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

/// The value of a banner word, one of `names` in the order of the enumeration.
template <class Enum, std::size_t count>
Enum choice(const TextSource& source, LineParser& line, std::string_view what,
            const std::array<std::string_view, count>& names) {
  const auto word = line.word();
  const auto found = std::find(names.begin(), names.end(), lower(word));
  if (found == names.end())
    source.fail(word.empty() ? fmt::format("the banner ends before the {}", what)
                             : fmt::format("unknown {} {} in the banner", what, printable(word)),
                banner_rule);
  return static_cast<Enum>(found - names.begin());
}

Header read_banner(TextSource& source) {
  std::string_view text;
  source.next(text);
  LineParser line(source, text);
  if (lower(line.word()) != "%%matrixmarket") source.fail("no Matrix Market banner", banner_rule);
  if (const auto object = line.word(); lower(object) != "matrix")
    source.fail(fmt::format("unknown object {} in the banner", printable(object)), banner_rule);
  using Names2 = std::array<std::string_view, 2>;
  using Names4 = std::array<std::string_view, 4>;
  const auto format = choice<Format>(source, line, "format", Names2{"coordinate", "array"});
  const auto field = choice<Field>(source, line, "field", Names4{"real", "integer", "complex", "pattern"});
  const auto symmetry =
      choice<Symmetry>(source, line, "symmetry", Names4{"general", "symmetric", "hermitian", "skew-symmetric"});
  if (!line.at_end()) source.fail(fmt::format("{} follows the banner", printable(line.word())), banner_rule);
  if (field == Field::pattern && format == Format::array)
    source.fail("an array cannot be a pattern", "declare it real or give coordinates");
  if (field == Field::pattern && symmetry == Symmetry::skew_symmetric)
    source.fail("a pattern cannot be skew-symmetric", "declare it symmetric or give values");
  if (field != Field::complex && symmetry == Symmetry::hermitian)
    source.fail("only a complex matrix can be hermitian", "declare it symmetric");
  return {format, field, symmetry};
}

/// Skips comments (before the sizes only) and blank lines.
bool next_data_line(TextSource& source, std::string_view& text, bool comments) {
  while (source.next(text)) {
    if (comments && text.starts_with('%')) continue;
    if (!std::all_of(text.begin(), text.end(), is_blank)) return true;
  }
  return false;
}

std::uint64_t stored_entries(const Header& header) {
  const auto n = static_cast<std::uint64_t>(header.cols);
  switch (header.symmetry) {
    case Symmetry::general:
      return static_cast<std::uint64_t>(header.rows) * n;
    case Symmetry::skew_symmetric:
      return n * (n - 1) / 2;
    default:
      return n * (n + 1) / 2;
  }
}

Header read_header(TextSource& source) {
  auto header = read_banner(source);
  std::string_view text;
  if (!next_data_line(source, text, true)) source.fail("the file ends before the size line", "complete the file");
  header.size_line = source.line_number();
  LineParser line(source, text);
  header.rows = line.integer("number of rows");
  header.cols = line.integer("number of columns");
  const auto entries = header.format == Format::coordinate ? line.integer("number of entries") : 0;
  if (!line.at_end()) source.fail(fmt::format("{} follows the sizes", printable(line.word())), "correct the size line");
  if (header.rows < 1 || header.cols < 1 || entries < 0)
    source.fail("the sizes are not positive", "give a matrix with at least one row and one column");
  if (std::max(header.rows, header.cols) > std::numeric_limits<std::int32_t>::max())
    source.fail(fmt::format("a {} x {} matrix is too large", header.rows, header.cols), "correct the size line");
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    source.fail(fmt::format("a {} x {} matrix cannot be symmetric", header.rows, header.cols),
                "declare it general or correct the size line");
  header.entries = header.format == Format::coordinate ? static_cast<std::uint64_t>(entries) : stored_entries(header);

  // Before any allocation: "1 1\n" is the shortest coordinate entry, "1\n" the shortest of an array.
  const std::uint64_t shortest = header.format == Format::coordinate ? 4 : 2;
  if (header.entries > (source.longest_text() + 1) / shortest)
    source.fail(fmt::format("{} entries are announced, more than a file of this size can hold", header.entries),
                "the file is truncated or the size line is wrong");
  return header;
}

/// Next entry's line, or InputError because the file ends before.
std::string_view next_entry(TextSource& source, const Header& header, std::uint64_t done) {
  std::string_view text;
  if (!next_data_line(source, text, false))
    source.fail(fmt::format("the file ends after {} of the {} entries announced in line {}", done, header.entries,
                            header.size_line),
                "the file is truncated or the size line is wrong");
  return text;
}

void require_end(TextSource& source, const Header& header) {
  std::string_view text;
  if (next_data_line(source, text, false))
    source.fail(fmt::format("more than the {} entries announced in line {}", header.entries, header.size_line),
                "remove the rest or correct the size line");
}

template <class T>
T read_value(const TextSource& source, LineParser& line, Field field) {
  if constexpr (is_complex<T>) {
    const double re = line.real("real part");
    return {re, line.real("imaginary part")};
  } else if (field == Field::pattern) {
    return 1;
  } else if (field == Field::integer) {
    const auto value = line.integer("value");
    constexpr auto largest = std::int64_t{1} << std::numeric_limits<double>::digits;
    if (value < -largest || value > largest)
      source.fail(fmt::format("value {} is beyond 2^53, where double skips integers", value),
                  "declare the matrix real");
    return static_cast<double>(value);
  } else {
    return line.real("value");
  }
}

template <class T>
void require_triangle(const TextSource& source, Symmetry symmetry, Index row, Index col, const T& value) {
  if (symmetry == Symmetry::general) return;
  if (row < col)
    source.fail(fmt::format("entry ({}, {}) lies above the diagonal of a matrix stored by its lower triangle", row + 1,
                            col + 1),
                "store the lower triangle only or declare the matrix general");
  if (row == col && symmetry == Symmetry::skew_symmetric)
    source.fail(fmt::format("entry ({0}, {0}) lies on the diagonal of a skew-symmetric matrix", row + 1),
                "leave the diagonal out");
  if constexpr (is_complex<T>)
    if (row == col && symmetry == Symmetry::hermitian && value.imag() != 0)
      source.fail(fmt::format("the diagonal entry ({0}, {0}) of a hermitian matrix is not real", row + 1),
                  "make it real or declare the matrix general");
}

/// Orders the entries by columns and adds up those of one place, in the order of the file.
template <class T>
void canonicalize(const TextSource& source, Triplets<T>& sparse) {
  using Entry = typename Triplets<T>::Entry;
  auto& entries = sparse.entries;
  const auto place = [](const Entry& e) { return std::pair(e.col, e.row); };
  const auto before = [&](const Entry& a, const Entry& b) { return place(a) < place(b); };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::stable_sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && place(entries[kept - 1]) == place(entries[i]))
      entries[kept - 1].value += entries[i].value;
    else
      entries[kept++] = entries[i];
  }
  if (kept == entries.size()) return;
  entries.resize(kept);
  for (const auto& [row, col, value] : entries)
    if (!std::isfinite(std::abs(real_part(value))) || !std::isfinite(std::imag(value)))
      fail(source.file(), fmt::format("entry ({}, {})", row + 1, col + 1), "the sum of its duplicates overflows",
           "store every entry once");
}

template <class T>
Triplets<T> read_coordinates(TextSource& source, const Header& header) {
  Triplets<T> sparse{header.rows, header.cols, header.symmetry, {}};
  sparse.entries.reserve(header.entries);
  for (std::uint64_t k = 0; k < header.entries; ++k) {
    LineParser line(source, next_entry(source, header, k));
    const auto row = line.index("row", header.rows);
    const auto col = line.index("column", header.cols);
    const T value = read_value<T>(source, line, header.field);
    line.finish();
    require_triangle(source, header.symmetry, row, col, value);
    sparse.entries.push_back({row, col, value});
  }
  require_end(source, header);
  canonicalize(source, sparse);
  return sparse;
}

template <class T>
Matrix<T> read_array(TextSource& source, const Header& header) {
  Matrix<T> A(header.rows, header.cols);
  std::uint64_t done = 0;
  for (Index j = 0; j < header.cols; ++j)
    for (Index i = first_row(j, header.symmetry); i < header.rows; ++i) {
      LineParser line(source, next_entry(source, header, done++));
      A(i, j) = read_value<T>(source, line, header.field);
      line.finish();
      require_triangle(source, header.symmetry, i, j, A(i, j));
    }
  require_end(source, header);
  complete(A.view(), header.symmetry);
  return A;
}

template <class T>
Matrix<T> read_dense(TextSource& source, const Header& header) {
  require_fits(source.file(), fmt::format("line {}", header.size_line), static_cast<std::uint64_t>(header.rows),
               static_cast<std::uint64_t>(header.cols), sizeof(T));
  if (header.format == Format::array) return read_array<T>(source, header);
  return to_dense(read_coordinates<T>(source, header));
}

}  // namespace

AnyTriplets read_triplets(const std::filesystem::path& file) {
  TextSource source(file);
  const auto header = read_header(source);
  if (header.format == Format::array) fail(file, "", "holds a dense array", "give a coordinate file");
  if (header.field == Field::complex) return read_coordinates<std::complex<double>>(source, header);
  return read_coordinates<double>(source, header);
}

AnyMatrix read_matrix_market(const std::filesystem::path& file) {
  TextSource source(file);
  const auto header = read_header(source);
  if (header.field == Field::complex) return read_dense<std::complex<double>>(source, header);
  return read_dense<double>(source, header);
}

MatrixShape read_matrix_market_shape(const std::filesystem::path& file) {
  TextSource source(file);
  const auto header = read_header(source);
  return {header.field == Field::complex ? ScalarType::z : ScalarType::d, header.rows, header.cols};
}

}  // namespace pivotlab::io
