// The hyperbolic singular value decomposition as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <pivotlab/jacobi_variant.hpp>

namespace pivotlab::experiments {

using HsvdCase = VariantCase<HsvdVariant>;

/// Axes: type, n, m, generator, signs, seed, solver (a variant or a baseline), backend, threads.
const Method& hsvd_method();

/// Estimates time and memory of a case.
Estimate estimate_hsvd(const HsvdCase& wanted);

}  // namespace pivotlab::experiments
