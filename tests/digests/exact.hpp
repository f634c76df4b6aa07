// SPDX-License-Identifier: BSD-3-Clause
// Parts of digests: random numbers without rounding, and a hash of bits.
#pragma once

#include <pivotlab/scalar.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pivotlab::test {

/// FNV-1a, 64 bits. Source: Fowler, Noll and Vo; IETF RFC 9923.
class Fnv1a {
 public:
  void add(const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) state_ = (state_ ^ static_cast<const unsigned char*>(data)[i]) * prime;
  }
  std::uint64_t value() const { return state_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// Generates multiples of 2⁻²⁰ in [−1, 1), without rounding on any machine.
class ExactNumbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return std::ldexp(static_cast<double>(state_ >> 43), -20) - 1.0;
  }
  template <class T>
  T next_scalar() {
    const double re = next();
    if constexpr (is_complex<T>)
      return T(re, next());
    else
      return re;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace pivotlab::test
