// SPDX-License-Identifier: BSD-3-Clause
// Matrices in the memory of a GPU, and times of its work, for code of the host that calls libraries or plans on a
// stream.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/device_memory.hpp"
#include "kernels/exec/staged_copy.hpp"

#include <algorithm>
#include <pivotlab/matrix.hpp>
#include <type_traits>

namespace pivotlab::cuda {

template <class T>
Buffer<T> allocate(Index count) {
  void* const memory = allocate_bytes(static_cast<std::size_t>(std::max<Index>(count, 1)) * sizeof(T));
  return {static_cast<T*>(memory), static_cast<std::size_t>(count), release};
}

/// Copies between host and GPU, or on the GPU. Waits unless both matrices are on the GPU.
template <class T>
void copy(MatrixView<const std::type_identity_t<T>> from, MatrixView<T> to, cudaStream_t stream) {
  const auto pitch = [](Index stride) { return static_cast<std::size_t>(stride) * sizeof(T); };
  check(cudaMemcpy2DAsync(to.data, pitch(to.stride), from.data, pitch(from.stride), pitch(from.rows),
                          static_cast<std::size_t>(from.cols), cudaMemcpyDefault, stream),
        "cudaMemcpy2DAsync");
}

/// A matrix on the GPU; its views contain device addresses.
template <class T>
class DeviceMatrix {
 public:
  DeviceMatrix(Index rows, Index cols) : rows_(rows), cols_(cols), buffer_(allocate<T>(rows * cols)) {}
  /// Uploads A.
  DeviceMatrix(MatrixView<const T> A, cudaStream_t stream) : DeviceMatrix(A.rows, A.cols) {
    upload_columns(buffer_.data(), A.data, pitch(A.stride), pitch(rows_), static_cast<std::size_t>(cols_), stream);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  MatrixView<T> view() const { return {buffer_.data(), rows_, cols_, rows_}; }
  operator MatrixView<T>() const { return view(); }
  operator MatrixView<const T>() const { return view(); }

  /// Waits for the result in `to`, which has the same shape.
  void download(MatrixView<T> to, cudaStream_t stream) const {
    if (to.stride == rows_) return cuda::copy(to.data, buffer_.data(), bytes(), cudaMemcpyDeviceToHost, stream);
    download_columns(to.data, pitch(to.stride), buffer_.data(), pitch(rows_), static_cast<std::size_t>(cols_), stream);
  }

 private:
  static std::size_t pitch(Index rows) { return static_cast<std::size_t>(rows) * sizeof(T); }
  std::size_t bytes() const { return static_cast<std::size_t>(rows_ * cols_) * sizeof(T); }

  Index rows_, cols_;
  Buffer<T> buffer_;
};

/// Measures the seconds between its construction and stop(), by events in the stream.
class DeviceStopwatch {
 public:
  explicit DeviceStopwatch(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
    check(cudaEventRecord(start_, stream), "cudaEventRecord");
  }
  ~DeviceStopwatch() { cudaEventDestroy(start_), cudaEventDestroy(stop_); }
  DeviceStopwatch(const DeviceStopwatch&) = delete;
  DeviceStopwatch& operator=(const DeviceStopwatch&) = delete;

  double stop() {
    float milliseconds = 0;
    check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "the computation on the GPU");
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace pivotlab::cuda
