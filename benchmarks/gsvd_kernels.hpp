// The kernels of a block step, one at a time: what gsvd_kernels_benchmark times. Plain types only: nvcc reads it too.
#pragma once

#include "kernels/gsvd/device/device_solver.hpp"

#include <memory>

namespace pivotlab::benchmarks {

enum class Kernel { gram, cholesky_factor, qr_factor, diagonalize_tile, post_multiply };

/// Of one launch, that is of all tiles of a step.
struct KernelTiming {
  double seconds;
  int inner_sweeps;  ///< that DiagonalizeTile made in the tile that needed the most
};

/// A block step of a plan's order with random F, G and Z in an executor's memory.
class KernelBench {
 public:
  virtual ~KernelBench() = default;
  /// The mean of a few launches, one right after the other as in a sweep.
  virtual KernelTiming time(Kernel kernel) = 0;
};

/// Throws std::bad_alloc when the device's memory does not suffice.
std::unique_ptr<KernelBench> make_cuda_kernel_bench(const device::SolverPlan& plan);

}  // namespace pivotlab::benchmarks
