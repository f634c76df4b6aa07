// SPDX-License-Identifier: BSD-3-Clause
// Lines of a text file, plain or compressed by gzip, in constant memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace pivotlab::io {

class TextSource {
 public:
  explicit TextSource(const std::filesystem::path& file);
  ~TextSource();

  /// Reads the next line without its end; valid until the next call. Returns false at the end of the text.
  bool next(std::string_view& line);
  /// Returns the number of the last line of next(), from 1.
  std::uint64_t line_number() const { return line_number_; }
  /// Returns an upper bound of the text's length from the file's size and the best ratio of deflate.
  std::uint64_t longest_text() const { return longest_text_; }

  /// Throws InputError("<file>: line <line number>: <what>; <remedy>").
  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Stream;

  void refill();

  std::filesystem::path file_;
  std::unique_ptr<Stream> stream_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // remaining part of the buffer
  bool at_end_ = false;              // the file has no more data after the buffer
  std::uint64_t line_number_ = 0, longest_text_ = 0;
};

}  // namespace pivotlab::io
