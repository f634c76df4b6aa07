// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"

#include "kernels/exec/staged_copy.hpp"

#include <limits>
#include <new>
#include <stdexcept>
#include <string>

namespace pivotlab {

namespace cuda {

void check(cudaError_t status, const char* call, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a later call must not report it again
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw CudaError(status, std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + call + ": " +
                              cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ")");
}

}  // namespace cuda

using cuda::check;

namespace {

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

CudaExecutor::CudaExecutor(int device) : CudaExecutor(device, std::nullopt) {}

CudaExecutor::CudaExecutor(const std::optional<CallerStream>& stream)
    : CudaExecutor(stream ? current_device() : 0, stream) {}

CudaExecutor::CudaExecutor(int device, const std::optional<CallerStream>& stream) : device_(device) {
  check(cudaSetDevice(device_), "cudaSetDevice");
  if (!stream) check(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  stream_ = stream ? static_cast<cudaStream_t>(stream->stream) : own_;
}

CudaExecutor::~CudaExecutor() {
  if (own_) cudaStreamDestroy(own_);
}

int CudaExecutor::multiprocessors() const {
  return attribute(cudaDevAttrMultiProcessorCount, device_);
}
int CudaExecutor::most_shared_bytes() const {
  return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_);
}

void CudaExecutor::launch(const cuda::Launch& launch) {
  if (launch.blocks == 0) return;
  check(cudaSetDevice(device_), "cudaSetDevice");
  allow_shared_memory(launch.kernel, launch.shared_bytes);
  if (recorded_)
    recorded_->add(launch);
  else
    cuda::launch(launch, stream_);
}

void CudaExecutor::allow_shared_memory(const void* kernel, int bytes) {
  constexpr int allowed_by_default = 48 * 1024;
  if (bytes <= allowed_by_default) return;
  int& allowed = allowed_shared_memory_[kernel];
  if (bytes <= allowed) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)");
  allowed = bytes;
}

void* CudaExecutor::allocate_bytes(std::size_t count, std::size_t element) {
  if (count > std::numeric_limits<std::size_t>::max() / element) throw std::bad_alloc();
  check(cudaSetDevice(device_), "cudaSetDevice");
  return cuda::allocate_bytes(count * element);
}

void CudaExecutor::copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  refuse_while_recording();
  cuda::copy(to, from, bytes, kind, stream_);
}

void CudaExecutor::copy_columns_from_host(void* to, const void* from, std::size_t stride_bytes,
                                          std::size_t column_bytes, std::size_t columns) {
  refuse_while_recording();
  cuda::upload_columns(to, from, stride_bytes, column_bytes, columns, stream_);
}

void CudaExecutor::copy_columns_to_host(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                                        std::size_t columns) {
  refuse_while_recording();
  cuda::download_columns(to, stride_bytes, from, column_bytes, columns, stream_);
}

void CudaExecutor::fill_zero_bytes(void* to, std::size_t bytes) {
  if (bytes == 0) return;
  if (recorded_)
    recorded_->add_zero_fill(to, bytes);
  else
    check(cudaMemsetAsync(to, 0, bytes, stream_), "cudaMemsetAsync");
}

void CudaExecutor::refuse_while_recording() const {
  if (recorded_) throw std::logic_error("only launches and fill_zero can be recorded");
}

void CudaExecutor::replay(const Recording& recording) {
  refuse_while_recording();
  check(cudaGraphLaunch(recording.get(), stream_), "cudaGraphLaunch");
}

void CudaExecutor::synchronize() {
  refuse_while_recording();
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

}  // namespace pivotlab
