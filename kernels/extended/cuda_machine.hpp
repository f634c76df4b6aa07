// SPDX-License-Identifier: BSD-3-Clause
// The machine of a GPU. Compiled by nvcc only.
#pragma once

#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/device_matrix.hpp"
#include "kernels/extended/machine.hpp"
#include "kernels/libraries/cublas.hpp"
#include "kernels/libraries/cusolver.hpp"

#include <optional>

namespace pivotlab::extended {

/// cuBLAS, and cuSOLVER from the first factorization on, because it starts slowly and few callers need it.
class CudaLibrary {
 public:
  explicit CudaLibrary(CudaExecutor& executor) : executor_(executor), blas_(executor.stream()) {}

  /// Computes C := op(A)·op(B), with transposes.
  template <class T>
  void gemm(bool transpose_a, MatrixView<const T> A, bool transpose_b, MatrixView<const T> B, MatrixView<T> C) const {
    const auto op = [](bool transpose) { return transpose ? Op::transpose : Op::none; };
    blas_.gemm(op(transpose_a), op(transpose_b), 1, A, B, 0, C);
  }

  /// Computes C := C − A·B.
  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    blas_.gemm(Op::none, Op::none, -1, A, B, 1, C);
  }

  /// Computes C := A·B, factors rounded to 11 bits.
  void multiply_roughly(MatrixView<const float> A, MatrixView<const float> B, MatrixView<float> C) const {
    blas_.multiply_roughly(A, B, C);
  }

  /// Computes A = Q·R by Householder reflectors for rows ≥ cols: A := Q, thin, and the upper triangle of R, which may
  /// have any numbers below.
  template <class T>
  void qr(MatrixView<T> A, MatrixView<T> R) {
    const Buffer<T> tau = allocate<T>(A.cols);
    const Buffer<T> memory = allocate<T>(std::max(solver().geqrf_length(A), solver().ungqr_length(A)));
    const cuda::Work<T> work{memory.data(), static_cast<int>(memory.size())};
    const Buffer<int> info = allocate<int>(1);
    solver().geqrf(A, tau.data(), work, info.data());
    cuda::copy<T>(A.block(0, 0, R.rows, R.cols), R, executor_.stream());
    solver().template ungqr<T>(A, tau.data(), work, info.data());
  }

  /// Computes B := B·R⁻¹ for an upper triangular R.
  template <class T>
  void solve_upper(MatrixView<const T> R, MatrixView<T> B) const {
    blas_.trsm(Side::right, Triangle::upper, Op::none, R, B);
  }

  /// Computes B := A⁻¹·B for a square A by LU with partial pivoting, which overwrites A; if A is singular the result is
  /// not a number.
  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B) {
    const Buffer<int> pivots = allocate<int>(A.rows);
    const Buffer<T> work = allocate<T>(solver().getrf_length(A));
    const Buffer<int> info = allocate<int>(1);
    solver().getrf(A, pivots.data(), work.data(), info.data());
    solver().template getrs<T>(A, pivots.data(), B, info.data());
  }

 private:
  template <class T>
  Buffer<T> allocate(Index count) {
    return executor_.allocate<T>(static_cast<std::size_t>(count));
  }
  const cuda::Cusolver& solver() {
    if (!solver_) solver_.emplace(executor_.stream());
    return *solver_;
  }

  CudaExecutor& executor_;
  cuda::Cublas blas_;
  std::optional<cuda::Cusolver> solver_;
};

using CudaMachine = Machine<CudaExecutor, CudaLibrary>;

}  // namespace pivotlab::extended
