// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/gzip.hpp>
#include <pivotlab/error.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

namespace pivotlab::experiments {
namespace {

constexpr int gzip_format = 16 + MAX_WBITS;
/// Places in a header with an extra field (flag 4) of one subfield.
constexpr std::size_t field_at = 10, name_at = 12, subfield_at = 14, length_at = 16, label_at = 20;
constexpr std::string_view member_start{"\x1f\x8b\x08\x04", 4}, subfield_name = "PL";

std::string to_bytes(std::size_t value, std::size_t count) {
  std::string bytes;
  for (std::size_t k = 0; k < count; ++k) bytes += static_cast<char>(value >> (8 * k));
  return bytes;
}

std::size_t from_bytes(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

Bytef* data_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib does not change it
}

}  // namespace

std::string gzip_member(std::string_view text, std::string_view label) {
  std::string subfield =
      std::string(subfield_name) + to_bytes(4 + label.size(), 2) + to_bytes(0, 4) + std::string(label);
  gz_header header{};
  header.extra = data_of(subfield);
  header.extra_len = static_cast<uInt>(subfield.size());
  header.os = 255;  // unknown
  z_stream stream{};
  if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_format, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  ::deflateSetHeader(&stream, &header);
  std::string member(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = data_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = data_of(member);
  stream.avail_out = static_cast<uInt>(member.size());
  ::deflate(&stream, Z_FINISH);
  member.resize(stream.total_out);
  ::deflateEnd(&stream);
  return member.replace(length_at, 4, to_bytes(member.size(), 4));
}

std::optional<GzipHeader> gzip_header(std::string_view bytes) {
  if (bytes.size() < label_at || !bytes.starts_with(member_start) || bytes.substr(name_at, 2) != subfield_name)
    return std::nullopt;
  const std::size_t field = from_bytes(bytes.substr(field_at, 2)), subfield = from_bytes(bytes.substr(subfield_at, 2));
  const std::size_t length = from_bytes(bytes.substr(length_at, 4));
  if (subfield < 4 || field != 4 + subfield || length < name_at + field || length > bytes.size()) return std::nullopt;
  return GzipHeader{length, bytes.substr(label_at, subfield - 4)};
}

GzipText gunzip_member(std::string_view bytes, std::string_view origin) {
  z_stream stream{};
  if (::inflateInit2(&stream, gzip_format) != Z_OK) throw std::bad_alloc();
  stream.next_in = data_of(bytes);
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size(), 1U << 31));
  GzipText result;
  std::array<char, 1 << 16> block;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = data_of({block.data(), block.size()});
    stream.avail_out = block.size();
    code = ::inflate(&stream, Z_NO_FLUSH);
    result.text.append(block.data(), block.size() - stream.avail_out);
  }
  result.length = stream.total_in;
  const std::string why = code == Z_BUF_ERROR ? "it is cut off" : stream.msg == nullptr ? "zlib" : stream.msg;
  ::inflateEnd(&stream);
  if (code != Z_STREAM_END)
    throw InputError(
        fmt::format("{}: cannot be unpacked ({}); restore the file, or run the missing cases", origin, why));
  return result;
}

}  // namespace pivotlab::experiments
