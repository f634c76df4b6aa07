// The kernels of a round of the blocked eigendecomposition, one at a time, and the rest of a decomposition: what
// eig_benchmark times. Plain types only: nvcc reads it too.
#pragma once

#include "kernels/eig/device/device_solver.hpp"

#include <memory>

namespace pivotlab::benchmarks {

enum class EigKernel { form_gram, sweep_tile, accumulate_tile, apply_transformations, whole_round };

/// A round of a plan's order with random A and E in a GPU's memory.
class EigKernelBench {
 public:
  virtual ~EigKernelBench() = default;
  /// The mean seconds of a few launches, one right after the other as in a sweep.
  virtual double seconds(EigKernel kernel) = 0;
};

/// Throws std::bad_alloc when the device's memory does not suffice.
std::unique_ptr<EigKernelBench> make_eig_kernel_bench(const eig_device::SolverPlan& plan);

}  // namespace pivotlab::benchmarks
