// SPDX-License-Identifier: BSD-3-Clause
// A machine for double-double linear algebra: an executor and a few routines of BLAS and LAPACK in double.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/elements.hpp"
#include "kernels/numerics/extension.hpp"

#include <complex>
#include <cstddef>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace pivotlab::extended {

template <class T>
using Extended = Rebind<T, DoubleDouble>;

template <class T>
struct Extend {
  MatrixView<const T> A;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = extend<Extended<T>>(at(A, i, j)); }
};
template <class T>
struct Round {
  MatrixView<const Extended<T>> A;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = round_to_double<T>(at(A, i, j)); }
};

/// A column-major matrix in the memory of an executor; its views contain addresses of this memory.
template <class T>
class DeviceMatrix {
 public:
  DeviceMatrix() = default;
  DeviceMatrix(Buffer<T> memory, Index rows, Index cols) : memory_(std::move(memory)), rows_(rows), cols_(cols) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  T* data() const { return memory_.data(); }
  MatrixView<T> view() const { return {data(), rows_, cols_, rows_}; }
  operator MatrixView<T>() const { return view(); }
  operator MatrixView<const T>() const { return view(); }

 private:
  Buffer<T> memory_;
  Index rows_ = 0, cols_ = 0;
};

/// Library is made from an executor and works in its memory, on double and std::complex<double>:
///
///   library.gemm(transpose_a, A, transpose_b, B, C)    C := op(A)·op(B)
///   library.subtract_product(A, B, C)                  C := C − A·B
///   library.multiply_roughly(A, B, C)                  C := A·B of float, to three digits of Σ|a_ik|·|b_kj|
///   library.qr(A, R)                                   A = Q·R by Householder; A := Q, and the upper triangle of R is
///                                                      written
///   library.solve_upper(R, B)                          B := B·R⁻¹, R upper triangular
///   library.solve(A, B)                                B := A⁻¹·B by LU with partial pivoting, A is overwritten; no
///                                                      numbers where A is singular
template <class Executor, class Library>
class Machine {
 public:
  template <class... Parameters>
  explicit Machine(Parameters&&... parameters)
      : executor(std::forward<Parameters>(parameters)...), library_(executor) {}

  template <class T>
  DeviceMatrix<T> matrix(Index rows, Index cols) {
    return {executor.template allocate<T>(static_cast<std::size_t>(rows * cols)), rows, cols};
  }
  template <class T>
  DeviceMatrix<T> zeros(Index rows, Index cols) {
    DeviceMatrix<T> result = matrix<T>(rows, cols);
    executor.fill_zero(result.data(), static_cast<std::size_t>(rows * cols));
    return result;
  }
  template <class T>
  DeviceMatrix<T> upload(const Matrix<T>& A) {
    return upload(A.view());
  }
  template <class T>
  DeviceMatrix<T> upload(MatrixView<const T> A) {
    DeviceMatrix<T> result = matrix<T>(A.rows, A.cols);
    upload_matrix(executor, A, result.data());
    return result;
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& x) {
    Buffer<T> result = executor.template allocate<T>(x.size());
    executor.upload(result.data(), x.data(), x.size());
    return result;
  }
  template <class T>
  Matrix<T> download(const DeviceMatrix<T>& A) {
    Matrix<T> result(A.rows(), A.cols());
    executor.download(result.data(), A.data(), static_cast<std::size_t>(result.size()));
    return result;
  }
  template <class T>
  std::vector<T> download(const Buffer<T>& x) {
    std::vector<T> result(x.size());
    executor.download(result.data(), x.data(), x.size());
    return result;
  }

  /// Returns `count` doubles that work(pointer) computes in the executor's memory.
  template <class Work>
  std::vector<double> vector_of(Index count, Work&& work) {
    const Buffer<double> result = executor.template allocate<double>(static_cast<std::size_t>(count));
    work(result.data());
    return download(result);
  }

  template <class F>
  void for_each(Index rows, Index cols, const F& f) {
    pivotlab::for_each(executor, rows, cols, f);
  }
  template <class F>
  void reduce_columns(Index rows, Index cols, const F& f) {
    pivotlab::reduce_columns(executor, rows, cols, f);
  }
  template <class T>
  void gemm(bool transpose_a, std::type_identity_t<MatrixView<const T>> A, bool transpose_b,
            std::type_identity_t<MatrixView<const T>> B, MatrixView<T> C) {
    library_.gemm(transpose_a, A, transpose_b, B, C);
    const Index inner = transpose_a ? A.rows : A.cols;
    flops_ += (is_complex<T> ? 8.0 : 2.0) * static_cast<double>(inner) * static_cast<double>(C.rows * C.cols);
  }
  template <class T>
  void subtract_product(std::type_identity_t<MatrixView<const T>> A, std::type_identity_t<MatrixView<const T>> B,
                        MatrixView<T> C) {
    library_.subtract_product(A, B, C);
    flops_ += (is_complex<T> ? 8.0 : 2.0) * static_cast<double>(A.cols) * static_cast<double>(C.rows * C.cols);
  }
  void multiply_roughly(MatrixView<const float> A, MatrixView<const float> B, MatrixView<float> C) {
    library_.multiply_roughly(A, B, C);
  }
  template <class T>
  void qr(MatrixView<T> A, MatrixView<T> R) {
    library_.qr(A, R);
  }
  template <class T>
  void solve_upper(std::type_identity_t<MatrixView<const T>> R, MatrixView<T> B) {
    library_.solve_upper(R, B);
  }
  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B) {
    library_.solve(A, B);
  }
  /// Returns the operations of all products in double so far.
  double flops() const { return flops_; }

  Executor executor;

 private:
  Library library_;
  double flops_ = 0;
};

/// Memory that is reused from call to call.
template <class T>
class Scratch {
 public:
  template <class Executor>
  T* get(Executor& executor, std::size_t count) {
    if (buffer_.size() < count) {
      buffer_ = Buffer<T>();  // released first, so that both never exist at the same time
      buffer_ = executor.template allocate<T>(count);
    }
    return buffer_.data();
  }

 private:
  Buffer<T> buffer_;
};

}  // namespace pivotlab::extended
