// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER, loaded on first use, with each routine overloaded on the scalar, double or complex double. Plain: a device
// compiler reads it, too.
#pragma once

#include "kernels/libraries/nvidia.hpp"

#include <cusolverDn.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace pivotlab::cuda {

/// Throws std::bad_alloc if memory does not suffice, std::runtime_error for every other failure.
void check(cusolverStatus_t status, const char* call, std::source_location where = std::source_location::current());

/// Returns a routine of the library. Throws NotSupported with one line if the library or the routine is missing.
Symbol cusolver_symbol(const char* name);
/// Returns null for a routine that older versions lack.
Symbol cusolver_symbol_if_any(const char* name);

/// Routines that the headers of older versions lack; the integer after the parameters is a cusolverEigComp_t.
using CusolverStedcBytes = cusolverStatus_t(cusolverDnHandle_t, cusolverDnParams_t, int, std::int64_t n, cudaDataType,
                                            const void* d, const void* e, cudaDataType, const void* Z,
                                            std::int64_t stride, cudaDataType, std::size_t* device, std::size_t* host);
using CusolverStedc = cusolverStatus_t(cusolverDnHandle_t, cusolverDnParams_t, int, std::int64_t n, cudaDataType,
                                       void* d, void* e, cudaDataType, void* Z, std::int64_t stride, cudaDataType,
                                       void* device, std::size_t, void* host, std::size_t, int* info);

/// `_length` and `_bytes` are the queries of the workspace.
struct CusolverRoutines {
  decltype(cusolverDnCreate)* create = cusolver_symbol("cusolverDnCreate");
  decltype(cusolverDnDestroy)* destroy = cusolver_symbol("cusolverDnDestroy");
  decltype(cusolverDnSetStream)* set_stream = cusolver_symbol("cusolverDnSetStream");
  decltype(cusolverGetProperty)* property = cusolver_symbol("cusolverGetProperty");
  decltype(cusolverDnCreateParams)* create_params = cusolver_symbol("cusolverDnCreateParams");
  decltype(cusolverDnDestroyParams)* destroy_params = cusolver_symbol("cusolverDnDestroyParams");
  decltype(cusolverDnSetAdvOptions)* set_options = cusolver_symbol("cusolverDnSetAdvOptions");
  decltype(cusolverDnCreateGesvdjInfo)* create_gesvdj_info = cusolver_symbol("cusolverDnCreateGesvdjInfo");
  decltype(cusolverDnDestroyGesvdjInfo)* destroy_gesvdj_info = cusolver_symbol("cusolverDnDestroyGesvdjInfo");
  decltype(cusolverDnCreateSyevjInfo)* create_syevj_info = cusolver_symbol("cusolverDnCreateSyevjInfo");
  decltype(cusolverDnDestroySyevjInfo)* destroy_syevj_info = cusolver_symbol("cusolverDnDestroySyevjInfo");
  decltype(cusolverDnXsyevjSetTolerance)* syevj_set_tolerance = cusolver_symbol("cusolverDnXsyevjSetTolerance");
  decltype(cusolverDnXsyevjSetMaxSweeps)* syevj_set_max_sweeps = cusolver_symbol("cusolverDnXsyevjSetMaxSweeps");

