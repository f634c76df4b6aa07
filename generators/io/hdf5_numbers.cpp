// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_numbers.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace pivotlab::io::hdf5 {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Converts bytes to a number, lowest byte first; missing bytes are zero.
template <std::size_t bytes>
std::uint64_t bits_of(const char* stored, bool big_endian) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, stored, bytes);
  return big_endian ? __builtin_bswap64(bits) >> (64 - 8 * bytes) : bits;
}

template <std::size_t bytes>
std::int64_t signed_value(std::uint64_t bits) {
  constexpr int unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// Converts an integer; returns whether a double represents it exactly.
bool to_double(std::int64_t integer, double& value) {
  value = static_cast<double>(integer);
  return value < 0x1p63 && static_cast<std::int64_t>(value) == integer;
}
bool to_double(std::uint64_t integer, double& value) {
  value = static_cast<double>(integer);
  return value < 0x1p64 && static_cast<std::uint64_t>(value) == integer;
}

template <std::size_t bytes>
double floating_value(std::uint64_t bits) {
  if constexpr (bytes == 8) return std::bit_cast<double>(bits);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

/// Calls use(convert(bits, double&) → bool) for numbers of the type.
template <std::size_t bytes, class Use>
auto with_conversion(NumberType::Kind kind, Use use) {
  if (kind == NumberType::Kind::floating)
    return use([](std::uint64_t bits, double& value) { return value = floating_value<bytes>(bits), true; });
  if (kind == NumberType::Kind::signed_integer)
    return use([](std::uint64_t bits, double& value) { return to_double(signed_value<bytes>(bits), value); });
  return use([](std::uint64_t bits, double& value) { return to_double(bits, value); });
}

template <std::size_t bytes>
Index convert(const NumberType& type, const char* stored, Index count, double* values) {
  return with_conversion<bytes>(type.kind, [&](auto to_value) {
    for (Index k = 0; k < count; ++k)
      if (!to_value(bits_of<bytes>(stored + k * Index(bytes), type.big_endian), values[k])) return k;
    return count;
  });
}

/// Calls use(std::integral_constant<std::size_t, bytes>).
template <class Use>
auto with_size(std::uint64_t bytes, Use use) {
  switch (bytes) {
    case 1:
      return use(std::integral_constant<std::size_t, 1>());
    case 2:
      return use(std::integral_constant<std::size_t, 2>());
    case 3:
      return use(std::integral_constant<std::size_t, 3>());
    case 4:
      return use(std::integral_constant<std::size_t, 4>());
    case 5:
      return use(std::integral_constant<std::size_t, 5>());
    case 6:
      return use(std::integral_constant<std::size_t, 6>());
    case 7:
      return use(std::integral_constant<std::size_t, 7>());
    default:
      return use(std::integral_constant<std::size_t, 8>());
  }
}

}  // namespace

bool is_double(const NumberType& type) {
  return type.kind == NumberType::Kind::floating && type.bytes == sizeof(double) && !type.big_endian;
}

Index to_doubles(const NumberType& type, const char* stored, Index count, double* values) {
  if (is_double(type)) {
    std::memcpy(values, stored, static_cast<std::size_t>(count) * sizeof(double));
    return count;
  }
  return with_size(type.bytes, [&](auto bytes) { return convert<bytes>(type, stored, count, values); });
}

std::string in_digits(const NumberType& type, const char* stored) {
  return with_size(type.bytes, [&](auto bytes) {
    const std::uint64_t bits = bits_of<bytes>(stored, type.big_endian);
    return type.kind == NumberType::Kind::signed_integer ? std::to_string(signed_value<bytes>(bits))
                                                         : std::to_string(bits);
  });
}

}  // namespace pivotlab::io::hdf5
