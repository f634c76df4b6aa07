// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/gpu_memory.hpp"

#include "kernels/exec/device_matrix.hpp"

namespace pivotlab::batch {

std::shared_ptr<void> take_on_gpu(std::size_t bytes) {
  const auto buffer = std::make_shared<Buffer<std::byte>>(cuda::allocate<std::byte>(static_cast<Index>(bytes)));
  return {buffer, buffer->data()};
}

void copy_to_gpu(void* to, const void* from, std::size_t bytes) {
  cuda::copy(to, from, bytes, cudaMemcpyHostToDevice, nullptr);
}

void copy_from_gpu(void* to, const void* from, std::size_t bytes) {
  cuda::copy(to, from, bytes, cudaMemcpyDeviceToHost, nullptr);
}

double seconds_on_gpu(const std::function<void()>& work) {
  cuda::DeviceStopwatch stopwatch(nullptr);
  work();
  return stopwatch.stop();
}

}  // namespace pivotlab::batch
