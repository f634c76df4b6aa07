// SPDX-License-Identifier: BSD-3-Clause
// This header has what benchmarks of batches share: memory of a GPU, medians of times, the command line.
#pragma once

#include "kernels/exec/cuda_error.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/matrix.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <string>
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

/// Calls run(), which times a routine of a library for matrices of order n; prints why if it throws.
inline void time_library(Index n, const std::string& name, const std::function<void()>& run) {
  try {
    run();
  } catch (const std::exception& error) {
    fmt::print("{:>4} {:<24}{:>12}  {}\n", n, name, "-", error.what());
  }
}

/// Reads orders, number of matrices and repetitions from the command line, whose defaults are given, and calls
/// run(n, count, repetitions) for each order. Returns the exit status of the program.
inline int time_batches(int argc, char** argv, std::vector<Index> orders, int repetitions,
                        const std::function<void(Index, Index, int)>& run) try {
  Index count = 10000;
  CLI::App app("Batches of small matrices on a GPU");
  app.add_option("--n", orders, "Orders of the matrices");
  app.add_option("--count", count, "Matrices of a batch");
  app.add_option("--repetitions", repetitions, "Repetitions, of which the median is printed");
  CLI11_PARSE(app, argc, argv);
  if (const std::string why = why_no_device(); !why.empty()) {
    std::cerr << argv[0] << ": " << why << "\n";
    return 1;
  }
  fmt::print("{}, {} matrices; microseconds a matrix\n", list_devices().front().name, count);
  for (const Index n : orders) run(n, count, repetitions);
  return 0;
} catch (const std::exception& error) {
  std::cerr << argv[0] << ": " << error.what() << "\n";
  return 1;
}

}  // namespace pivotlab
