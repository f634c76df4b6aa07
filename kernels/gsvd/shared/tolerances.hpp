// SPDX-License-Identifier: BSD-3-Clause
// Tolerances of all backends. This header is plain C++, which a device compiler also reads.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cstdint>
#include <limits>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// Returns the relative tolerance for pivots in a factorization of order k: a pivot not larger than this times the
/// diagonal element from which it was computed is lost to rounding.
template <class R>
PIVOTLAB_DEVICE inline R lost_pivot(std::int64_t k) {
  return R(k) * std::numeric_limits<R>::epsilon();
}

/// Returns whether a column of F with this squared norm, where that of G is one, counts as zero: the square has no
/// longer all digits of a normal number, so that neither norm nor cosines are known. Nonzero columns of F begin far
/// above (PairScaling), thus what has shrunk to this size is noise.
template <class R>
PIVOTLAB_DEVICE inline bool has_collapsed(const R& square) {
  return square < std::numeric_limits<R>::min();
}

/// Returns whether σ_F = 0 for columns of F and G with these norms. Every column is zero that has_collapsed() took for
/// zero while the iteration rounded its norm in another way.
template <class R>
PIVOTLAB_DEVICE inline bool is_null_column(const R& f, const R& g) {
  const R ratio = f / g, smaller = (f < ratio ? f : ratio) / R(2);
  return has_collapsed(R(smaller * smaller));
}

/// Norms of prescaled columns of Ĝ are assumed to be one, not recomputed, if the independence of Ĝ (tile_factor.hpp)
/// exceeds this.
template <class R>
R safe_independence() {
  return square_root(square_root(unit_roundoff<R>()));
}

/// Components of z that contribute less than this many rounding errors to A·z may be those of rounding errors in it.
inline constexpr int dependence_reach = 1000;

/// Returns max(m, n)·ε, the size of rounding errors of a sum relative to the sum of the moduli, in an m × n matrix.
template <class R>
R noise_level(std::int64_t rows, std::int64_t columns) {
  return R(rows < columns ? columns : rows) * std::numeric_limits<R>::epsilon();
}

}  // namespace pivotlab
