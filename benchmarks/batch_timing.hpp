// SPDX-License-Identifier: BSD-3-Clause
// What benchmarks of batches share: memory of a GPU, and medians of times.
#pragma once

#include "kernels/exec/cuda_error.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace pivotlab {

/// Device memory.
template <class T>
class Device {
 public:
  explicit Device(std::size_t count) : count_(count) {
    cuda::check(cudaMalloc(&memory_, count * sizeof(T)), "cudaMalloc");
    cuda::check(cudaMemset(memory_, 0xff, count * sizeof(T)), "cudaMemset");
  }
  Device(const Device&) = delete;
  ~Device() { cudaFree(memory_); }
  T* data() const { return static_cast<T*>(memory_); }
  /// Copies the first `count` elements to the host.
  std::vector<T> first(std::size_t count) const {
    std::vector<T> numbers(count);
    cuda::check(cudaMemcpy(numbers.data(), memory_, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return numbers;
  }
  void copy(const Device& other) {
    cuda::check(cudaMemcpy(memory_, other.memory_, count_ * sizeof(T), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }

 private:
  std::size_t count_;
  void* memory_ = nullptr;
};

/// Returns the median milliseconds of `run` after a first one; `prepare` is not timed.
double median_ms(int repetitions, const std::function<void()>& prepare, const std::function<void()>& run) {
  cudaEvent_t begin = nullptr, end = nullptr;
  cuda::check(cudaEventCreate(&begin), "cudaEventCreate"), cuda::check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> times;
  for (int r = 0; r <= repetitions; ++r) {
    prepare();
    cuda::check(cudaEventRecord(begin), "cudaEventRecord");
    run();
    cuda::check(cudaEventRecord(end), "cudaEventRecord");
    cuda::check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0;
    cuda::check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    if (r > 0) times.push_back(ms);
  }
  cudaEventDestroy(begin), cudaEventDestroy(end);
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace pivotlab
