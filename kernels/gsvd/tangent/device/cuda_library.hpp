// SPDX-License-Identifier: BSD-3-Clause
// The routines of cuBLAS and cuSOLVER that the tangent path calls (../shared/run.hpp says what each does), and our own
// eigensolver where it is faster. They run on a stream and return before they are done, but for those that report on
// the result.
#pragma once

#include "kernels/exec/cuda_error.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"
#include "kernels/gsvd/tangent/shared/products.hpp"
#include "kernels/libraries/cublas.hpp"
#include "kernels/libraries/cusolver.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace pivotlab::tangent {

class CudaLibrary : public Products<CudaLibrary> {
 public:
  explicit CudaLibrary(cudaStream_t stream) : stream_(stream), blas_(stream), solver_(stream) {}

  /// The largest of what the routines ask for, and room for their reports. Eigenproblems are asked for at several
  /// orders, in case a smaller one should want more.
  template <class T>
  std::size_t work_elements(const Shape& shape) const {
    int length = solver_.potrf_length(somewhere<T>(shape.n, shape.n));
    for (const Index rows : {shape.n, shape.m_f, shape.m_g}) {
      const MatrixView<T> A = somewhere<T>(rows, shape.n);
      length = std::max({length, solver_.geqrf_length(A), solver_.template unmqr_length<T>(A, A)});
    }
    auto most = static_cast<std::size_t>(length);
    for (Index order = shape.n; order > 0; order /= 2)
      most = std::max(most, (eigenvectors_bytes<T>(order).device + sizeof(T) - 1) / sizeof(T));
    if (const Index order = two_stage::largest_faster<T>(shape.n); order > 0)
      most = std::max(most, (own_solver<T>().workspace_bytes(order) + alignment) / sizeof(T) + 1);
    return most + for_info;
  }

  template <class T>
  void set_work(T* work, Index count, const Shape&) {
    info_ = reinterpret_cast<int*>(work);
    work_ = work + for_info;
    length_ = count - for_info;
  }

  template <class T>
  Index reflector_elements(Index n) const {
    return n;
  }

  template <class T>
  void qr(MatrixView<T> A, T* tau) const {
    solver_.geqrf(A, tau, work<T>(), info_);
  }
  template <class T>
  void apply_q(MatrixView<const T> A, const T* tau, MatrixView<T> C) const {
    solver_.unmqr(A, tau, C, work<T>(), info_);
  }
  template <class T>
  void gram(MatrixView<const T> A, MatrixView<T> C) const {
    blas_.gram(Triangle::lower, A, C);
  }

  template <class T>
  void eigenvectors(MatrixView<T> C, double* lambda) const {
    if (!eigenvectors_converge(C, lambda)) throw std::runtime_error("eigenvectors: did not converge");
  }
  template <class T>
  bool eigenvectors_converge(MatrixView<T> C, double* lambda) const {
    if (has_own_solver<T>(C.cols)) {
      const auto address = (reinterpret_cast<std::uintptr_t>(work_) + alignment - 1) / alignment * alignment;
      return own_solver<T>().solve(C, lambda, reinterpret_cast<void*>(address)) == two_stage::Outcome::converged;
    }
    const cuda::Cusolver::Bytes bytes = eigenvectors_bytes<T>(C.cols);
    const std::span device(static_cast<std::byte*>(work_), static_cast<std::size_t>(length_) * sizeof(T));
    if (bytes.device > device.size()) throw std::logic_error("Xsyevd wants more work space at a smaller order");
    std::vector<std::byte> host(bytes.host);
    solver_.heevd(C, lambda, device, host, info_);
    return report("Xsyevd") == 0;
  }

  template <class T>
  bool cholesky(MatrixView<T> C) const {
    solver_.potrf(C, work<T>(), info_);
    return report("xPOTRF") == 0;
  }

  template <class T>
  void gemm(Op op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) const {
    blas_.gemm(op, Op::none, alpha, A, B, beta, C);
  }
  template <class S>
  void multiply_roughly(MatrixView<const S> A, MatrixView<const S> B, MatrixView<S> C) const {
    blas_.multiply_roughly(A, B, C);
  }
  template <class T>
  void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) const {
    blas_.trsm(side, triangle, op, R, X);
  }
  template <class T>
  void trmm(Side side, Triangle triangle, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    blas_.trmm(side, triangle, M, X, Y);
  }

 private:
  static constexpr Index for_info = 64;
  static constexpr std::size_t alignment = 256;

  template <class T>
  bool has_own_solver(Index order) const {
    return two_stage::is_faster<T>(order) && order <= own_solver<T>().most_rows();
  }
  template <class T>
  two_stage::Eigensolver<T>& own_solver() const {
    auto& solver = std::get<std::unique_ptr<two_stage::Eigensolver<T>>>(own_solvers_);
    if (!solver) solver = two_stage::make_cuda_eigensolver<T>(stream_);
    return *solver;
  }

  /// A matrix for queries, which do not read it.
  template <class T>
  static MatrixView<T> somewhere(Index rows, Index cols) {
    return {nullptr, rows, cols, rows};
  }
  template <class T>
  cuda::Work<T> work() const {
    return {static_cast<T*>(work_), static_cast<int>(std::min<Index>(length_, std::numeric_limits<int>::max()))};
  }
  template <class T>
  cuda::Cusolver::Bytes eigenvectors_bytes(Index order) const {
    return solver_.heevd_bytes(somewhere<T>(order, order));
  }

  /// Waits for the routine.
  int report(const char* routine) const {
    int code = 0;
    cuda::check(cudaMemcpyAsync(&code, info_, sizeof code, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    if (code < 0)
      throw std::logic_error(std::string(routine) + ": argument " + std::to_string(-code) + " is not valid");
    return code;
  }

  cudaStream_t stream_;
  cuda::Cublas blas_;
  cuda::Cusolver solver_;
  mutable std::tuple<std::unique_ptr<two_stage::Eigensolver<double>>,
                     std::unique_ptr<two_stage::Eigensolver<std::complex<double>>>>
      own_solvers_;
  int* info_ = nullptr;
  void* work_ = nullptr;
  Index length_ = 0;
};

}  // namespace pivotlab::tangent