  decltype(cusolverDnDsygvd_bufferSize)* dsygvd_length = cusolver_symbol("cusolverDnDsygvd_bufferSize");
  decltype(cusolverDnZhegvd_bufferSize)* zhegvd_length = cusolver_symbol("cusolverDnZhegvd_bufferSize");
  decltype(cusolverDnDsygvd)* dsygvd = cusolver_symbol("cusolverDnDsygvd");
  decltype(cusolverDnZhegvd)* zhegvd = cusolver_symbol("cusolverDnZhegvd");
  decltype(cusolverDnDgeqrf_bufferSize)* dgeqrf_length = cusolver_symbol("cusolverDnDgeqrf_bufferSize");
  decltype(cusolverDnZgeqrf_bufferSize)* zgeqrf_length = cusolver_symbol("cusolverDnZgeqrf_bufferSize");
  decltype(cusolverDnDgeqrf)* dgeqrf = cusolver_symbol("cusolverDnDgeqrf");
  decltype(cusolverDnZgeqrf)* zgeqrf = cusolver_symbol("cusolverDnZgeqrf");
  decltype(cusolverDnDorgqr_bufferSize)* dorgqr_length = cusolver_symbol("cusolverDnDorgqr_bufferSize");
  decltype(cusolverDnZungqr_bufferSize)* zungqr_length = cusolver_symbol("cusolverDnZungqr_bufferSize");
  decltype(cusolverDnDorgqr)* dorgqr = cusolver_symbol("cusolverDnDorgqr");
  decltype(cusolverDnZungqr)* zungqr = cusolver_symbol("cusolverDnZungqr");
  decltype(cusolverDnDormqr_bufferSize)* dormqr_length = cusolver_symbol("cusolverDnDormqr_bufferSize");
  decltype(cusolverDnZunmqr_bufferSize)* zunmqr_length = cusolver_symbol("cusolverDnZunmqr_bufferSize");
  decltype(cusolverDnDormqr)* dormqr = cusolver_symbol("cusolverDnDormqr");
  decltype(cusolverDnZunmqr)* zunmqr = cusolver_symbol("cusolverDnZunmqr");
  decltype(cusolverDnDsyevj_bufferSize)* dsyevj_length = cusolver_symbol("cusolverDnDsyevj_bufferSize");
  decltype(cusolverDnZheevj_bufferSize)* zheevj_length = cusolver_symbol("cusolverDnZheevj_bufferSize");
  decltype(cusolverDnDsyevj)* dsyevj = cusolver_symbol("cusolverDnDsyevj");
  decltype(cusolverDnZheevj)* zheevj = cusolver_symbol("cusolverDnZheevj");
  decltype(cusolverDnDpotrf_bufferSize)* dpotrf_length = cusolver_symbol("cusolverDnDpotrf_bufferSize");
  decltype(cusolverDnZpotrf_bufferSize)* zpotrf_length = cusolver_symbol("cusolverDnZpotrf_bufferSize");
  decltype(cusolverDnDpotrf)* dpotrf = cusolver_symbol("cusolverDnDpotrf");
  decltype(cusolverDnZpotrf)* zpotrf = cusolver_symbol("cusolverDnZpotrf");
  decltype(cusolverDnDgetrf_bufferSize)* dgetrf_length = cusolver_symbol("cusolverDnDgetrf_bufferSize");
  decltype(cusolverDnZgetrf_bufferSize)* zgetrf_length = cusolver_symbol("cusolverDnZgetrf_bufferSize");
  decltype(cusolverDnDgetrf)* dgetrf = cusolver_symbol("cusolverDnDgetrf");
  decltype(cusolverDnZgetrf)* zgetrf = cusolver_symbol("cusolverDnZgetrf");
  decltype(cusolverDnDgetrs)* dgetrs = cusolver_symbol("cusolverDnDgetrs");
  decltype(cusolverDnZgetrs)* zgetrs = cusolver_symbol("cusolverDnZgetrs");
  decltype(cusolverDnDgesvdj_bufferSize)* dgesvdj_length = cusolver_symbol("cusolverDnDgesvdj_bufferSize");
  decltype(cusolverDnZgesvdj_bufferSize)* zgesvdj_length = cusolver_symbol("cusolverDnZgesvdj_bufferSize");
  decltype(cusolverDnDgesvdj)* dgesvdj = cusolver_symbol("cusolverDnDgesvdj");
  decltype(cusolverDnZgesvdj)* zgesvdj = cusolver_symbol("cusolverDnZgesvdj");
  decltype(cusolverDnDsytrf_bufferSize)* dsytrf_length = cusolver_symbol("cusolverDnDsytrf_bufferSize");
  decltype(cusolverDnZsytrf_bufferSize)* zsytrf_length = cusolver_symbol("cusolverDnZsytrf_bufferSize");
  decltype(cusolverDnDsytrf)* dsytrf = cusolver_symbol("cusolverDnDsytrf");
  decltype(cusolverDnZsytrf)* zsytrf = cusolver_symbol("cusolverDnZsytrf");

  decltype(cusolverDnXgesvdp_bufferSize)* gesvdp_bytes = cusolver_symbol("cusolverDnXgesvdp_bufferSize");
  decltype(cusolverDnXgesvdp)* gesvdp = cusolver_symbol("cusolverDnXgesvdp");
  decltype(cusolverDnXsytrs_bufferSize)* sytrs_bytes = cusolver_symbol("cusolverDnXsytrs_bufferSize");
  decltype(cusolverDnXsytrs)* sytrs = cusolver_symbol("cusolverDnXsytrs");
  decltype(cusolverDnXsyevd_bufferSize)* syevd_bytes = cusolver_symbol("cusolverDnXsyevd_bufferSize");
  decltype(cusolverDnXsyevd)* syevd = cusolver_symbol("cusolverDnXsyevd");
  decltype(cusolverDnXgeev_bufferSize)* geev_bytes = cusolver_symbol_if_any("cusolverDnXgeev_bufferSize");
  decltype(cusolverDnXgeev)* geev = cusolver_symbol_if_any("cusolverDnXgeev");
  CusolverStedcBytes* stedc_bytes = cusolver_symbol_if_any("cusolverDnXstedc_bufferSize");
  CusolverStedc* stedc = cusolver_symbol_if_any("cusolverDnXstedc");
};

