// Factorizations of cuSOLVER on a stream. This header needs no header of CUDA, so that sources of kernels can include
// it.
#pragma once

#include <complex>
#include <cstddef>
#include <pivotlab/matrix.hpp>

namespace pivotlab::cuda {

/// A cuSOLVER handle on a stream. Constructing it loads the library; throws NotSupported if it is missing,
/// std::bad_alloc or std::runtime_error if a call fails.
class CusolverHandle {
 public:
  /// `stream` is a cudaStream_t, which must live as long as the handle.
  explicit CusolverHandle(void* stream);
  CusolverHandle(const CusolverHandle&) = delete;
  CusolverHandle& operator=(const CusolverHandle&) = delete;
  ~CusolverHandle();

  /// Returns whether the library is available.
  static bool available();

  /// Returns the number of elements of workspace for `qr`. T is double or std::complex<double>.
  template <class T>
  std::size_t qr_workspace(MatrixView<T> A) const;

  /// Computes A = Q·R by Householder reflectors: A := Q, thin, and diagonal := the diagonal of R. All arguments are
  /// device memory: A with rows ≥ cols, `diagonal` and `tau` of cols elements, `work` of `length`, `info` of one.
  /// Returns before the result is complete.
  template <class T>
  void qr(MatrixView<T> A, T* diagonal, T* tau, T* work, std::size_t length, int* info) const;

  /// Returns the number of elements of workspace for `solve`.
  template <class T>
  std::size_t solve_workspace(MatrixView<T> A) const;

  /// Computes B := A⁻¹·B for a square A by LU with partial pivoting, which overwrites A; if A is singular the result is
  /// not a number. All arguments are device memory: `pivots` of A.rows elements, `work` of solve_workspace(A), `info`
  /// of one. Returns before the result is complete.
  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B, int* pivots, T* work, int* info) const;

 private:
  void* handle_ = nullptr;
  void* stream_ = nullptr;
};

}  // namespace pivotlab::cuda
