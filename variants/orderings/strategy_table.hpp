// SPDX-License-Identifier: BSD-3-Clause
// Pivot pairs in the order of a parallel strategy. This header is plain C++, which a device compiler also reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pivotlab {

/// Indices of two columns or block columns.
struct PivotPair {
  std::uint32_t p, q;  // zero-based, p < q
  friend bool operator==(const PivotPair&, const PivotPair&) = default;
};

/// A sweep of a parallel strategy for an even order n: steps × (n/2) disjoint pairs; the table of a strategy has all
/// pairs.
struct StrategyTable {
  std::ptrdiff_t order = 0;
  std::ptrdiff_t steps = 0;  // n − 1 (cyclic: ME, RR), n (quasi-cyclic: MM) or n/2 (across halves)
  std::vector<PivotPair> pairs;

  std::span<const PivotPair> step(std::ptrdiff_t s) const {
    return {pairs.data() + s * (order / 2), static_cast<std::size_t>(order / 2)};
  }
};

}  // namespace pivotlab
