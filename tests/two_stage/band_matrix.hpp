// SPDX-License-Identifier: BSD-3-Clause
// A band matrix that is the same on all machines.
#pragma once

#include "tests/digests/exact.hpp"

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <vector>

namespace pivotlab::test {

/// A Hermitian matrix of a bandwidth whose elements have magnitudes of 2^(−decay·(i + j)), both triangles.
template <class T>
std::vector<T> band_matrix(Index n, double decay = 0, Index width = 64) {
  std::vector<T> A(static_cast<std::size_t>(n * n));
  ExactNumbers numbers;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n && i <= j + width; ++i) {
      const auto next = [&] {
        return std::ldexp(numbers.next(), -static_cast<int>(decay * static_cast<double>(i + j)));
      };
      T x(next());
      if constexpr (is_complex<T>)
        if (i > j) x.imag(next());
      A[static_cast<std::size_t>(i + j * n)] = x, A[static_cast<std::size_t>(j + i * n)] = conjugate(x);
    }
  return A;
}

}  // namespace pivotlab::test
