// The generalized hyperbolic singular value decomposition as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <pivotlab/jacobi_variant.hpp>

namespace pivotlab::experiments {

using GhsvdCase = VariantCase<GhsvdVariant>;  ///< with m_g ≥ n

/// Axes: type, n, m_f, m_g, generator, signs, seed, solver (a variant or a baseline), backend, threads.
const Method& ghsvd_method();

/// Estimates time and memory of a case.
Estimate estimate_ghsvd(const GhsvdCase& wanted);

}  // namespace pivotlab::experiments
