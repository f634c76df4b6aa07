// The eigendecomposition of a general matrix as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <pivotlab/eig.hpp>

namespace pivotlab::experiments {

struct EigCase : VariantCase<EigVariant> {
  bool left = false;  ///< whether left eigenvectors are computed, too
};

/// Axes: type, n, generator, seed, solver (a variant or a baseline), vectors, backend, threads.
const Method& eig_method();

/// Estimates time and memory of a case.
Estimate estimate_eig(const EigCase& wanted);

}  // namespace pivotlab::experiments
