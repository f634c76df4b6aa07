// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a block step, one at a time, for gsvd_kernels_benchmark. This header has plain types only, because
// nvcc also reads it.
#pragma once

#include "kernels/gsvd/device/device_solver.hpp"

#include <memory>

namespace pivotlab::benchmarks {

/// `gram` and `post_multiply` of variants with `mixed` are those in single precision.
enum class Kernel { gram, cholesky_factor, qr_factor, diagonalize_tile, post_multiply };

/// Time of one launch, which handles all tiles of a step, or one matrix.
struct KernelTiming {
  double seconds;
  int inner_sweeps;  ///< largest number of inner sweeps of a tile in DiagonalizeTile
};

/// A block step of a plan's order with random F, G and Z in an executor's memory.
class KernelBench {
 public:
  virtual ~KernelBench() = default;
  /// Returns the mean of a few successive launches, as in a sweep.
  virtual KernelTiming time(Kernel kernel, int launches = 16) = 0;
};

/// Throws std::bad_alloc if the device's memory does not suffice.
std::unique_ptr<KernelBench> make_cuda_kernel_bench(const device::SolverPlan& plan);

}  // namespace pivotlab::benchmarks
