// The hyperbolic singular value decomposition as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/jacobi_variant.hpp>

namespace pivotlab::experiments {

struct HsvdCase : SolverCase {
  std::optional<HsvdVariant> variant;  ///< none for a baseline
};

/// Axes: type, n, m, generator, signs, seed, solver (a variant or a baseline), backend, threads.
const Method& hsvd_method();

/// Estimates time and memory of a case.
Estimate estimate_hsvd(const HsvdCase& wanted);

}  // namespace pivotlab::experiments
