// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_filters.hpp"

#include <zlib.h>

#include <algorithm>

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::size_t checksum_bytes = 4;
constexpr std::size_t unknown = ~std::size_t{0};

const unsigned char* unsigned_bytes(const std::string& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

/// Returns a sum modulo 65535 in which 0 means only the empty sum.
std::uint32_t reduced(std::uint64_t sum) {
  return sum == 0 ? 0 : static_cast<std::uint32_t>((sum - 1) % 0xffff + 1);
}

/// Computes Fletcher's checksum of 16-bit words, high byte first; an odd byte at the end is a high one.
std::uint32_t fletcher32(const unsigned char* data, std::size_t count) {
  std::uint64_t sum = 0, sum_of_sums = 0;
  constexpr std::size_t together = std::size_t{1} << 20;  // words until the sums of sums could overflow
  const std::size_t words = count / 2;
  for (std::size_t first = 0; first < words; first += together) {
    for (std::size_t k = first; k < std::min(words, first + together); ++k)
      sum_of_sums += sum += static_cast<std::uint64_t>(data[2 * k] << 8 | data[2 * k + 1]);
    sum = reduced(sum), sum_of_sums = reduced(sum_of_sums);
  }
  if (count % 2 != 0) sum_of_sums += sum += static_cast<std::uint64_t>(data[count - 1] << 8);
  return reduced(sum_of_sums) << 16 | reduced(sum);
}

/// Removes and checks the checksum after the data, lowest byte first; files of HDF5 before 1.6.3 have the bytes of both
/// halves exchanged.
bool take_checksum(std::string& bytes) {
  if (bytes.size() < checksum_bytes) return false;
  const std::size_t count = bytes.size() - checksum_bytes;
  const unsigned char* stored = unsigned_bytes(bytes) + count;
  const auto word = [&](int b0, int b1, int b2, int b3) {
    return std::uint32_t{stored[b0]} | std::uint32_t{stored[b1]} << 8 | std::uint32_t{stored[b2]} << 16 |
           std::uint32_t{stored[b3]} << 24;
  };
  const std::uint32_t computed = fletcher32(unsigned_bytes(bytes), count);
  if (computed != word(0, 1, 2, 3) && computed != word(1, 0, 3, 2)) return false;
  bytes.resize(count);
  return true;
}

bool inflate_to(std::size_t expected, std::string& bytes) {
  std::string result(expected, '\0');
  uLongf size = expected;
  const int status = uncompress(reinterpret_cast<Bytef*>(result.data()), &size, unsigned_bytes(bytes), bytes.size());
  bytes = std::move(result);
  return status == Z_OK && size == expected;
}

/// Reverses the shuffle filter (first bytes of all elements, second bytes of all elements, …); bytes after the last
/// complete element are not moved.
void unshuffle(std::size_t element_bytes, std::string& bytes) {
  const std::size_t count = bytes.size() / element_bytes;
  std::string result(bytes.size(), '\0');
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(count * element_bytes), bytes.end(),
            result.begin() + static_cast<std::ptrdiff_t>(count * element_bytes));
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t k = 0; k < count; ++k) result[k * element_bytes + b] = bytes[b * count + k];
  bytes = std::move(result);
}

}  // namespace

std::string undo_filters(const std::vector<Filter>& filters, std::uint64_t skipped, std::size_t element_bytes,
                         std::size_t expected, std::string& bytes) {
  const auto applied = [&](std::size_t k) { return (skipped >> k & 1) == 0; };
  std::vector<std::size_t> before;  // bytes of input of each filter
  std::size_t size = expected;
  for (std::size_t k = 0; k < filters.size(); ++k) {
    before.push_back(size);
    if (!applied(k) || size == unknown || filters[k] == Filter::shuffle) continue;
    size = filters[k] == Filter::fletcher32 ? size + checksum_bytes : unknown;
  }
  for (std::size_t k = filters.size(); k-- > 0;) {
    if (!applied(k)) continue;
    if (filters[k] == Filter::fletcher32 && !take_checksum(bytes)) return "a checksum is wrong";
    if (filters[k] == Filter::deflate && (before[k] == unknown || !inflate_to(before[k], bytes)))
      return "a compressed chunk is damaged";
    if (filters[k] == Filter::shuffle) unshuffle(element_bytes, bytes);
  }
  return bytes.size() == expected ? "" : "a chunk has not the size that its shape needs";
}

}  // namespace pivotlab::io::hdf5
