// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a round of the blocked eigendecomposition, one at a time, and the rest of a decomposition, for
// eig_benchmark. This header has plain types only, because nvcc also reads it.
#pragma once

#include "kernels/eig/device/device_solver.hpp"

#include <memory>

namespace pivotlab::benchmarks {

enum class EigKernel { form_gram, sweep_tile, accumulate_tile, apply_transformations, whole_round };

/// A round of a plan's order, of the first sweeps, with random A and E in a GPU's memory.
class EigKernelBench {
 public:
  virtual ~EigKernelBench() = default;
  /// Returns the mean seconds of a few successive launches, as in a sweep.
  virtual double seconds(EigKernel kernel) = 0;
};

/// Throws std::bad_alloc if the device's memory does not suffice.
std::unique_ptr<EigKernelBench> make_eig_kernel_bench(const eig_device::SolverPlan& plan);

}  // namespace pivotlab::benchmarks
