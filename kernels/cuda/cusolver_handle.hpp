// Factorizations of cuSOLVER on a stream. Of CUDA's headers none is needed, so that kernels' sources can include this.
#pragma once

#include <complex>
#include <cstddef>
#include <pivotlab/matrix.hpp>

namespace pivotlab::cuda {

/// A cuSOLVER handle on a stream. Constructing it loads the library; throws NotSupported if that is not there,
/// std::bad_alloc or std::runtime_error if a call fails.
class CusolverHandle {
 public:
  /// `stream` is a cudaStream_t, which must live as long as the handle.
  explicit CusolverHandle(void* stream);
  CusolverHandle(const CusolverHandle&) = delete;
  CusolverHandle& operator=(const CusolverHandle&) = delete;
  ~CusolverHandle();

  /// Whether the library is there.
  static bool available();

  /// Elements of work space that `qr` wants. T is double or std::complex<double>.
  template <class T>
  std::size_t qr_workspace(MatrixView<T> A) const;

  /// A = Q·R by Householder reflectors: A := Q, thin, and diagonal := the diagonal of R. All is device memory: A of
  /// rows ≥ cols, `diagonal` and `tau` of cols elements, `work` of `length`, `info` of one. Returns before it is done.
  template <class T>
  void qr(MatrixView<T> A, T* diagonal, T* tau, T* work, std::size_t length, int* info) const;

  /// Elements of work space that `solve` wants.
  template <class T>
  std::size_t solve_workspace(MatrixView<T> A) const;

  /// B := A⁻¹·B for a square A by LU with partial pivoting, which overwrites A; no numbers where A is singular. All is
  /// device memory: `pivots` of A.rows elements, `work` of solve_workspace(A), `info` of one. Returns before it is
  /// done.
  template <class T>
  void solve(MatrixView<T> A, MatrixView<T> B, int* pivots, T* work, int* info) const;

 private:
  void* handle_ = nullptr;
  void* stream_ = nullptr;
};

}  // namespace pivotlab::cuda
