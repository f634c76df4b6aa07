// Matrices on the GPU, and the routines of cuBLAS and cuSOLVER that the baselines need, for real and complex scalars.
#pragma once

#include <kernels/baselines/device_columns.hpp>
#include <kernels/exec/buffer.hpp>
#include <kernels/exec/cuda_error.hpp>
#include <kernels/exec/staged_copy.hpp>
#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/cusolver.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <cuda_runtime_api.h>
#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

namespace pivotlab::baselines {

using cuda::check;

inline int size(Index n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("a dimension does not fit into the integers of cuBLAS and cuSOLVER");
  return static_cast<int>(n);
}

/// Selects the routine for the scalar T.
template <class T, class Real, class Complex>
auto choose(Real real, Complex complex) {
  if constexpr (is_complex<T>)
    return complex;
  else
    return real;
}

/// Conversions to the scalar types of the libraries.
inline double* raw(double* x) {
  return x;
}
inline const double* raw(const double* x) {
  return x;
}
inline cuDoubleComplex* raw(std::complex<double>* x) {
  return reinterpret_cast<cuDoubleComplex*>(x);
}
inline const cuDoubleComplex* raw(const std::complex<double>* x) {
  return reinterpret_cast<const cuDoubleComplex*>(x);
}

template <class T>
Buffer<T> allocate(Index count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, static_cast<std::size_t>(std::max<Index>(count, 1)) * sizeof(T)), "cudaMalloc");
  return {static_cast<T*>(memory), static_cast<std::size_t>(count), [](void* p) noexcept { cudaFree(p); }};
}

/// A matrix on the GPU; its views contain device addresses.
template <class T>
class DeviceMatrix {
 public:
  DeviceMatrix(Index rows, Index cols) : rows_(rows), cols_(cols), buffer_(allocate<T>(rows * cols)) {}

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  MatrixView<T> view() const { return {buffer_.data(), rows_, cols_, rows_}; }
  operator MatrixView<T>() const { return view(); }
  operator MatrixView<const T>() const { return view(); }

 private:
  Index rows_, cols_;
  Buffer<T> buffer_;
};

/// The stream in which all work of this thread's GPU runs, with the libraries' handles. They exist as long as the
/// process.
struct Gpu {
  cudaStream_t stream;
  cublasHandle_t blas;
  cusolverDnHandle_t solver;
  cusolverDnParams_t parameters;
};
const Gpu& gpu();

/// Parameters of a routine that select one of its algorithms; CUSOLVER_ALG_0 is the library's own choice.
class AlgorithmChoice {
 public:
  /// Throws NotSupported if this cuSOLVER does not have the algorithm.
  AlgorithmChoice(cuda::WithAlgorithms routine, cusolverAlgMode_t algorithm);
  cusolverDnParams_t get() const { return parameters_.get(); }

 private:
  struct Destroy {
    void operator()(cusolverDnParams_t parameters) const { cuda::cusolver().destroy_params(parameters); }
  };
  std::unique_ptr<std::remove_pointer_t<cusolverDnParams_t>, Destroy> parameters_;
};

/// Copies between host and GPU, or on the GPU. Waits unless both matrices are on the GPU.
template <class T>
void copy(MatrixView<const std::type_identity_t<T>> from, MatrixView<T> to) {
  const auto pitch = [](Index stride) { return static_cast<std::size_t>(stride) * sizeof(T); };
  check(cudaMemcpy2DAsync(to.data, pitch(to.stride), from.data, pitch(from.stride), pitch(from.rows),
                          static_cast<std::size_t>(from.cols), cudaMemcpyDefault, gpu().stream),
        "cudaMemcpy2DAsync");
}

template <class T>
void upload(const std::vector<T>& from, Buffer<T>& to) {
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyDefault, gpu().stream), "upload");
}

template <class T>
std::vector<T> download(const T* from, Index count, Index stride = 1) {
  std::vector<T> to(static_cast<std::size_t>(count));
  check(cudaMemcpy2DAsync(to.data(), sizeof(T), from, static_cast<std::size_t>(stride) * sizeof(T), sizeof(T),
                          to.size(), cudaMemcpyDefault, gpu().stream),
        "download");
  check(cudaStreamSynchronize(gpu().stream), "download");
  return to;
}

