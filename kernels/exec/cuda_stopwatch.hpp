// SPDX-License-Identifier: BSD-3-Clause
// Times of GPU work, by CUDA events on its stream. Compiled by nvcc only.
#pragma once

#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/stopwatch.hpp"

#include <memory>

namespace pivotlab {

template <>
class Stopwatch<CudaExecutor> {
 public:
  using Mark = std::shared_ptr<std::remove_pointer_t<cudaEvent_t>>;

  explicit Stopwatch(CudaExecutor& executor) : executor_(&executor) {}

  Mark mark() {
    cudaEvent_t event = nullptr;
    cuda::check(cudaEventCreate(&event), "cudaEventCreate");
    Mark result(event, [](cudaEvent_t e) { cudaEventDestroy(e); });
    cuda::check(cudaEventRecord(event, executor_->stream()), "cudaEventRecord");
    return result;
  }

  /// Waits for `to` and returns the seconds between the marks.
  double seconds(const Mark& from, const Mark& to) {
    float milliseconds = 0;
    cuda::check(cudaEventSynchronize(to.get()), "cudaEventSynchronize");
    cuda::check(cudaEventElapsedTime(&milliseconds, from.get(), to.get()), "cudaEventElapsedTime");
    return 1e-3 * milliseconds;
  }

 private:
  CudaExecutor* executor_;
};

}  // namespace pivotlab
