// SPDX-License-Identifier: BSD-3-Clause
// cuBLAS, loaded on first use, with each routine overloaded on the scalar, double or complex double. Plain: a device
// compiler reads it, too.
#pragma once

#include "kernels/libraries/nvidia.hpp"

#include <cstdint>
#include <memory>

namespace pivotlab::cuda {

/// Throws std::bad_alloc if memory does not suffice, std::runtime_error for every other failure.
void check(cublasStatus_t status, const char* call, std::source_location where = std::source_location::current());

/// Returns a routine of the library. Throws NotSupported with one line if the library or the routine is missing.
Symbol cublas_symbol(const char* name);

/// The header overloads these two on the type of the computation.
using CublasGemmEx = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                    const void* alpha, const void* A, cudaDataType, int lda, const void* B,
                                    cudaDataType, int ldb, const void* beta, void* C, cudaDataType, int ldc,
                                    cublasComputeType_t, cublasGemmAlgo_t);
using CublasGemmBatched = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                         const void* alpha, const void* A, cudaDataType, int lda, long long stride_a,
                                         const void* B, cudaDataType, int ldb, long long stride_b, const void* beta,
                                         void* C, cudaDataType, int ldc, long long stride_c, int count,
                                         cublasComputeType_t, cublasGemmAlgo_t);

struct CublasRoutines {
  decltype(cublasCreate_v2)* create = cublas_symbol("cublasCreate_v2");
  decltype(cublasDestroy_v2)* destroy = cublas_symbol("cublasDestroy_v2");
  decltype(cublasSetStream_v2)* set_stream = cublas_symbol("cublasSetStream_v2");
  decltype(cublasGetProperty)* property = cublas_symbol("cublasGetProperty");
  decltype(cublasDsyrk_v2)* dsyrk = cublas_symbol("cublasDsyrk_v2");
  decltype(cublasZherk_v2)* zherk = cublas_symbol("cublasZherk_v2");
  decltype(cublasDgemm_v2)* dgemm = cublas_symbol("cublasDgemm_v2");
  decltype(cublasZgemm_v2)* zgemm = cublas_symbol("cublasZgemm_v2");
  decltype(cublasZgemm3m)* zgemm3m = cublas_symbol("cublasZgemm3m");
  CublasGemmEx* gemm_ex = cublas_symbol("cublasGemmEx");
  CublasGemmBatched* gemm_batched = cublas_symbol("cublasGemmStridedBatchedEx");
  decltype(cublasDtrsm_v2)* dtrsm = cublas_symbol("cublasDtrsm_v2");
  decltype(cublasZtrsm_v2)* ztrsm = cublas_symbol("cublasZtrsm_v2");
  decltype(cublasDtrmm_v2)* dtrmm = cublas_symbol("cublasDtrmm_v2");
  decltype(cublasZtrmm_v2)* ztrmm = cublas_symbol("cublasZtrmm_v2");
};

/// Returns the routines. Throws NotSupported as cublas_symbol() does.
const CublasRoutines& cublas_routines();

/// Makes handles for PooledHandle. Their stream is their only setting.
struct CublasHandles : Handles<CublasHandles, cublasHandle_t> {
  static Handle create();
  static void destroy(Handle handle) noexcept;
  static bool reset(Handle handle) noexcept;  ///< as its stream ends before it
};

/// A handle on a stream, which copies share. Views are of device memory; functions return before the result is
/// complete.
class Cublas {
 public:
  /// The stream must live as long as the handle, which others may use afterwards: then recorded graphs with its calls
  /// must not be replayed any more. Throws NotSupported if the library is missing, std::bad_alloc or
  /// std::runtime_error if a call fails.
  explicit Cublas(cudaStream_t stream);

  /// Returns whether the library is available.
  static bool available();

  /// Computes C := α·op(A)·op(B) + β·C.
  template <class T>
  void gemm(Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
            MatrixView<T> C) const {
    gemm_by(all().zgemm, op_a, op_b, alpha, A, B, beta, C);
  }
  /// Computes the same, a complex product by three real ones, whose rounding errors are up to a few times as large.
  template <class T>
  void gemm3m(Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
              MatrixView<T> C) const {
    gemm_by(all().zgemm3m, op_a, op_b, alpha, A, B, beta, C);
  }