template <class T>
std::vector<T> diagonal(MatrixView<const T> A) {
  return download(A.data, std::min(A.rows, A.cols), A.stride + 1);
}

/// Measures the seconds between its construction and stop(), by events in the stream.
class DeviceStopwatch {
 public:
  DeviceStopwatch();
  ~DeviceStopwatch();
  DeviceStopwatch(const DeviceStopwatch&) = delete;
  DeviceStopwatch& operator=(const DeviceStopwatch&) = delete;
  double stop();

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

/// Returns info of a routine: 0, or its value for the decomposition. Throws std::logic_error for an invalid argument.
int checked_info(const char* routine, const Buffer<int>& info);

/// Returns the workspace of a routine, in elements, as the routine reports it.
template <class Query>
int elements(const char* routine, Query query) {
  int count = 0;
  check(query(&count), routine);
  return count;
}

template <class T>
Matrix<T> to_host(const DeviceMatrix<T>& A) {
  Matrix<T> result = Matrix<T>::uninitialized(A.rows(), A.cols());
  cuda::copy(result.data(), A.view().data, static_cast<std::size_t>(result.size()) * sizeof(T), cudaMemcpyDeviceToHost,
             gpu().stream);
  return result;
}

template <class T>
DeviceMatrix<T> to_device(MatrixView<const T> A) {
  DeviceMatrix<T> result(A.rows, A.cols);
  if (A.stride == A.rows)
    cuda::copy(result.view().data, A.data, static_cast<std::size_t>(A.rows * A.cols) * sizeof(T),
               cudaMemcpyHostToDevice, gpu().stream);
  else
    copy<T>(A, result.view());
  return result;
}

/// Computes C := AᴴA, its upper triangle.
template <class T>
void gram(MatrixView<const T> A, MatrixView<T> C) {
  const double one = 1, zero = 0;
  check(choose<T>(cuda::cublas().dsyrk, cuda::cublas().zherk)(
            gpu().blas, CUBLAS_FILL_MODE_UPPER, is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T, size(A.cols), size(A.rows),
            &one, raw(A.data), size(A.stride), &zero, raw(C.data), size(C.stride)),
        "xSYRK");
}

/// Computes C := A·B.
template <class T>
void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  const T one = 1, zero = 0;
  check(choose<T>(cuda::cublas().dgemm, cuda::cublas().zgemm)(
            gpu().blas, CUBLAS_OP_N, CUBLAS_OP_N, size(C.rows), size(C.cols), size(A.cols), raw(&one), raw(A.data),
            size(A.stride), raw(B.data), size(B.stride), raw(&zero), raw(C.data), size(C.stride)),
        "xGEMM");
}

/// Computes X := R⁻¹·X, R upper triangular.
template <class T>
void solve_upper(MatrixView<const T> R, MatrixView<T> X) {
  const T one = 1;
  check(choose<T>(cuda::cublas().dtrsm, cuda::cublas().ztrsm)(
            gpu().blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, size(X.rows),
            size(X.cols), raw(&one), raw(R.data), size(R.stride), raw(X.data), size(X.stride)),
        "xTRSM");
}

/// Computes norms[j] = ‖column j‖₂.
template <class T>
void column_norms(const DeviceMatrix<T>& A, const Buffer<double>& norms) {
  column_norms(reinterpret_cast<const double*>(A.view().data), (is_complex<T> ? 2 : 1) * A.rows(), A.cols(),
               norms.data(), gpu().stream);
}

/// Computes A := A·diag(1/divisors); a column with divisor 0 becomes zero.
template <class T>
void divide_columns(const DeviceMatrix<T>& A, const Buffer<double>& divisors) {
  divide_columns(reinterpret_cast<double*>(A.view().data), (is_complex<T> ? 2 : 1) * A.rows(), A.cols(),
                 divisors.data(), gpu().stream);
}

}  // namespace pivotlab::baselines
