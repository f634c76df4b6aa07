#include "kernels/exec/cuda_executor.hpp"

#include "kernels/exec/staged_copy.hpp"

#include <limits>
#include <new>
#include <string>
#include <utility>

namespace pivotlab {

namespace cuda {

void check(cudaError_t status, const char* call, std::source_location where) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // a later call must not report it again
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw CudaError(status, std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " + call + ": " +
                              cudaGetErrorName(status) + " (" + cudaGetErrorString(status) + ")");
}

void release(void* memory) noexcept {
  cudaFree(memory);
}

void launch(const void* kernel, int blocks, int threads, int cluster_blocks, int shared_bytes, void** parameters,
            cudaStream_t stream) {
  constexpr int portable_cluster_blocks = 8;
  if (cluster_blocks > portable_cluster_blocks)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "cudaFuncSetAttribute(NonPortableClusterSizeAllowed)");
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {static_cast<unsigned>(cluster_blocks), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = cluster_blocks > 1 ? 1 : 0;
  check(cudaLaunchKernelExC(&config, kernel, parameters), "cudaLaunchKernelExC");
}

}  // namespace cuda

using cuda::check;

namespace {

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

}  // namespace

CudaExecutor::CudaExecutor(int device) : device_(device) {
  check(cudaSetDevice(device_), "cudaSetDevice");
  check(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  stream_ = own_;
}

CudaExecutor::CudaExecutor(const std::optional<CallerStream>& stream) : CudaExecutor(stream ? current_device() : 0) {
  if (stream) stream_ = static_cast<cudaStream_t>(stream->stream);
}

CudaExecutor::~CudaExecutor() {
  cudaStreamDestroy(own_);
}

void CudaExecutor::DestroyGraph::operator()(cudaGraphExec_t graph) const noexcept {
  cudaGraphExecDestroy(graph);
}

void CudaExecutor::launch(const void* kernel, int blocks, int threads, int cluster_blocks, int shared_bytes,
                          void** parameters) {
  if (blocks == 0) return;
  check(cudaSetDevice(device_), "cudaSetDevice");
  allow_shared_memory(kernel, shared_bytes);
  cuda::launch(kernel, blocks, threads, cluster_blocks, shared_bytes, parameters, stream_);
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
  void* memory = nullptr;
  if (count > 0) check(cudaMalloc(&memory, count * element), "cudaMalloc");
  return memory;
}

void CudaExecutor::copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cuda::copy(to, from, bytes, kind, stream_);
}

void CudaExecutor::copy_columns_to_host(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                                        std::size_t columns) {
  cuda::download_columns(to, stride_bytes, from, column_bytes, columns, stream_);
}

void CudaExecutor::fill_zero_bytes(void* to, std::size_t bytes) {
  if (bytes > 0) check(cudaMemsetAsync(to, 0, bytes, stream_), "cudaMemsetAsync");
}

void CudaExecutor::begin_recording() {
  check(cudaStreamBeginCapture(own_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  suspended_ = std::exchange(stream_, own_);
}

CudaExecutor::Recording CudaExecutor::end_recording() {
  stream_ = suspended_;
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(own_, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "cudaGraphInstantiate");
  return Recording(executable);
}

void CudaExecutor::discard_recording() noexcept {
  stream_ = suspended_;
  cudaGraph_t graph = nullptr;
  cudaStreamEndCapture(own_, &graph);
  if (graph) cudaGraphDestroy(graph);
  cudaGetLastError();
}

void CudaExecutor::replay(const Recording& recording) {
  check(cudaGraphLaunch(recording.get(), stream_), "cudaGraphLaunch");
}

void CudaExecutor::synchronize() {
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

}  // namespace pivotlab
