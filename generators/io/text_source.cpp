// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/text_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "generators/io/check.hpp"

namespace pivotlab::io {
namespace {

constexpr std::size_t buffer_size = 1 << 18;  // also the longest line
constexpr std::uint64_t best_deflate_ratio = 1032;

}  // namespace

struct TextSource::Stream {
  explicit Stream(gzFile opened) : file(opened) {}
  ~Stream() { gzclose_r(file); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  gzFile file;
};

TextSource::TextSource(const std::filesystem::path& file) : file_(file), buffer_(buffer_size) {
  const auto bytes = require_readable(file);
  const auto opened = gzopen(file.c_str(), "rb");
  if (opened == nullptr) io::fail(file, "", std::generic_category().message(errno), "check the file");
  stream_ = std::make_unique<Stream>(opened);
  gzbuffer(opened, buffer_size);
  longest_text_ = gzdirect(opened) != 0 ? bytes : best_deflate_ratio * bytes;
}

TextSource::~TextSource() = default;

bool TextSource::next(std::string_view& line) {
  ++line_number_;
  for (;;) {
    const char* first = buffer_.data() + begin_;
    const auto length = end_ - begin_;
    if (const auto newline = static_cast<const char*>(std::memchr(first, '\n', length))) {
      line = {first, static_cast<std::size_t>(newline - first)};
      begin_ += line.size() + 1;
      return true;
    }
    if (at_end_) {
      line = {first, length};
      begin_ = end_;
      return length > 0;
    }
    if (length == buffer_.size())
      fail(fmt::format("is longer than {} characters", buffer_size), "write one entry a line");
    refill();
  }
}

void TextSource::refill() {
  end_ -= begin_;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_);
  begin_ = 0;
  const auto room = static_cast<unsigned>(buffer_.size() - end_);
  const int got = gzread(stream_->file, buffer_.data() + end_, room);
  int error = Z_OK;
  const char* message = gzerror(stream_->file, &error);
  if (error == Z_BUF_ERROR) io::fail(file_, "", "the compressed file is truncated", "copy or compress it again");
  if (error == Z_ERRNO) io::fail(file_, "", std::generic_category().message(errno), "check the file system");
  if (got < 0 || error != Z_OK) {
    const std::string_view reason = message;  // "<file>: <reason>"
    const auto colon = reason.rfind(": ");
    io::fail(
        file_, "",
        fmt::format("the compressed file is damaged ({})", colon == reason.npos ? reason : reason.substr(colon + 2)),
        "copy or compress it again");
  }
  end_ += static_cast<std::size_t>(got);
  at_end_ = got == 0;
}

void TextSource::fail(std::string_view what, std::string_view remedy) const {
  io::fail(file_, fmt::format("line {}", line_number_), what, remedy);
}

}  // namespace pivotlab::io
