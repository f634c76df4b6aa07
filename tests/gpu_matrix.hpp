// SPDX-License-Identifier: BSD-3-Clause
// Matrices in the memory of a GPU, for tests of calls that take such matrices.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <pivotlab/matrix.hpp>

#include <memory>

namespace pivotlab::test {

/// A stream that ends with the test.
class GpuStream {
 public:
  GpuStream() { EXPECT_EQ(cudaStreamCreate(&stream_), cudaSuccess); }
  GpuStream(const GpuStream&) = delete;
  ~GpuStream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

struct GpuFree {
  void operator()(void* memory) const { cudaFree(memory); }
};
using GpuMemory = std::unique_ptr<void, GpuFree>;

inline GpuMemory gpu_memory(std::size_t bytes) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
  return GpuMemory(memory);
}

/// Bytes of memory of the GPU that nothing uses.
inline std::size_t free_gpu_memory() {
  std::size_t free = 0, total = 0;
  cudaDeviceSynchronize();
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  return free;
}

/// A matrix on the GPU with a few rows between its columns, which hold 0xff and must not change.
template <class T>
class GpuMatrix {
  static constexpr Index gap = 3;

 public:
  GpuMatrix(Index rows, Index cols) : rows_(rows), cols_(cols), memory_(gpu_memory(bytes())) {
    cudaMemset(memory_.get(), 0xff, bytes());
  }
  explicit GpuMatrix(const Matrix<T>& A) : GpuMatrix(A.rows(), A.cols()) {
    copy(A.data(), sizeof(T) * A.rows(), view().data, sizeof(T) * (rows_ + gap));
  }

  MatrixView<T> view() const { return {static_cast<T*>(memory_.get()), rows_, cols_, rows_ + gap}; }

  Matrix<T> on_host() const {
    Matrix<T> A(rows_, cols_);
    copy(view().data, sizeof(T) * (rows_ + gap), A.data(), sizeof(T) * rows_);
    return A;
  }

 private:
  std::size_t bytes() const { return sizeof(T) * static_cast<std::size_t>((rows_ + gap) * cols_); }
  void copy(const void* from, std::size_t from_stride, void* to, std::size_t to_stride) const {
    EXPECT_EQ(cudaMemcpy2D(to, to_stride, from, from_stride, sizeof(T) * static_cast<std::size_t>(rows_),
                           static_cast<std::size_t>(cols_), cudaMemcpyDefault),
              cudaSuccess);
  }

  Index rows_, cols_;
  GpuMemory memory_;
};

template <class T>
bool equal(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::equal(a.data(), a.data() + a.size(), b.data());
}

}  // namespace pivotlab::test