  /// Computes C := A·B of float or complex float, factors rounded to 11 bits, on tensor cores.
  template <class S>
  void multiply_roughly(MatrixView<const S> A, MatrixView<const S> B, MatrixView<S> C) const {
    constexpr cudaDataType type = is_complex<S> ? CUDA_C_32F : CUDA_R_32F;
    const S one = 1, zero = 0;
    check(all().gemm_ex(handle_->get(), CUBLAS_OP_N, CUBLAS_OP_N, size(C.rows), size(C.cols), size(A.cols), &one,
                        A.data, type, size(A.stride), B.data, type, size(B.stride), &zero, C.data, type, size(C.stride),
                        CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  }

  /// Holds matrices of one shape that follow each other at a distance.
  template <class T>
  struct Batch {
    MatrixView<T> first;
    Index distance;
    T* at(Index t) const { return first.data + t * distance; }
  };

  /// Computes `count` products C := Aᵀ·B of bytes with signs, or C := C + Aᵀ·B, in integers of 32 bits. Large ones are
  /// faster one by one.
  void multiply_bytes(const Batch<const std::int8_t>& A, const Batch<const std::int8_t>& B, bool add,
                      const Batch<std::int32_t>& C, int count) const {
    const std::int32_t one = 1, beta = add ? 1 : 0;
    const int m = size(C.first.rows), n = size(C.first.cols), k = size(A.first.rows), lda = size(A.first.stride),
              ldb = size(B.first.stride), ldc = size(C.first.stride);
    constexpr Index large = Index(1) << 22;
    if (C.first.rows * C.first.cols < large)
      return check(all().gemm_batched(handle_->get(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, A.at(0), CUDA_R_8I, lda,
                                      A.distance, B.at(0), CUDA_R_8I, ldb, B.distance, &beta, C.at(0), CUDA_R_32I, ldc,
                                      C.distance, count, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
                   "cublasGemmStridedBatchedEx");
    for (int t = 0; t < count; ++t)
      check(all().gemm_ex(handle_->get(), CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &one, A.at(t), CUDA_R_8I, lda, B.at(t),
                          CUDA_R_8I, ldb, &beta, C.at(t), CUDA_R_32I, ldc, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx");
  }

  /// Computes a triangle of C := AᴴA.
  template <class T>
  void gram(Triangle triangle, MatrixView<const T> A, MatrixView<T> C) const {
    const double one = 1, zero = 0;
    call<T>("xSYRK", all().dsyrk, all().zherk, cublas(triangle), cublas<T>(Op::adjoint), size(A.cols), size(A.rows),
            &one, A.data, size(A.stride), &zero, C.data, size(C.stride));
  }

  /// Computes X := op(R)⁻¹·X or X·op(R)⁻¹ for a triangular R on that side.
  template <class T>
  void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) const {
    const T one = 1.0;
    call<T>("xTRSM", all().dtrsm, all().ztrsm, cublas(side), cublas(triangle), cublas<T>(op), CUBLAS_DIAG_NON_UNIT,
            size(X.rows), size(X.cols), &one, R.data, size(R.stride), X.data, size(X.stride));
  }

  /// Computes Y := M·X or X·M for a triangular M on that side.
  template <class T>
  void trmm(Side side, Triangle triangle, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    const T one = 1.0;
    call<T>("xTRMM", all().dtrmm, all().ztrmm, cublas(side), cublas(triangle), CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
            size(Y.rows), size(Y.cols), &one, M.data, size(M.stride), X.data, size(X.stride), Y.data, size(Y.stride));
  }

 private:
  static const CublasRoutines& all() { return cublas_routines(); }

  template <class T, class Complex>
  void gemm_by(Complex* complex, Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B,
               double beta, MatrixView<T> C) const {
    const T a = alpha, b = beta;
    call<T>("xGEMM", all().dgemm, complex, cublas<T>(op_a), cublas<T>(op_b), size(C.rows), size(C.cols),
            size(op_a == Op::none ? A.cols : A.rows), &a, A.data, size(A.stride), B.data, size(B.stride), &b, C.data,
            size(C.stride));
  }
  template <class T, class Real, class Complex, class... Arguments>
  void call(const char* name, Real* real, Complex* complex, Arguments... arguments) const {
    check(pick<T>(real, complex)(handle_->get(), raw(arguments)...), name);
  }
  void check(cublasStatus_t status, const char* name) const {
    if (status != CUBLAS_STATUS_SUCCESS) handle_->note_failure();
    cuda::check(status, name);
  }

  std::shared_ptr<PooledHandle<CublasHandles>> handle_ = std::make_shared<PooledHandle<CublasHandles>>();
};

}  // namespace pivotlab::cuda
