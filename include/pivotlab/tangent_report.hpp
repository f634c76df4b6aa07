// SPDX-License-Identifier: BSD-3-Clause
// Report on the course of the GSVD by tangent reduction. Plain types: a device compiler reads this header, too.
#pragma once

#include <pivotlab/tangent_variant.hpp>

#include <cstdint>
#include <vector>

namespace pivotlab {

/// One look at all pairs of columns of A = M·V, and what followed from it.
struct TangentStep {
  enum class Kind {
    newton,    ///< all columns times an orthogonal matrix next to I + E
    interval,  ///< eigenvectors of the Gram matrices of intervals of strongly coupled columns
    end        ///< nothing: all cosines are below the tolerance, or there are too many steps
  };
  Kind kind = Kind::end;
  double largest_cosine = 0;  ///< max |a_iᴴa_j|/(‖a_i‖‖a_j‖), i ≠ j
  double largest_angle = 0;   ///< largest angle of the rotations that make pairs of columns orthogonal
  double norm = 0;            ///< max column sum of |E|
  std::uint64_t pairs = 0;    ///< pairs with a cosine above the tolerance
  std::uint64_t strong = 0;   ///< pairs of columns with an angle of 0.3 or more
};

struct TangentReport {
  TangentPath path = TangentPath::automatic;  ///< the path taken: r1 or l
  double diagonal_span = 0;                   ///< max|r_ii|/min|r_ii| of R₁; infinite for an r_ii = 0
  double column_span = 0;                     ///< ratio of the largest and the smallest norm of M's columns
  std::vector<std::int64_t> groups;           ///< orders of the Gram matrices of the first pass; one without groups
  std::vector<TangentStep> steps;

  int newton_steps() const {
    int count = 0;
    for (const TangentStep& step : steps) count += step.kind == TangentStep::Kind::newton ? 1 : 0;
    return count;
  }
};

}  // namespace pivotlab
