// SPDX-License-Identifier: BSD-3-Clause
// Runs kernel bodies on a GPU. Compiled by nvcc only.
#pragma once

#include "kernels/exec/body.hpp"
#include "kernels/exec/buffer.hpp"
#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/cuda_context.hpp"
#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/cuda_launch.hpp"
#include "kernels/exec/device_memory.hpp"

#include <cstddef>
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

/// Returns the launch of a body; parameters[0] points to its arguments.
template <class Body>
Launch launch_of(int blocks, int shared_bytes, void** parameters) {
  check_body<Body>();
  return {reinterpret_cast<const void*>(&run<Body>),
          blocks,
          Body::threads,
          cluster_blocks<Body>(),
          is_resident<Body>(),
          shared_bytes,
          parameters};
}

}  // namespace cuda

/// One stream of one GPU: all work is done in the order of the calls. The next call that waits reports errors of
/// kernels. Several host threads must not use one executor at the same time.
class CudaExecutor {
 public:
  using Recording = cuda::ExecutableGraph;

  /// Works on a stream of its own.
  explicit CudaExecutor(int device = 0);
  /// Works on a stream of the caller, of the current device. Without one it is the executor of device 0.
  explicit CudaExecutor(const std::optional<CallerStream>& stream);
  CudaExecutor(CudaExecutor&&) = delete;
  ~CudaExecutor();

  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) {
    auto copy = arguments;
    void* parameters[] = {&copy};
    launch(cuda::launch_of<Body>(blocks, shared_bytes, parameters));
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
  /// Copies `columns` columns of `rows` elements each, which are contiguous on the device and `stride` elements apart
  /// on the host.
  template <class T>
  void upload_columns(T* to, const std::type_identity_t<T>* from, std::size_t stride, std::size_t rows,
                      std::size_t columns) {
    copy_columns_from_host(to, from, stride * sizeof(T), rows * sizeof(T), columns);
  }
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
    refuse_while_recording();
    cuda::Graph graph;
    recorded_ = &graph;
    try {
      work();
    } catch (...) {
      recorded_ = nullptr;
      throw;
    }
    recorded_ = nullptr;
    return graph.instantiate();
  }
  void replay(const Recording& recording);

  /// Records the launches and zero fills of `work` as a side branch: they start after everything before them, but what
  /// comes after them waits for them only from the next beside() or join() on. Without a recording they run in order.
  template <class Work>
  void beside(Work&& work) {
    if (recorded_) recorded_->begin_side();
    work();
    if (recorded_) recorded_->end_side();
  }
  /// Ends the side branch. The end of a recording does so, too.
  void join() {
    if (recorded_) recorded_->join();
  }

  void synchronize();

  int multiprocessors() const;
  /// Returns the most shared memory that a block may have.
  int most_shared_bytes() const;

  /// Returns the stream, for timing by events and for library routines.
  cudaStream_t stream() const { return stream_; }

 private:
  CudaExecutor(int device, const std::optional<CallerStream>& stream);

  void launch(const cuda::Launch& launch);
  void allow_shared_memory(const void* kernel, int bytes);
  void* allocate_bytes(std::size_t count, std::size_t element);
  void copy_bytes(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
  void copy_columns_from_host(void* to, const void* from, std::size_t stride_bytes, std::size_t column_bytes,
                              std::size_t columns);
  void copy_columns_to_host(void* to, std::size_t stride_bytes, const void* from, std::size_t column_bytes,
                            std::size_t columns);
  void fill_zero_bytes(void* to, std::size_t bytes);
  void refuse_while_recording() const;

  int device_;
  cudaStream_t own_ = nullptr;                                  // if there is no stream of the caller
  cudaStream_t stream_ = nullptr;                               // of the work
  cuda::Graph* recorded_ = nullptr;                             // while recording
  std::unordered_map<const void*, int> allowed_shared_memory_;  // of kernels that need more than the default
};

}  // namespace pivotlab
