#include "kernels/libraries/cublas_handle.hpp"

#include "kernels/libraries/cublas.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::cuda {
namespace {

cublasHandle_t typed(void* handle) {
  return static_cast<cublasHandle_t>(handle);
}

cublasOperation_t operation(bool transpose) {
  return transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// Scalar is the type of T in cuBLAS.
template <class T, class Scalar, class Routine>
void multiply(Routine* routine, cublasHandle_t handle, const Scalar& alpha, const Scalar& beta, bool transpose_a,
              MatrixView<const T> A, bool transpose_b, MatrixView<const T> B, MatrixView<T> C) {
  const auto in = [](const T* x) { return reinterpret_cast<const Scalar*>(x); };
  const Index inner = transpose_a ? A.rows : A.cols;
  check(routine(handle, operation(transpose_a), operation(transpose_b), static_cast<int>(C.rows),
                static_cast<int>(C.cols), static_cast<int>(inner), &alpha, in(A.data), static_cast<int>(A.stride),
                in(B.data), static_cast<int>(B.stride), &beta, reinterpret_cast<Scalar*>(C.data),
                static_cast<int>(C.stride)),
        "xGEMM");
}

}  // namespace

CublasHandle::CublasHandle(void* stream) {
  cublasHandle_t handle = nullptr;
  check(cublas().create(&handle), "cublasCreate");
  handle_ = handle;
  check(cublas().set_stream(handle, static_cast<cudaStream_t>(stream)), "cublasSetStream");
}

CublasHandle::~CublasHandle() {
  cublas().destroy(typed(handle_));
}

bool CublasHandle::available() {
  try {
    cublas();
    return true;
  } catch (const NotSupported&) {
    return false;
  }
}

void CublasHandle::gemm(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
                        MatrixView<double> C) const {
  multiply(cublas().dgemm, typed(handle_), 1.0, 0.0, transpose_a, A, transpose_b, B, C);
}

void CublasHandle::gemm(bool transpose_a, MatrixView<const std::complex<double>> A, bool transpose_b,
                        MatrixView<const std::complex<double>> B, MatrixView<std::complex<double>> C) const {
  multiply(cublas().zgemm, typed(handle_), cuDoubleComplex{1, 0}, cuDoubleComplex{0, 0}, transpose_a, A, transpose_b, B,
           C);
}

void CublasHandle::subtract_product(MatrixView<const double> A, MatrixView<const double> B,
                                    MatrixView<double> C) const {
  multiply(cublas().dgemm, typed(handle_), -1.0, 1.0, false, A, false, B, C);
}

void CublasHandle::subtract_product(MatrixView<const std::complex<double>> A, MatrixView<const std::complex<double>> B,
                                    MatrixView<std::complex<double>> C) const {
  multiply(cublas().zgemm, typed(handle_), cuDoubleComplex{-1, 0}, cuDoubleComplex{1, 0}, false, A, false, B, C);
}

}  // namespace pivotlab::cuda
