// SPDX-License-Identifier: BSD-3-Clause
// Plan of a decomposition on a device from shape and options.
#pragma once

#include "kernels/eig/device/device_batch.hpp"
#include "kernels/eig/device/device_solver.hpp"

#include <pivotlab/eig.hpp>

namespace pivotlab::eig_device {

/// Plans the decomposition of an n × n matrix that need not be scaled up before it is balanced.
SolverPlan make_plan(Index n, const EigOptions& options);

/// Plans the decomposition of `count` n × n matrices, 1 ≤ n ≤ largest_in_batch.
BatchPlan make_batch_plan(Index n, Index count, const EigOptions& options);

}  // namespace pivotlab::eig_device
