// SPDX-License-Identifier: BSD-3-Clause
// LAPACK's pseudorandom numbers (xLARUV, xLARAN, xLARNV): x := a·x mod 2⁴⁸ with a = 33952834046453, u = x·2⁻⁴⁸.
//
// Source: Fishman, "Multiplicative congruential random number generators with modulus 2^β", Math. Comp. 54 (1990).
#pragma once

#include <array>
#include <cstdint>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab {

/// LAPACK's idist of xLARNV: (0, 1), (−1, 1), normal (0, 1). Complex numbers: both parts, both parts, and for normal
/// the modulus and the angle of a number whose parts are normal (0, 1), as in ZLARNV.
enum class Distribution { uniform = 1, symmetric = 2, normal = 3 };

class RandomStream {
 public:
  /// Starts from LAPACK's seed: four integers of 12 bits, most significant first, the last odd.
  explicit RandomStream(const std::array<int, 4>& iseed);

  /// Starts stream `index` < 80 of a seed. The 47 leading bits of the state come from the seed by SplitMix64's
  /// finalizer; its last bit is 1. Streams start 3²⁵ ≈ 8.5e11 numbers apart on the cycle of 2⁴⁶. The distance is odd
  /// because at multiples of a high power of two the numbers would have their trailing bits in common.
  RandomStream(std::uint64_t seed, int index);

  std::array<int, 4> iseed() const;
  /// Advances by `count` numbers, in O(log count).
  void skip(std::uint64_t count);
  /// Returns the next number, in (0, 1).
  double uniform();

  template <class T>
  T draw(Distribution distribution);
  /// Number of uniform numbers per draw.
  template <class T>
  static constexpr int draws(Distribution distribution) {
    return is_complex<T> || distribution == Distribution::normal ? 2 : 1;
  }

 private:
  std::uint64_t state_;
};

/// Makes rows × cols numbers, column by column, as one xLARNV call would, and advances the stream.
template <class T>
Matrix<T> random_matrix(Index rows, Index cols, Distribution distribution, RandomStream& stream, int threads = 0);

/// Makes only the given columns of that matrix.
template <class T>
Matrix<T> random_columns(Index rows, const std::vector<Index>& columns, Distribution distribution,
                         const RandomStream& stream, int threads = 0);

}  // namespace pivotlab
