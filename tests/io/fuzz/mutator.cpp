// SPDX-License-Identifier: BSD-3-Clause
#include "tests/io/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

// The checksum function of libhdf5 for its metadata, which its public headers do not declare.
extern "C" std::uint32_t H5_checksum_metadata(const void* data, std::size_t bytes, std::uint32_t initial);

namespace pivotlab::fuzz {
namespace {

constexpr std::size_t checksum_bytes = 4;

constexpr std::array<std::string_view, 13> signatures{"\x89HDF", "OHDR", "OCHK", "TREE", "SNOD", "HEAP", "FRHP",
                                                      "FHDB",    "BTHD", "BTLF", "FAHD", "FADB", "GCOL"};

constexpr std::array<std::uint64_t, 22> numbers{0,
                                                1,
                                                2,
                                                3,
                                                4,
                                                7,
                                                8,
                                                16,
                                                64,
                                                255,
                                                256,
                                                4096,
                                                65535,
                                                1 << 16,
                                                0x7fffffff,
                                                0x80000000,
                                                0xffffffff,
                                                std::uint64_t{1} << 32,
                                                std::uint64_t{1} << 40,
                                                ~std::uint64_t{0} >> 1,
                                                ~std::uint64_t{0} - 1,
                                                ~std::uint64_t{0}};

constexpr std::array<std::string_view, 34> tokens{"0",
                                                  "1",
                                                  "2",
                                                  "3",
                                                  "-1",
                                                  "5",
                                                  "30000",
                                                  "2147483647",
                                                  "2147483648",
                                                  "99999999999",
                                                  "9007199254740993",
                                                  "-9223372036854775808",
                                                  "18446744073709551616",
                                                  "1e308",
                                                  "1e999",
                                                  "1e-320",
                                                  "-0",
                                                  "+1",
                                                  "nan",
                                                  "inf",
                                                  "0x10",
                                                  "1.5",
                                                  "",
                                                  "%",
                                                  "matrix",
                                                  "array",
                                                  "coordinate",
                                                  "real",
                                                  "complex",
                                                  "integer",
                                                  "pattern",
                                                  "symmetric",
                                                  "hermitian",
                                                  "skew-symmetric"};

void put_checksum(std::string& bytes, std::size_t first, std::size_t count) {
  if (count > bytes.size() || first > bytes.size() - count || bytes.size() - count - first < checksum_bytes) return;
  const std::uint32_t sum = H5_checksum_metadata(bytes.data() + first, count, 0);
  std::memcpy(bytes.data() + first + count, &sum, sizeof sum);
}

/// The bytes of a header "OHDR" before its checksum: a prefix that says how long the messages are.
std::size_t object_header_bytes(const std::string& bytes, std::size_t at) {
  if (at + 6 > bytes.size()) return 0;
  const auto flags = static_cast<unsigned char>(bytes[at + 5]);
  const std::size_t before = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0),
                    width = std::size_t{1} << (flags & 3);
  std::uint64_t messages = 0;
  if (at + before + width > bytes.size()) return 0;
  std::memcpy(&messages, bytes.data() + at + before, width);
  return messages > bytes.size() ? 0 : before + width + messages;
}

/// Corrects the checksums of superblocks, object headers and chunk indices.
void mend_checksums(std::string& bytes) {
  for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    if (rest.starts_with("\x89HDF") && (bytes[at + 8] == 2 || bytes[at + 8] == 3)) put_checksum(bytes, at, 44);
    if (rest.starts_with("OHDR"))
      if (const auto count = object_header_bytes(bytes, at); count > 0) put_checksum(bytes, at, count);
    if (rest.starts_with("FAHD")) put_checksum(bytes, at, 24);
  }
}

}  // namespace

void Mutator::change_byte(std::string& bytes, std::size_t at) {
  bytes[at] = static_cast<char>(below(3) == 0 ? generator_() : bytes[at] ^ (1 << below(8)));
}

void Mutator::change_number(std::string& bytes, std::size_t at) {
  const std::size_t width = std::min(std::size_t{1} << below(4), bytes.size() - at);
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, width);
  switch (below(4)) {
    case 0:
      value += below(17) - 8;
      break;
    case 1:
      value = below(bytes.size() + 64);  // an address
      break;
    default:
      value = numbers[below(numbers.size())];
  }
  std::memcpy(bytes.data() + at, &value, width);
}

void Mutator::change_block(std::string& bytes) {
  const std::size_t from = below(bytes.size()), to = below(bytes.size());
  const std::size_t count = std::min(1 + below(64), bytes.size() - std::max(from, to));
  switch (below(4)) {
    case 0:
      bytes.resize(1 + below(bytes.size()));
      break;
    case 1:
      std::memset(bytes.data() + to, 0, count);
      break;
    default:
      std::memmove(bytes.data() + to, bytes.data() + from, count);
  }
}

/// Returns a position, mostly after one of HDF5's signatures.
std::size_t Mutator::interesting_place(const std::string& bytes) {
  if (below(4) == 0) return below(bytes.size());
  std::vector<std::size_t> found;
  for (const auto signature : signatures)
    for (auto at = bytes.find(signature); at != bytes.npos; at = bytes.find(signature, at + 1)) found.push_back(at);
  // An object header of the old form has none; it follows the superblock or stands at a multiple of eight.
  const std::size_t begin =
      found.empty() || below(3) == 0 ? 8 * below((bytes.size() + 7) / 8) : found[below(found.size())];
  return std::min(begin + below(96), bytes.size() - 1);
}

std::string Mutator::of_hdf5(std::string bytes) {
  for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
    const std::size_t at = interesting_place(bytes);
    switch (below(8)) {
      case 0:
        change_block(bytes);
        break;
      case 1:
      case 2:
      case 3:
        change_byte(bytes, at);
        break;
      default:
        change_number(bytes, at);
    }
  }
  if (below(2) == 0) mend_checksums(bytes);
  return bytes;
}

void Mutator::change_token(std::string& text) {
  const std::size_t near = below(3) == 0 ? below(text.size()) : below(std::min<std::size_t>(text.size(), 120));
  const auto blank = [](char c) { return c == ' ' || c == '\n'; };
  const auto first = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(near), text.end(), blank);
  const auto last = std::find_if(first, text.end(), blank);
  text.replace(first, last, tokens[below(tokens.size())]);
}

void Mutator::change_line(std::string& text) {
  const auto begin = text.find('\n', below(text.size()));
  if (begin == text.npos) return;
  const auto end = text.find('\n', begin + 1);
  const std::string line = text.substr(begin, end == text.npos ? end : end - begin);
  if (below(2) == 0)
    text.erase(begin, line.size());
  else
    text.insert(begin, line);
}

std::string Mutator::of_text(std::string text) {
  for (std::size_t changes = 1 + below(3); changes > 0 && !text.empty(); --changes) switch (below(8)) {
      case 0:
        change_byte(text, below(text.size()));
        break;
      case 1:
        text.resize(below(text.size()));
        break;
      case 2:
      case 3:
        change_line(text);
        break;
      default:
        change_token(text);
    }
  return text;
}

}  // namespace pivotlab::fuzz
