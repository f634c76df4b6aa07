// The eigendecomposition of a Hermitian matrix as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <pivotlab/jacobi_variant.hpp>

namespace pivotlab::experiments {

using EighCase = VariantCase<EighVariant>;

/// Axes: type, n, generator, seed, solver (a variant or a baseline), backend, threads.
const Method& eigh_method();

/// Estimates time and memory of a case.
Estimate estimate_eigh(const EighCase& wanted);

}  // namespace pivotlab::experiments
