// The routines of cuSOLVER that are used, from the library, which is loaded on first use.
#pragma once

#include <cusolverDn.h>

#include <source_location>

namespace pivotlab::cuda {

/// Routines with a choice of algorithm, by their numbers in cusolverDnFunction_t of cuSOLVER 12.4. Older headers lack
/// them, and older libraries refuse them.
enum class WithAlgorithms { syevd = 4, geev = 6 };

struct Cusolver {
  decltype(cusolverDnCreate)* create;
  decltype(cusolverDnDestroy)* destroy;
  decltype(cusolverDnSetStream)* set_stream;
  decltype(cusolverGetProperty)* property;
  decltype(cusolverDnCreateParams)* create_params;
  decltype(cusolverDnDestroyParams)* destroy_params;
  decltype(cusolverDnCreateGesvdjInfo)* create_gesvdj_info;
  decltype(cusolverDnDestroyGesvdjInfo)* destroy_gesvdj_info;

  decltype(cusolverDnDsygvd_bufferSize)* dsygvd_buffer_size;
  decltype(cusolverDnZhegvd_bufferSize)* zhegvd_buffer_size;
  decltype(cusolverDnDsygvd)* dsygvd;
  decltype(cusolverDnZhegvd)* zhegvd;

  decltype(cusolverDnDgeqrf_bufferSize)* dgeqrf_buffer_size;
  decltype(cusolverDnZgeqrf_bufferSize)* zgeqrf_buffer_size;
  decltype(cusolverDnDgeqrf)* dgeqrf;
  decltype(cusolverDnZgeqrf)* zgeqrf;
  decltype(cusolverDnDorgqr_bufferSize)* dorgqr_buffer_size;
  decltype(cusolverDnZungqr_bufferSize)* zungqr_buffer_size;
  decltype(cusolverDnDorgqr)* dorgqr;
  decltype(cusolverDnZungqr)* zungqr;

  decltype(cusolverDnDormqr_bufferSize)* dormqr_buffer_size;
  decltype(cusolverDnZunmqr_bufferSize)* zunmqr_buffer_size;
  decltype(cusolverDnDormqr)* dormqr;
  decltype(cusolverDnZunmqr)* zunmqr;

  decltype(cusolverDnDsyevd_bufferSize)* dsyevd_buffer_size;
  decltype(cusolverDnZheevd_bufferSize)* zheevd_buffer_size;
  decltype(cusolverDnDsyevd)* dsyevd;
  decltype(cusolverDnZheevd)* zheevd;

  decltype(cusolverDnCreateSyevjInfo)* create_syevj_info;
  decltype(cusolverDnDestroySyevjInfo)* destroy_syevj_info;
  decltype(cusolverDnXsyevjSetTolerance)* syevj_set_tolerance;
  decltype(cusolverDnXsyevjSetMaxSweeps)* syevj_set_max_sweeps;
  decltype(cusolverDnDsyevj_bufferSize)* dsyevj_buffer_size;
  decltype(cusolverDnZheevj_bufferSize)* zheevj_buffer_size;
  decltype(cusolverDnDsyevj)* dsyevj;
  decltype(cusolverDnZheevj)* zheevj;

  decltype(cusolverDnDpotrf_bufferSize)* dpotrf_buffer_size;
  decltype(cusolverDnZpotrf_bufferSize)* zpotrf_buffer_size;
  decltype(cusolverDnDpotrf)* dpotrf;
  decltype(cusolverDnZpotrf)* zpotrf;

  decltype(cusolverDnDgetrf_bufferSize)* dgetrf_buffer_size;
  decltype(cusolverDnZgetrf_bufferSize)* zgetrf_buffer_size;
  decltype(cusolverDnDgetrf)* dgetrf;
  decltype(cusolverDnZgetrf)* zgetrf;
  decltype(cusolverDnDgetrs)* dgetrs;
  decltype(cusolverDnZgetrs)* zgetrs;

  decltype(cusolverDnDgesvdj_bufferSize)* dgesvdj_buffer_size;
  decltype(cusolverDnZgesvdj_bufferSize)* zgesvdj_buffer_size;
  decltype(cusolverDnDgesvdj)* dgesvdj;
  decltype(cusolverDnZgesvdj)* zgesvdj;
  decltype(cusolverDnXgesvdp_bufferSize)* gesvdp_buffer_size;
  decltype(cusolverDnXgesvdp)* gesvdp;

  decltype(cusolverDnDsytrf_bufferSize)* dsytrf_buffer_size;
  decltype(cusolverDnZsytrf_bufferSize)* zsytrf_buffer_size;
  decltype(cusolverDnDsytrf)* dsytrf;
  decltype(cusolverDnZsytrf)* zsytrf;
  decltype(cusolverDnXsytrs_bufferSize)* sytrs_buffer_size;
  decltype(cusolverDnXsytrs)* sytrs;

  decltype(cusolverDnSetAdvOptions)* set_options;
  decltype(cusolverDnXsyevd_bufferSize)* syevd_buffer_size;
  decltype(cusolverDnXsyevd)* syevd;
  decltype(cusolverDnXgeev_bufferSize)* geev_buffer_size;  ///< null in versions without Xgeev, as the next one
  decltype(cusolverDnXgeev)* geev;
};

/// Returns the routines. Throws NotSupported with one line if the library is missing.
const Cusolver& cusolver();

/// Throws std::bad_alloc if memory does not suffice, std::runtime_error for every other failure.
void check(cusolverStatus_t status, const char* call, std::source_location where = std::source_location::current());

}  // namespace pivotlab::cuda
