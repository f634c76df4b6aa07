// SPDX-License-Identifier: BSD-3-Clause
// A band matrix that is the same on all machines.
#pragma once

#include "tests/digests/exact.hpp"

#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::test {

/// A symmetric matrix of bandwidth 64 with elements of magnitude 2^-decay^(row), both triangles.
inline std::vector<double> band_matrix(Index n, double decay = 0) {
  std::vector<double> A(static_cast<std::size_t>(n * n));
  ExactNumbers numbers;
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n && i <= j + 64; ++i) {
      const double x = std::ldexp(numbers.next(), -static_cast<int>(decay * static_cast<double>(i + j)));
      A[static_cast<std::size_t>(i + j * n)] = A[static_cast<std::size_t>(j + i * n)] = x;
    }
  return A;
}

}  // namespace pivotlab::test
