// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/residue_system.hpp"

#include <array>
#include <cmath>

namespace pivotlab::exact {
namespace {

constexpr std::array<std::uint32_t, most_moduli> moduli_in_order{256, 255, 253, 251, 247, 241, 239, 233, 229,
                                                                 227, 223, 217, 211, 199, 197, 193, 191, 181,
                                                                 179, 173, 167, 163, 157, 151, 149, 139};
static_assert(most_moduli * 255.0 * (std::uint64_t(1) << chunk_bits) < 0x1p53);

/// Holds a long integer, lowest digit first.
using Digits = std::array<std::uint64_t, most_chunks>;
constexpr std::uint64_t base = std::uint64_t(1) << chunk_bits;

void multiply(Digits& x, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& digit : x) {
    carry += digit * factor;
    digit = carry % base;
    carry /= base;
  }
}

/// Divides by a small number and returns the remainder.
std::uint32_t divide(Digits& x, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (int i = most_chunks - 1; i >= 0; --i) {
    rest = rest * base + x[i];
    x[i] = rest / divisor;
    rest %= divisor;
  }
  return static_cast<std::uint32_t>(rest);
}

Modulus modulus(std::uint32_t p, const Digits& product) {
  constexpr std::uint64_t word = std::uint64_t(1) << 32, half = std::uint64_t(1) << 30;
  constexpr std::uint32_t bias = 1u << 18;
  Modulus m{};
  m.p = p;
  m.floor_reciprocal = static_cast<std::uint32_t>(word / p);
  m.ceil_reciprocal = static_cast<std::uint32_t>((word + p - 1) / p);
  m.offset = static_cast<std::uint32_t>((half + p - 1) / p * p);
  m.half = p / 2;
  m.bias = (bias + p - 1) / p * p + m.half;
  std::uint32_t power = 1;
  for (int b = 0; b < 16; ++b, power = power * 256 % p) {
    const std::uint32_t symmetric = power > m.half ? power - p : power;
    m.powers[b / 4] |= static_cast<std::int32_t>((symmetric & 255) << 8 * (b % 4));
  }
  Digits weight = product;
  divide(weight, p);
  for (int c = 0; c < most_chunks; ++c) m.weight[c] = static_cast<double>(weight[c]);
  const std::uint32_t rest = divide(weight, p);
  for (m.inverse = 1; rest * m.inverse % p != 1;) ++m.inverse;
  return m;
}

}  // namespace

double log2_product(int moduli) {
  double sum = 0;
  for (int i = 0; i < moduli; ++i) sum += std::log2(moduli_in_order[i]);
  return std::floor(sum * 0x1p12) * 0x1p-12;
}

ResidueSystem residue_system(int moduli) {
  Digits product{1};
  for (int i = 0; i < moduli; ++i) multiply(product, moduli_in_order[i]);
  ResidueSystem z{};
  z.moduli = moduli;
  z.log2_product = log2_product(moduli);
  double value = 0;
  for (int c = most_chunks - 1; c >= 0; --c) {
    z.product[c] = static_cast<double>(product[c]);
    if (product[c] != 0 && z.chunks == 0) z.chunks = c + 1;
    value = value * static_cast<double>(base) + z.product[c];
  }
  z.quotient_scale = std::ldexp(1.0, chunk_bits * (z.chunks - 1)) / value;
  for (int i = 0; i < moduli; ++i) z.modulus[i] = modulus(moduli_in_order[i], product);
  return z;
}

}  // namespace pivotlab::exact
