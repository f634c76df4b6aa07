// SPDX-License-Identifier: BSD-3-Clause
// The header of a Matrix Market file, and the words and numbers of its lines.
#pragma once

#include <pivotlab/io.hpp>

#include <cstdint>
#include <string_view>

#include "generators/io/symmetry.hpp"
#include "generators/io/text_source.hpp"

namespace pivotlab::io {

enum class Format { coordinate, array };
enum class Field { real, integer, complex, pattern };

struct Header {
  Format format;
  Field field;
  Symmetry symmetry;
  Index rows = 0, cols = 0;
  std::uint64_t entries = 0;
  std::uint64_t size_line = 0;  // line of the sizes
};

/// Reads the words and numbers of one line.
class LineParser {
 public:
  LineParser(const TextSource& source, std::string_view line)
      : source_(source), next_(line.data()), end_(line.data() + line.size()) {}

  bool at_end();
  std::string_view word();
  std::int64_t integer(std::string_view name);
  /// Parses a 1-based index and returns it 0-based.
  std::int32_t index(std::string_view name, Index limit);
  double real(std::string_view name);
  /// Parses an integer of any size that a double represents.
  double integral(std::string_view name);
  void finish();

 private:
  const char* number_begin(std::string_view name);
  bool number_ends(const char* last) const;
  [[noreturn]] void not_a_number(std::string_view name, std::string_view expected);
  [[noreturn]] void too_large(std::string_view name);

  const TextSource& source_;
  const char* next_;
  const char* end_;
};

bool is_blank(char c);

/// Reads the next line that is not blank; with `comments` also not a comment. Returns false at the end of the text.
bool next_data_line(TextSource& source, std::string_view& text, bool comments);

/// Throws InputError for a header that is wrong or announces more entries than the file can hold.
Header read_header(TextSource& source);

}  // namespace pivotlab::io
