// The routines of cuBLAS and cuSOLVER that the tangent path calls (../shared/pipeline.hpp says what each does). They
// run on a stream and return before they are done, but for those that report on the result.
#pragma once

#include "kernels/exec/cuda_error.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"
#include "kernels/libraries/cublas.hpp"
#include "kernels/libraries/cusolver.hpp"

#include <algorithm>
#include <complex>
#include <limits>
#include <memory>
#include <pivotlab/scalar_traits.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace pivotlab::tangent {

class CudaLibrary {
  using Complex = std::complex<double>;

 public:
  explicit CudaLibrary(cudaStream_t stream) : stream_(stream) {
    cublasHandle_t blas = nullptr;
    cuda::check(cuda::cublas().create(&blas), "cublasCreate");
    blas_ = {blas, cuda::cublas().destroy};
    cuda::check(cuda::cublas().set_stream(blas, stream), "cublasSetStream");
    cusolverDnHandle_t solver = nullptr;
    cuda::check(cuda::cusolver().create(&solver), "cusolverDnCreate");
    solver_ = {solver, cuda::cusolver().destroy};
    cuda::check(cuda::cusolver().set_stream(solver, stream), "cusolverDnSetStream");
  }

  /// The largest of what the routines ask for, and room for their reports. Eigenproblems are asked for at several
  /// orders, in case a smaller one should want more.
  template <class T>
  std::size_t work_elements(const Shape& shape) const {
    const int n = size(shape.n), tallest = size(std::max(shape.m_f, shape.m_g));
    int most = 0;
    const auto ask = [&](auto query) {
      int length = 0;
      query(&length);
      most = std::max(most, length);
    };
    for (const int rows : {n, size(shape.m_f), size(shape.m_g), tallest}) {
      ask([&](int* length) {
        cuda::check(choose<T>(solver().dgeqrf_buffer_size, solver().zgeqrf_buffer_size)(solver_.get(), rows, n,
                                                                                        raw<T>(nullptr), rows, length),
                    "xGEQRF_bufferSize");
      });
      ask([&](int* length) {
        cuda::check(choose<T>(solver().dormqr_buffer_size, solver().zunmqr_buffer_size)(
                        solver_.get(), CUBLAS_SIDE_LEFT, CUBLAS_OP_N, rows, n, n, raw<T>(nullptr), rows,
                        raw<T>(nullptr), raw<T>(nullptr), rows, length),
                    "xORMQR_bufferSize");
      });
    }
    for (int order = n; order > 0; order /= 2) ask([&](int* length) { *length = eigenvectors_length<T>(order); });
    ask([&](int* length) {
      cuda::check(choose<T>(solver().dpotrf_buffer_size, solver().zpotrf_buffer_size)(
                      solver_.get(), CUBLAS_FILL_MODE_LOWER, n, raw<T>(nullptr), n, length),
                  "xPOTRF_bufferSize");
    });
    return static_cast<std::size_t>(most) + for_info;
  }

  template <class T>
  void set_work(T* work, Index count, const Shape&) {
    info_ = reinterpret_cast<int*>(work);
    work_ = work + for_info;
    length_ = static_cast<int>(count - for_info);
  }

  template <class T>
  Index reflector_elements(Index n) const {
    return n;
  }

  template <class T>
  void qr(MatrixView<T> A, T* tau) const {
    cuda::check(choose<T>(solver().dgeqrf, solver().zgeqrf)(solver_.get(), size(A.rows), size(A.cols), raw<T>(A.data),
                                                            size(A.stride), raw<T>(tau), work<T>(), length_, info_),
                "xGEQRF");
  }

  template <class T>
  void apply_q(MatrixView<const T> A, const T* tau, MatrixView<T> C) const {
    cuda::check(choose<T>(solver().dormqr, solver().zunmqr)(solver_.get(), CUBLAS_SIDE_LEFT, CUBLAS_OP_N, size(C.rows),
                                                            size(C.cols), size(A.cols), raw<T>(A.data), size(A.stride),
                                                            raw<T>(tau), raw<T>(C.data), size(C.stride), work<T>(),
                                                            length_, info_),
                "xORMQR");
  }

  template <class T>
  void gram(MatrixView<const T> A, MatrixView<T> C) const {
    const double one = 1, zero = 0;
    cuda::check(choose<T>(blas().dsyrk, blas().zherk)(blas_.get(), CUBLAS_FILL_MODE_LOWER, adjoint<T>(), size(A.cols),
                                                      size(A.rows), &one, raw<T>(A.data), size(A.stride), &zero,
                                                      raw<T>(C.data), size(C.stride)),
                "xSYRK");
  }

  template <class T>
  void eigenvectors(MatrixView<T> C, double* lambda) const {
    if (!eigenvectors_converge(C, lambda)) throw std::runtime_error("xSYEVD: did not converge");
  }
  template <class T>
  bool eigenvectors_converge(MatrixView<T> C, double* lambda) const {
    if (eigenvectors_length<T>(size(C.cols)) > length_)
      throw std::logic_error("xSYEVD wants more work space at a smaller order");
    cuda::check(choose<T>(solver().dsyevd, solver().zheevd)(solver_.get(), CUSOLVER_EIG_MODE_VECTOR,
                                                            CUBLAS_FILL_MODE_LOWER, size(C.cols), raw<T>(C.data),
                                                            size(C.stride), lambda, work<T>(), length_, info_),
                "xSYEVD");
    return report("xSYEVD") == 0;
  }

