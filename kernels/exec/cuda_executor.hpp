// Runs kernel bodies on a GPU. Compiled by nvcc only.
#pragma once

#include "kernels/exec/body.hpp"
#include "kernels/exec/buffer.hpp"
#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/cuda_context.hpp"
#include "kernels/exec/cuda_error.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>

namespace pivotlab {

namespace cuda {

template <class Body>
__global__ void __launch_bounds__(Body::threads, Body::min_blocks)
    run(const __grid_constant__ typename Body::Arguments arguments) {
  CudaContext<Body::threads> context;
  Body::run(context, arguments);
}

void release(void* memory) noexcept;

/// Launches a kernel on a stream of the current device, in clusters of blocks if there is more than one in a cluster.
void launch(const void* kernel, int blocks, int threads, int cluster_blocks, int shared_bytes, void** parameters,
            cudaStream_t stream);

}  // namespace cuda

/// One stream of one GPU: all work is done in the order of the calls. The next call that waits reports errors of
/// kernels. Several host threads must not use one executor at the same time.
class CudaExecutor {
  struct DestroyGraph {
    void operator()(cudaGraphExec_t graph) const noexcept;
  };

 public:
  /// Recorded kernels: a CUDA graph.
  using Recording = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;

  /// Works on a stream of its own.
  explicit CudaExecutor(int device = 0);
  /// Works on a stream of the caller, of the current device, and records on one of its own, because the default stream
  /// cannot record. Without a stream of the caller it is the executor of device 0.
  explicit CudaExecutor(const std::optional<CallerStream>& stream);
  CudaExecutor(CudaExecutor&&) = delete;
  ~CudaExecutor();

  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) {
    check_body<Body>();
    auto copy = arguments;
    void* parameters[] = {&copy};
    launch(reinterpret_cast<const void*>(&cuda::run<Body>), blocks, Body::threads, cluster_blocks<Body>(), shared_bytes,
           parameters);
  }

  template <class T>
  Buffer<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {static_cast<T*>(allocate_bytes(count, sizeof(T))), count, cuda::release};
  }

  /// Uploads; `from` may be changed after the return.
  template <class T>
  void upload(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    copy_bytes(to, from, count * sizeof(T), cudaMemcpyHostToDevice);
  }
  template <class T>
  void download(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    copy_bytes(to, from, count * sizeof(T), cudaMemcpyDeviceToHost);
  }
  /// Downloads `columns` columns of `rows` elements each, which are contiguous on the device and `stride` elements
  /// apart on the host.
  template <class T>
  void download_columns(T* to, std::size_t stride, const std::type_identity_t<T>* from, std::size_t rows,
                        std::size_t columns) {
    copy_columns_to_host(to, stride * sizeof(T), from, rows * sizeof(T), columns);
  }
  /// Copies within device memory.
  template <class T>
  void copy(T* to, const std::type_identity_t<T>* from, std::size_t count) {
    copy_bytes(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice);
  }
  template <class T>
  void fill_zero(T* to, std::size_t count) {
    fill_zero_bytes(to, count * sizeof(T));
  }

  /// Records the launches and zero fills of `work` instead of running them.
  template <class Work>
  Recording record(Work&& work) {
    begin_recording();
    try {
      work();
    } catch (...) {
      discard_recording();
      throw;
    }
    return end_recording();
  }
  void replay(const Recording& recording);

  void synchronize();

  /// Returns the stream, for timing by events and for library routines.
  cudaStream_t stream() const { return stream_; }

 private:
  void launch(const void* kernel, int blocks, int threads, int cluster_blocks, int shared_bytes, void** parameters);
  void allow_shared_memory(const void* kernel, int bytes);
  void* allocate_bytes(std::size_t count, std::size_t element);
  void copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
  void copy_columns_to_host(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                            std::size_t columns);
  void fill_zero_bytes(void* to, std::size_t bytes);
  void begin_recording();
  Recording end_recording();
  void discard_recording() noexcept;

  int device_;
  cudaStream_t own_ = nullptr;
  cudaStream_t stream_ = nullptr;                               // of the work; own_ while recording
  cudaStream_t suspended_ = nullptr;                            // stream_ before the recording
  std::unordered_map<const void*, int> allowed_shared_memory_;  // of kernels that need more than the default
};

}  // namespace pivotlab
