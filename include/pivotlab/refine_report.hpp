// SPDX-License-Identifier: BSD-3-Clause
// Report on the refinement that variants with `refine` end with (refine.hpp).
#pragma once

#include <pivotlab/matrix.hpp>

#include <string>

namespace pivotlab {

struct RefineReport {
  bool used = false;     ///< false without `refine`, too
  std::string refusal;   ///< why it was not used; empty if it was, or was not selected
  int steps = 0;         ///< how often vectors were corrected
  Index determined = 0;  ///< values with a bound of at most 2⁻⁵³ of them: rounded to double they are within 2 ulp
  /// Values ≠ 0 with digits that are still the solver's, because its estimates of their errors are less than the
  /// bounds; if there are any, so are all vectors.
  Index kept = 0;
  double largest_bound = 0;  ///< the largest bound of a determined value, relative to it
  double seconds = 0;        ///< of all steps, which compute_seconds contains
};

}  // namespace pivotlab
