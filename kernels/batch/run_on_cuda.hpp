// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernels on a GPU.
#pragma once

#include "kernels/batch/launch.hpp"
#include "kernels/exec/cuda_executor.hpp"

namespace pivotlab::batch {

template <class Arguments>
void run_on_cuda(const Arguments& arguments, int count, const CallerStream& stream) {
  CudaExecutor executor(stream);
  launch(executor, arguments, count);
}

}  // namespace pivotlab::batch
