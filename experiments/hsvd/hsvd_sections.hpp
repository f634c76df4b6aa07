// The sections of a hyperbolic singular value decomposition's record as tables of rows, and the values they are written
// from.
#pragma once

#include <cstdint>
#include <experiments/engine/section.hpp>
#include <optional>
#include <pivotlab/jacobi.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Holds the facts about a matrix and its signs that its record states.
struct HsvdProblemFacts {
  std::string provenance;
  double norm_f = 0;
  std::int64_t negative_signs = 0;                                ///< in J
  std::optional<double> smallest_sigma = {}, largest_sigma = {};  ///< true ones
};

/// Holds what a record states of a run of a variant.
struct HsvdConvergence {
  std::vector<HsvdSweep> sweeps;
};

const Rows<HsvdProblemFacts>& hsvd_problem_rows();
const Rows<HsvdConvergence>& hsvd_convergence_rows();

}  // namespace pivotlab::experiments
