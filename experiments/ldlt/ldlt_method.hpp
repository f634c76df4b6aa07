// The symmetric indefinite factorization as a method of the engine.
#pragma once

#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

/// Axes: type, symmetry, n, generator, seed, solver (a variant or a baseline), storage, tolerance, gjg, backend,
/// threads.
const Method& ldlt_method();

}  // namespace pivotlab::experiments
