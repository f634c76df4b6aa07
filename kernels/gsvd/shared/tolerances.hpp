// Tolerances that all backends share. Plain: a device compiler reads it, too.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <cstdint>
#include <limits>
#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

/// A pivot of a factorization of order k that is not larger than this part of the diagonal element it came from is lost
/// to rounding.
template <class R>
PIVOTLAB_DEVICE inline R lost_pivot(std::int64_t k) {
  return R(k) * std::numeric_limits<R>::epsilon();
}

/// Norms of prescaled columns of Ĝ are taken to be one, not recomputed, if its independence (tile_factor.hpp) exceeds
/// this.
template <class R>
R safe_independence() {
  return square_root(square_root(unit_roundoff<R>()));
}

/// max(m, n)·ε: what rounding leaves of a sum, relative to the sum of the moduli, in an m × n matrix.
template <class R>
R noise_level(std::int64_t rows, std::int64_t columns) {
  return R(rows < columns ? columns : rows) * std::numeric_limits<R>::epsilon();
}

}  // namespace pivotlab
