// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic singular value decomposition as a method of the engine.
#pragma once

#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

/// Axes: type, n, m_f, m_g, generator, signs, seed, solver (a variant or a baseline), backend, threads.
const Method& ghsvd_method();

}  // namespace pivotlab::experiments