  template <class T>
  bool cholesky(MatrixView<T> C) const {
    cuda::check(choose<T>(solver().dpotrf, solver().zpotrf)(solver_.get(), CUBLAS_FILL_MODE_LOWER, size(C.cols),
                                                            raw<T>(C.data), size(C.stride), work<T>(), length_, info_),
                "xPOTRF");
    return report("xPOTRF") == 0;
  }

  template <class T>
  void solve_right_adjoint(MatrixView<const T> L, MatrixView<T> X) const {
    solve(CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, adjoint<T>(), L, X);
  }
  template <class T>
  void solve_left_upper(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, R, X);
  }
  template <class T>
  void solve_left_upper_adjoint(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, adjoint<T>(), R, X);
  }
  template <class T>
  void solve_right_upper(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, R, X);
  }

  template <class T>
  void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(CUBLAS_OP_N, 1, A, B, 0, C);
  }
  template <class T>
  void multiply_adjoint(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(adjoint<T>(), 1, A, B, 0, C);
  }
  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(CUBLAS_OP_N, -1, A, B, 1, C);
  }

  template <class T>
  void multiply_left(bool upper, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    multiply_triangular(CUBLAS_SIDE_LEFT, upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, M, X, Y);
  }
  template <class T>
  void multiply_right_upper(MatrixView<const T> X, MatrixView<const T> R, MatrixView<T> Y) const {
    multiply_triangular(CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, R, X, Y);
  }

 private:
  static constexpr Index for_info = 64;

  static int size(Index n) {
    if (n > std::numeric_limits<int>::max())
      throw std::length_error("a dimension does not fit into the integers of cuBLAS and cuSOLVER");
    return static_cast<int>(n);
  }
  static const cuda::Cublas& blas() { return cuda::cublas(); }
  static const cuda::Cusolver& solver() { return cuda::cusolver(); }

  template <class T, class Real, class Other>
  static auto choose(Real real, Other complex) {
    if constexpr (is_complex<T>)
      return complex;
    else
      return real;
  }
  /// The libraries' pointer to scalars T; they do not write where they are said to take constants.
  template <class T>
  static auto raw(const T* x) {
    using Raw = std::conditional_t<is_complex<T>, cuDoubleComplex, double>;
    return reinterpret_cast<Raw*>(const_cast<T*>(x));
  }
  template <class T>
  static constexpr cublasOperation_t adjoint() {
    return is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T;
  }
  template <class T>
  auto work() const {
    return raw<T>(static_cast<T*>(work_));
  }

  template <class T>
  int eigenvectors_length(int order) const {
    int length = 0;
    cuda::check(choose<T>(solver().dsyevd_buffer_size, solver().zheevd_buffer_size)(
                    solver_.get(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, raw<T>(nullptr), order,
                    nullptr, &length),
                "xSYEVD_bufferSize");
    return length;
  }

  /// C := alpha·op(A)·B + beta·C
  template <class T>
  void product(cublasOperation_t op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
               MatrixView<T> C) const {
    const T a = alpha, b = beta;
    cuda::check(choose<T>(blas().dgemm, blas().zgemm)(
                    blas_.get(), op, CUBLAS_OP_N, size(C.rows), size(C.cols), size(B.rows), raw<T>(&a), raw<T>(A.data),
                    size(A.stride), raw<T>(B.data), size(B.stride), raw<T>(&b), raw<T>(C.data), size(C.stride)),
                "xGEMM");
  }

  template <class T>
  void solve(cublasSideMode_t side, cublasFillMode_t triangle, cublasOperation_t operation, MatrixView<const T> R,
             MatrixView<T> X) const {
    const T one = 1.0;
    cuda::check(choose<T>(blas().dtrsm, blas().ztrsm)(blas_.get(), side, triangle, operation, CUBLAS_DIAG_NON_UNIT,
                                                      size(X.rows), size(X.cols), raw<T>(&one), raw<T>(R.data),
                                                      size(R.stride), raw<T>(X.data), size(X.stride)),
                "xTRSM");
  }

  template <class T>
  void multiply_triangular(cublasSideMode_t side, cublasFillMode_t triangle, MatrixView<const T> M,
                           MatrixView<const T> X, MatrixView<T> Y) const {
    const T one = 1.0;
    cuda::check(
        choose<T>(blas().dtrmm, blas().ztrmm)(blas_.get(), side, triangle, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
                                              size(Y.rows), size(Y.cols), raw<T>(&one), raw<T>(M.data), size(M.stride),
                                              raw<T>(X.data), size(X.stride), raw<T>(Y.data), size(Y.stride)),
        "xTRMM");
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
  std::shared_ptr<std::remove_pointer_t<cublasHandle_t>> blas_;
  std::shared_ptr<std::remove_pointer_t<cusolverDnHandle_t>> solver_;
  int* info_ = nullptr;
  void* work_ = nullptr;
  int length_ = 0;
};

}  // namespace pivotlab::tangent
