// Matrix products of cuBLAS on a stream. This header needs no header of CUDA, so that sources of kernels can include
// it.
#pragma once

#include <complex>
#include <pivotlab/matrix.hpp>

namespace pivotlab::cuda {

/// A cuBLAS handle on a stream. Constructing it loads the library; throws NotSupported if it is missing, std::bad_alloc
/// or std::runtime_error if a call fails.
class CublasHandle {
 public:
  /// `stream` is a cudaStream_t, which must live as long as the handle.
  explicit CublasHandle(void* stream);
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  ~CublasHandle();

  /// Returns whether the library is available.
  static bool available();

  /// Computes C := op(A)·op(B), views of device memory; returns before the result is complete.
  void gemm(bool transpose_a, MatrixView<const double> A, bool transpose_b, MatrixView<const double> B,
            MatrixView<double> C) const;
  void gemm(bool transpose_a, MatrixView<const std::complex<double>> A, bool transpose_b,
            MatrixView<const std::complex<double>> B, MatrixView<std::complex<double>> C) const;
  /// Computes C := C − A·B; returns before the result is complete.
  void subtract_product(MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> C) const;
  void subtract_product(MatrixView<const std::complex<double>> A, MatrixView<const std::complex<double>> B,
                        MatrixView<std::complex<double>> C) const;

 private:
  void* handle_ = nullptr;
};

}  // namespace pivotlab::cuda
