// SPDX-License-Identifier: BSD-3-Clause
// The pivot decision of Algorithms 2, 3 and 4, the same on the host and on a device.
#pragma once

#include "kernels/numerics/real_arithmetic.hpp"

#include <pivotlab/ldlt_variant.hpp>

namespace pivotlab::ldlt_detail {

/// A pivot of at most so many times the size of rounding errors is doubtful (scaled_rank.hpp).
inline constexpr int doubt = 1000;

/// The next step of the search. A 2×2 pivot consists of the previous and the latest searched column.
enum class PivotDecision : int { continue_search, pivot_1x1, pivot_1x1_previous, pivot_2x2 };

/// Moduli in a column of the reduced matrix: the diagonal element's, and γ, the largest one off the diagonal.
template <class R>
struct ColumnModuli {
  R diagonal{}, largest{};
};

/// Decides on the pivot of a stage by the moduli of the searched columns. Numbers in parentheses are the cases in the
/// thesis.
template <class R>
struct PivotRule {
  Pivoting pivoting;
  R alpha;

  /// Decides after the first search: complete pivoting searches the whole reduced matrix, for μ₁ on its diagonal and μ₀
  /// off it; partial and rook pivoting search its first column, for |A₁₁| and γ₁.
  PIVOTLAB_DEVICE PivotDecision decide(const ColumnModuli<R>& first) const {
    if (pivoting == Pivoting::complete)
      return first.diagonal > alpha * first.largest ? PivotDecision::pivot_1x1 : PivotDecision::pivot_2x2;
    return first.largest == R(0) || first.diagonal >= alpha * first.largest ? PivotDecision::pivot_1x1  // (0), (1)
                                                                            : PivotDecision::continue_search;
  }

  /// Decides for partial and rook pivoting after column r, in whose row `previous` has its largest element: Algorithm
  /// 3, cases (2) to (4), and Algorithm 4, cases (2) and (3). Column r contains that element, too, so that γᵣ ≥ γᵢ;
  /// they differ if γᵣ > γᵢ.
  PIVOTLAB_DEVICE PivotDecision decide(const ColumnModuli<R>& previous, const ColumnModuli<R>& latest) const {
    const bool rook = pivoting == Pivoting::rook;
    // |A₁₁|·γᵣ ≥ α·γ₁², without the products that overflow
    if (!rook && previous.diagonal > R(0) &&  // which 0 is not, though the product may underflow
        previous.diagonal >= alpha * previous.largest * R(previous.largest / latest.largest))
      return PivotDecision::pivot_1x1_previous;
    if (latest.diagonal >= alpha * latest.largest) return PivotDecision::pivot_1x1;
    return rook && latest.largest > previous.largest ? PivotDecision::continue_search : PivotDecision::pivot_2x2;
  }
};

}  // namespace pivotlab::ldlt_detail