/// Returns the routines. Throws NotSupported as cusolver_symbol() does.
const CusolverRoutines& cusolver_routines();

/// Workspace of a routine, of `length` elements.
template <class T>
struct Work {
  T* data = nullptr;
  int length = 0;
};

/// Has a handle and the parameters that some routines take.
struct CusolverHandle {
  cusolverDnHandle_t solver = nullptr;
  cusolverDnParams_t parameters = nullptr;
};
/// Makes them for PooledHandle. Their stream is their only setting.
struct CusolverHandles : Handles<CusolverHandles, CusolverHandle> {
  static Handle create();
  static void destroy(Handle handle) noexcept;
  static bool reset(Handle handle) noexcept;  ///< as its stream ends before it
};

/// A handle on a stream, which copies share. Views and pointers are of device memory; functions return before the
/// result is complete, and set info there. The lengths of workspaces are those that the routines request.
class Cusolver {
 public:
  /// The stream must live as long as the handle. Throws NotSupported if the library is missing, std::bad_alloc or
  /// std::runtime_error if a call fails.
  explicit Cusolver(cudaStream_t stream);

  /// Returns whether the library is available.
  static bool available();

  cusolverDnHandle_t handle() const { return handle_->get().solver; }

  /// Computes A = QR: R in the upper triangle, reflectors below.
  template <class T>
  void geqrf(MatrixView<T> A, T* tau, Work<T> work, int* info) const {
    call<T>("xGEQRF", all().dgeqrf, all().zgeqrf, size(A.rows), size(A.cols), A.data, size(A.stride), tau, work.data,
            work.length, info);
  }
  template <class T>
  int geqrf_length(MatrixView<T> A) const {
    return length<T>("xGEQRF_bufferSize", all().dgeqrf_length, all().zgeqrf_length, size(A.rows), size(A.cols), A.data,
                     size(A.stride));
  }

  /// Replaces the reflectors of geqrf by the columns of Q.
  template <class T>
  void ungqr(MatrixView<T> A, const T* tau, Work<T> work, int* info) const {
    call<T>("xORGQR", all().dorgqr, all().zungqr, size(A.rows), size(A.cols), size(A.cols), A.data, size(A.stride), tau,
            work.data, work.length, info);
  }
  template <class T>
  int ungqr_length(MatrixView<T> A) const {
    return length<T>("xORGQR_bufferSize", all().dorgqr_length, all().zungqr_length, size(A.rows), size(A.cols),
                     size(A.cols), A.data, size(A.stride), static_cast<const T*>(nullptr));
  }

  /// Computes C := Q·C for the reflectors in all columns of A.
  template <class T>
  void unmqr(MatrixView<const T> A, const T* tau, MatrixView<T> C, Work<T> work, int* info) const {
    call<T>("xORMQR", all().dormqr, all().zunmqr, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, size(C.rows), size(C.cols),
            size(A.cols), A.data, size(A.stride), tau, C.data, size(C.stride), work.data, work.length, info);
  }
  template <class T>
  int unmqr_length(MatrixView<const T> A, MatrixView<const T> C) const {
    return length<T>("xORMQR_bufferSize", all().dormqr_length, all().zunmqr_length, CUBLAS_SIDE_LEFT, CUBLAS_OP_N,
                     size(C.rows), size(C.cols), size(A.cols), A.data, size(A.stride), static_cast<const T*>(nullptr),
                     C.data, size(C.stride));
  }

