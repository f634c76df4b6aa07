// SPDX-License-Identifier: BSD-3-Clause
// Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays".
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/own/npy.hpp>
#include <pivotlab/error.hpp>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <regex>
#include <sstream>

namespace pivotlab::experiments {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = 1 << 10;  // std::regex takes stack for each character

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what) {
  throw InputError(fmt::format("{}: {}; write it with numpy.save(FILE, ARRAY)", file.string(), what));
}

template <class Integer>
std::string as_doubles(std::string_view bytes) {
  std::string result;
  for (std::size_t at = 0; at + sizeof(Integer) <= bytes.size(); at += sizeof(Integer)) {
    Integer x;
    std::memcpy(&x, bytes.data() + at, sizeof x);
    const auto number = static_cast<double>(x);
    result.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return result;
}

/// Returns the elements of a matrix by columns that are given by rows.
std::string transposed(const std::string& bytes, std::size_t rows, std::size_t cols, std::size_t size) {
  std::string result(bytes.size(), '\0');
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      std::memcpy(result.data() + (i + j * rows) * size, bytes.data() + (i * cols + j) * size, size);
  return result;
}

}  // namespace

void write_npy(const std::filesystem::path& file, const OwnInput& input) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': True, 'shape': ({},), }}",
                                   input.is_complex ? "<c16" : "<f8", fmt::join(input.shape, ", "));
  const std::size_t start = magic.size() + 4;
  header.append(63 - (start + header.size()) % 64, ' ');
  header += '\n';
  std::string text(magic);
  text += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  text += header;
  text += input.bytes();
  write_atomically(file, text);
}

OwnArray read_npy(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  if (!text.starts_with(magic) || text.size() < 12) fail(file, "is not an npy file");
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(text[at])); };
  const bool is_long = byte(6) > 1;
  const std::size_t start = is_long ? 12 : 10;
  const std::size_t length = byte(8) + (byte(9) << 8) + (is_long ? (byte(10) << 16) + (byte(11) << 24) : 0);
  if (length > longest_header || start + length > text.size()) fail(file, "has a damaged header");
  const std::string header = text.substr(start, length);
  static const std::regex form(
      R"re(.*'descr': *'([^']*)'.*'fortran_order': *(True|False).*'shape': *\(([0-9, ]*)\).*\s*)re");
  std::smatch parts;
  if (!std::regex_match(header, parts, form)) fail(file, "has a header of unknown form");
  OwnArray array;
  std::size_t count = 1;
  std::istringstream numbers(parts[3].str());
  for (std::string number; std::getline(numbers, number, ',');)
    if (const auto first = number.find_first_not_of(' '); first != std::string::npos) {
      const char* end = number.data() + number.size();
      std::size_t length_of_axis = 0;
      if (std::from_chars(number.data() + first, end, length_of_axis).ec != std::errc() ||
          __builtin_mul_overflow(count, length_of_axis, &count) || count > text.size())
        fail(file, "has a wrong number of elements");
      array.shape.push_back(static_cast<Index>(length_of_axis));
    }
  array.bytes = text.substr(start + length);
  const std::string type = parts[1];
  const std::size_t size = type == "<c16" ? 16 : type == "<f8" || type == "<i8" ? 8 : type == "<i4" ? 4 : 0;
  if (size == 0) fail(file, fmt::format("has elements of type {}, must have float64, complex128 or integers", type));
  if (array.shape.size() > 2 || array.bytes.size() != count * size) fail(file, "has a wrong number of elements");
  array.is_complex = type == "<c16";
  if (type == "<i8") array.bytes = as_doubles<std::int64_t>(array.bytes);
  if (type == "<i4") array.bytes = as_doubles<std::int32_t>(array.bytes);
  if (array.shape.size() == 2 && parts[2] == "False")
    array.bytes = transposed(array.bytes, static_cast<std::size_t>(array.shape[0]),
                             static_cast<std::size_t>(array.shape[1]), array.is_complex ? 16 : 8);
  return array;
}

}  // namespace pivotlab::experiments
