#include <kernels/libraries/cusolver.hpp>
#include <kernels/libraries/dynamic_library.hpp>

#include <new>
#include <stdexcept>

namespace pivotlab::cuda {
namespace {

Cusolver load_cusolver() {
  static const DynamicLibrary& library = permanent_library(
      {"libcusolver.so.12", "libcusolver.so.11"},
      "cuSOLVER: there is no libcusolver.so.12 or .11; install it (the CUDA toolkit and the Python package "
      "nvidia-cusolver have it) or put its folder into PIVOTLAB_CUDA_LIBRARIES or LD_LIBRARY_PATH");
  Cusolver functions;
  library.bind(functions.create, "cusolverDnCreate");
  library.bind(functions.destroy, "cusolverDnDestroy");
  library.bind(functions.set_stream, "cusolverDnSetStream");
  library.bind(functions.property, "cusolverGetProperty");
  library.bind(functions.create_params, "cusolverDnCreateParams");
  library.bind(functions.destroy_params, "cusolverDnDestroyParams");
  library.bind(functions.create_gesvdj_info, "cusolverDnCreateGesvdjInfo");
  library.bind(functions.destroy_gesvdj_info, "cusolverDnDestroyGesvdjInfo");
  library.bind(functions.dsygvd_buffer_size, "cusolverDnDsygvd_bufferSize");
  library.bind(functions.zhegvd_buffer_size, "cusolverDnZhegvd_bufferSize");
  library.bind(functions.dsygvd, "cusolverDnDsygvd");
  library.bind(functions.zhegvd, "cusolverDnZhegvd");
  library.bind(functions.dgeqrf_buffer_size, "cusolverDnDgeqrf_bufferSize");
  library.bind(functions.zgeqrf_buffer_size, "cusolverDnZgeqrf_bufferSize");
  library.bind(functions.dgeqrf, "cusolverDnDgeqrf");
  library.bind(functions.zgeqrf, "cusolverDnZgeqrf");
  library.bind(functions.dorgqr_buffer_size, "cusolverDnDorgqr_bufferSize");
  library.bind(functions.zungqr_buffer_size, "cusolverDnZungqr_bufferSize");
  library.bind(functions.dorgqr, "cusolverDnDorgqr");
  library.bind(functions.zungqr, "cusolverDnZungqr");
  library.bind(functions.dormqr_buffer_size, "cusolverDnDormqr_bufferSize");
  library.bind(functions.zunmqr_buffer_size, "cusolverDnZunmqr_bufferSize");
  library.bind(functions.dormqr, "cusolverDnDormqr");
  library.bind(functions.zunmqr, "cusolverDnZunmqr");
  library.bind(functions.dsyevd_buffer_size, "cusolverDnDsyevd_bufferSize");
  library.bind(functions.zheevd_buffer_size, "cusolverDnZheevd_bufferSize");
  library.bind(functions.dsyevd, "cusolverDnDsyevd");
  library.bind(functions.zheevd, "cusolverDnZheevd");
  library.bind(functions.create_syevj_info, "cusolverDnCreateSyevjInfo");
  library.bind(functions.destroy_syevj_info, "cusolverDnDestroySyevjInfo");
  library.bind(functions.syevj_set_tolerance, "cusolverDnXsyevjSetTolerance");
  library.bind(functions.syevj_set_max_sweeps, "cusolverDnXsyevjSetMaxSweeps");
  library.bind(functions.dsyevj_buffer_size, "cusolverDnDsyevj_bufferSize");
  library.bind(functions.zheevj_buffer_size, "cusolverDnZheevj_bufferSize");
  library.bind(functions.dsyevj, "cusolverDnDsyevj");
  library.bind(functions.zheevj, "cusolverDnZheevj");
  library.bind(functions.dpotrf_buffer_size, "cusolverDnDpotrf_bufferSize");
  library.bind(functions.zpotrf_buffer_size, "cusolverDnZpotrf_bufferSize");
  library.bind(functions.dpotrf, "cusolverDnDpotrf");
  library.bind(functions.zpotrf, "cusolverDnZpotrf");
  library.bind(functions.dgetrf_buffer_size, "cusolverDnDgetrf_bufferSize");
  library.bind(functions.zgetrf_buffer_size, "cusolverDnZgetrf_bufferSize");
  library.bind(functions.dgetrf, "cusolverDnDgetrf");
  library.bind(functions.zgetrf, "cusolverDnZgetrf");
  library.bind(functions.dgetrs, "cusolverDnDgetrs");
  library.bind(functions.zgetrs, "cusolverDnZgetrs");
  library.bind(functions.dgesvdj_buffer_size, "cusolverDnDgesvdj_bufferSize");
  library.bind(functions.zgesvdj_buffer_size, "cusolverDnZgesvdj_bufferSize");
  library.bind(functions.dgesvdj, "cusolverDnDgesvdj");
  library.bind(functions.zgesvdj, "cusolverDnZgesvdj");
  library.bind(functions.gesvdp_buffer_size, "cusolverDnXgesvdp_bufferSize");
  library.bind(functions.gesvdp, "cusolverDnXgesvdp");
  library.bind(functions.dsytrf_buffer_size, "cusolverDnDsytrf_bufferSize");
  library.bind(functions.zsytrf_buffer_size, "cusolverDnZsytrf_bufferSize");
  library.bind(functions.dsytrf, "cusolverDnDsytrf");
  library.bind(functions.zsytrf, "cusolverDnZsytrf");
  library.bind(functions.sytrs_buffer_size, "cusolverDnXsytrs_bufferSize");
  library.bind(functions.sytrs, "cusolverDnXsytrs");
  library.bind(functions.set_options, "cusolverDnSetAdvOptions");
  library.bind(functions.syevd_buffer_size, "cusolverDnXsyevd_bufferSize");
  library.bind(functions.syevd, "cusolverDnXsyevd");
  functions.geev_buffer_size = library.symbol<decltype(cusolverDnXgeev_bufferSize)>("cusolverDnXgeev_bufferSize");
  functions.geev = library.symbol<decltype(cusolverDnXgeev)>("cusolverDnXgeev");
  return functions;
}

}  // namespace

const Cusolver& cusolver() {
  static const Cusolver functions = load_cusolver();
  return functions;
}

void check(cusolverStatus_t status, const char* call, std::source_location where) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw std::runtime_error(
      fmt::format("{}:{}: {}: cuSOLVER status {}", where.file_name(), where.line(), call, static_cast<int>(status)));
}

}  // namespace pivotlab::cuda
