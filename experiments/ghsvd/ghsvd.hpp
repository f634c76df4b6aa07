// The generalized hyperbolic singular value decomposition as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <optional>
#include <pivotlab/jacobi_variant.hpp>

namespace pivotlab::experiments {

/// Here m_g ≥ n.
struct GhsvdCase : SolverCase {
  std::optional<GhsvdVariant> variant;  ///< none for a baseline
};

/// Axes: type, n, m_f, m_g, generator, signs, seed, solver (a variant or a baseline), backend, threads.
const Method& ghsvd_method();

/// Estimates time and memory of a case.
Estimate estimate_ghsvd(const GhsvdCase& wanted);

}  // namespace pivotlab::experiments
