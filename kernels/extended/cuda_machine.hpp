// The machine of a GPU. Compiled by nvcc only.
#pragma once

#include "kernels/exec/cuda_executor.hpp"
#include "kernels/extended/machine.hpp"
#include "kernels/libraries/cublas_handle.hpp"
#include "kernels/libraries/cusolver_handle.hpp"

#include <optional>

namespace pivotlab::extended {

/// cuBLAS, and cuSOLVER from the first factorization on, because it starts slowly and few callers need it.
class CudaLibrary {
 public:
  explicit CudaLibrary(CudaExecutor& executor) : executor_(executor), blas_(executor.stream()) {}

  template <class T>
  void gemm(bool transpose_a, MatrixView<const T> A, bool transpose_b, MatrixView<const T> B, MatrixView<T> C) const {
    blas_.gemm(transpose_a, A, transpose_b, B, C);
  }

  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    blas_.subtract_product(A, B, C);
  }

  template <class T>
  void qr(MatrixView<T> A, T* diagonal) {
    const Buffer<T> tau = executor_.allocate<T>(static_cast<std::size_t>(A.cols));
    const Buffer<T> work = executor_.allocate<T>(solver().qr_workspace(A));
    const Buffer<int> info = executor_.allocate<int>(1);
    solver().qr(A, diagonal, tau.data(), work.data(), work.size(), info.data());
  }

  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B) {
    const Buffer<int> pivots = executor_.allocate<int>(static_cast<std::size_t>(A.rows));
    const Buffer<T> work = executor_.allocate<T>(solver().solve_workspace(A));
    const Buffer<int> info = executor_.allocate<int>(1);
    solver().solve(A, B, pivots.data(), work.data(), info.data());
  }

 private:
  cuda::CusolverHandle& solver() {
    if (!solver_) solver_.emplace(executor_.stream());
    return *solver_;
  }

  CudaExecutor& executor_;
  cuda::CublasHandle blas_;
  std::optional<cuda::CusolverHandle> solver_;
};

using CudaMachine = Machine<CudaExecutor, CudaLibrary>;

}  // namespace pivotlab::extended