  /// Computes eigenvalues, ascending, and eigenvectors, which overwrite A, from the lower triangle of a Hermitian A, by
  /// the algorithm that the library chooses: version 12.4 knows two stages, which are faster at large orders.
  /// The workspaces have the bytes of heevd_bytes() or more, and are in use until the stream has passed.
  template <class T>
  void heevd(MatrixView<T> A, double* lambda, std::span<std::byte> device, std::span<std::byte> host, int* info) const {
    constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
    check(all().syevd(handle(), handle_->get().parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, A.cols,
                      type, A.data, A.stride, CUDA_R_64F, lambda, type, device.data(), device.size(), host.data(),
                      host.size(), info),
          "Xsyevd");
  }
  struct Bytes {
    std::size_t device = 0, host = 0;
  };
  template <class T>
  Bytes heevd_bytes(MatrixView<T> A) const {
    constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
    Bytes bytes;
    check(all().syevd_bytes(handle(), handle_->get().parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER,
                            A.cols, type, A.data, A.stride, CUDA_R_64F, nullptr, type, &bytes.device, &bytes.host),
          "Xsyevd_bufferSize");
    return bytes;
  }

  /// Returns whether the library has stedc (version 12.4 has).
  static bool has_stedc() { return all().stedc != nullptr && all().stedc_bytes != nullptr; }
  /// Computes eigenvalues, ascending, which overwrite d, and eigenvectors of a real symmetric tridiagonal matrix by
  /// divide and conquer; e is overwritten. The workspaces are as those of heevd.
  void stedc(double* d, double* e, MatrixView<double> Z, std::span<std::byte> device, std::span<std::byte> host,
             int* info) const {
    check(all().stedc(handle(), handle_->get().parameters, vectors_of_tridiagonal, Z.cols, CUDA_R_64F, d, e, CUDA_R_64F,
                      Z.data, Z.stride, CUDA_R_64F, device.data(), device.size(), host.data(), host.size(), info),
          "Xstedc");
  }
  Bytes stedc_bytes(MatrixView<double> Z) const {
    Bytes bytes;
    check(all().stedc_bytes(handle(), handle_->get().parameters, vectors_of_tridiagonal, Z.cols, CUDA_R_64F, nullptr,
                            nullptr, CUDA_R_64F, Z.data, Z.stride, CUDA_R_64F, &bytes.device, &bytes.host),
          "Xstedc_bufferSize");
    return bytes;
  }

  /// Computes A = LLᴴ in the lower triangle.
  template <class T>
  void potrf(MatrixView<T> A, Work<T> work, int* info) const {
    call<T>("xPOTRF", all().dpotrf, all().zpotrf, CUBLAS_FILL_MODE_LOWER, size(A.cols), A.data, size(A.stride),
            work.data, work.length, info);
  }
  template <class T>
  int potrf_length(MatrixView<T> A) const {
    return length<T>("xPOTRF_bufferSize", all().dpotrf_length, all().zpotrf_length, CUBLAS_FILL_MODE_LOWER,
                     size(A.cols), A.data, size(A.stride));
  }

  /// Computes P·A = L·U of a square A.
  template <class T>
  void getrf(MatrixView<T> A, int* pivots, T* work, int* info) const {
    call<T>("xGETRF", all().dgetrf, all().zgetrf, size(A.rows), size(A.cols), A.data, size(A.stride), work, pivots,
            info);
  }
  template <class T>
  int getrf_length(MatrixView<T> A) const {
    return length<T>("xGETRF_bufferSize", all().dgetrf_length, all().zgetrf_length, size(A.rows), size(A.cols), A.data,
                     size(A.stride));
  }

  /// Computes B := A⁻¹·B from the factors of getrf.
  template <class T>
  void getrs(MatrixView<const T> A, const int* pivots, MatrixView<T> B, int* info) const {
    call<T>("xGETRS", all().dgetrs, all().zgetrs, CUBLAS_OP_N, size(A.rows), size(B.cols), A.data, size(A.stride),
            pivots, B.data, size(B.stride), info);
  }

 private:
  static constexpr int vectors_of_tridiagonal = 11;  // CUSOLVER_EIG_COMP_I

  static const CusolverRoutines& all() { return cusolver_routines(); }

  template <class T, class Real, class Complex, class... Arguments>
  void call(const char* name, Real* real, Complex* complex, Arguments... arguments) const {
    check(pick<T>(real, complex)(handle(), raw(arguments)...), name);
  }
  template <class T, class Real, class Complex, class... Arguments>
  int length(const char* name, Real* real, Complex* complex, Arguments... arguments) const {
    int elements = 0;
    call<T>(name, real, complex, arguments..., &elements);
    return elements;
  }

  void check(cusolverStatus_t status, const char* name) const {
    if (status != CUSOLVER_STATUS_SUCCESS) handle_->note_failure();
    cuda::check(status, name);
  }

  std::shared_ptr<PooledHandle<CusolverHandles>> handle_ = std::make_shared<PooledHandle<CusolverHandles>>();
};

}  // namespace pivotlab::cuda
