// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a general matrix as a method of the engine.
#pragma once

#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

/// Axes: type, n, generator, seed, solver (a variant or a baseline), vectors, backend, threads.
const Method& eig_method();

}  // namespace pivotlab::experiments
