#include "kernels/libraries/cusolver_handle.hpp"

#include "kernels/libraries/cusolver.hpp"

#include <cuda_runtime_api.h>
#include <algorithm>
#include <pivotlab/error.hpp>
#include <stdexcept>

namespace pivotlab::cuda {
namespace {

cusolverDnHandle_t typed_solver(void* handle) {
  return static_cast<cusolverDnHandle_t>(handle);
}

/// The routines for a scalar, and the type of the scalar in cuSOLVER.
template <class T>
struct Routines;
template <>
struct Routines<double> {
  using Scalar = double;
  decltype(Cusolver::dgeqrf_buffer_size) geqrf_buffer_size = cusolver().dgeqrf_buffer_size;
  decltype(Cusolver::dgeqrf) geqrf = cusolver().dgeqrf;
  decltype(Cusolver::dorgqr_buffer_size) orgqr_buffer_size = cusolver().dorgqr_buffer_size;
  decltype(Cusolver::dorgqr) orgqr = cusolver().dorgqr;
  decltype(Cusolver::dgetrf_buffer_size) getrf_buffer_size = cusolver().dgetrf_buffer_size;
  decltype(Cusolver::dgetrf) getrf = cusolver().dgetrf;
  decltype(Cusolver::dgetrs) getrs = cusolver().dgetrs;
};
template <>
struct Routines<std::complex<double>> {
  using Scalar = cuDoubleComplex;
  decltype(Cusolver::zgeqrf_buffer_size) geqrf_buffer_size = cusolver().zgeqrf_buffer_size;
  decltype(Cusolver::zgeqrf) geqrf = cusolver().zgeqrf;
  decltype(Cusolver::zungqr_buffer_size) orgqr_buffer_size = cusolver().zungqr_buffer_size;
  decltype(Cusolver::zungqr) orgqr = cusolver().zungqr;
  decltype(Cusolver::zgetrf_buffer_size) getrf_buffer_size = cusolver().zgetrf_buffer_size;
  decltype(Cusolver::zgetrf) getrf = cusolver().zgetrf;
  decltype(Cusolver::zgetrs) getrs = cusolver().zgetrs;
};

template <class T>
typename Routines<T>::Scalar* raw(T* x) {
  return reinterpret_cast<typename Routines<T>::Scalar*>(x);
}

}  // namespace

CusolverHandle::CusolverHandle(void* stream) : stream_(stream) {
  cusolverDnHandle_t handle = nullptr;
  check(cusolver().create(&handle), "cusolverDnCreate");
  handle_ = handle;
  check(cusolver().set_stream(handle, static_cast<cudaStream_t>(stream)), "cusolverDnSetStream");
}

CusolverHandle::~CusolverHandle() {
  cusolver().destroy(typed_solver(handle_));
}

bool CusolverHandle::available() {
  try {
    cusolver();
    return true;
  } catch (const NotSupported&) {
    return false;
  }
}

template <class T>
std::size_t CusolverHandle::qr_workspace(MatrixView<T> A) const {
  const Routines<T> routines;
  const int m = static_cast<int>(A.rows), n = static_cast<int>(A.cols), stride = static_cast<int>(A.stride);
  int factor = 0, form = 0;
  check(routines.geqrf_buffer_size(typed_solver(handle_), m, n, raw(A.data), stride, &factor), "xGEQRF_bufferSize");
  check(routines.orgqr_buffer_size(typed_solver(handle_), m, n, n, raw(A.data), stride, nullptr, &form),
        "xORGQR_bufferSize");
  return static_cast<std::size_t>(std::max(factor, form));
}

template <class T>
void CusolverHandle::qr(MatrixView<T> A, T* diagonal, T* tau, T* work, std::size_t length, int* info) const {
  const Routines<T> routines;
  const int m = static_cast<int>(A.rows), n = static_cast<int>(A.cols), stride = static_cast<int>(A.stride);
  const int size = static_cast<int>(length);
  check(routines.geqrf(typed_solver(handle_), m, n, raw(A.data), stride, raw(tau), raw(work), size, info), "xGEQRF");
  // Each column of this "matrix" is one element of A's diagonal.
  if (cudaMemcpy2DAsync(diagonal, sizeof(T), A.data, static_cast<std::size_t>(A.stride + 1) * sizeof(T), sizeof(T),
                        static_cast<std::size_t>(A.cols), cudaMemcpyDeviceToDevice,
                        static_cast<cudaStream_t>(stream_)) != cudaSuccess)
    throw std::runtime_error("CusolverHandle::qr: the diagonal of R cannot be copied");
  check(routines.orgqr(typed_solver(handle_), m, n, n, raw(A.data), stride, raw(tau), raw(work), size, info), "xORGQR");
}

template <class T>
std::size_t CusolverHandle::solve_workspace(MatrixView<T> A) const {
  const int n = static_cast<int>(A.rows), stride = static_cast<int>(A.stride);
  int length = 0;
  check(Routines<T>().getrf_buffer_size(typed_solver(handle_), n, n, raw(A.data), stride, &length),
        "xGETRF_bufferSize");
  return static_cast<std::size_t>(length);
}

template <class T>
void CusolverHandle::solve(MatrixView<T> A, MatrixView<T> B, int* pivots, T* work, int* info) const {
  const Routines<T> routines;
  const int n = static_cast<int>(A.rows), stride = static_cast<int>(A.stride);
  check(routines.getrf(typed_solver(handle_), n, n, raw(A.data), stride, raw(work), pivots, info), "xGETRF");
  check(routines.getrs(typed_solver(handle_), CUBLAS_OP_N, n, static_cast<int>(B.cols), raw(A.data), stride, pivots,
                       raw(B.data), static_cast<int>(B.stride), info),
        "xGETRS");
}

template std::size_t CusolverHandle::solve_workspace(MatrixView<double>) const;
template std::size_t CusolverHandle::solve_workspace(MatrixView<std::complex<double>>) const;
template void CusolverHandle::solve(MatrixView<double>, MatrixView<double>, int*, double*, int*) const;
template void CusolverHandle::solve(MatrixView<std::complex<double>>, MatrixView<std::complex<double>>, int*,
                                    std::complex<double>*, int*) const;
template std::size_t CusolverHandle::qr_workspace(MatrixView<double>) const;
template std::size_t CusolverHandle::qr_workspace(MatrixView<std::complex<double>>) const;
template void CusolverHandle::qr(MatrixView<double>, double*, double*, double*, std::size_t, int*) const;
template void CusolverHandle::qr(MatrixView<std::complex<double>>, std::complex<double>*, std::complex<double>*,
                                 std::complex<double>*, std::size_t, int*) const;

}  // namespace pivotlab::cuda
