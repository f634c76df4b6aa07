#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/dynamic_library.hpp>

#include <new>
#include <stdexcept>

namespace pivotlab::cuda {
namespace {

Cublas load_cublas() {
  static const DynamicLibrary& library = permanent_library(
      {"libcublas.so.13", "libcublas.so.12"},
      "cuBLAS: there is no libcublas.so.13 or .12; install it (the CUDA toolkit and the Python package nvidia-cublas "
      "have it) or put its folder into PIVOTLAB_CUDA_LIBRARIES or LD_LIBRARY_PATH");
  Cublas functions;
  library.bind(functions.create, "cublasCreate_v2");
  library.bind(functions.destroy, "cublasDestroy_v2");
  library.bind(functions.set_stream, "cublasSetStream_v2");
  library.bind(functions.property, "cublasGetProperty");
  library.bind(functions.dsyrk, "cublasDsyrk_v2");
  library.bind(functions.zherk, "cublasZherk_v2");
  library.bind(functions.dgemm, "cublasDgemm_v2");
  library.bind(functions.zgemm, "cublasZgemm_v2");
  library.bind(functions.dtrsm, "cublasDtrsm_v2");
  library.bind(functions.ztrsm, "cublasZtrsm_v2");
  library.bind(functions.dtrmm, "cublasDtrmm_v2");
  library.bind(functions.ztrmm, "cublasZtrmm_v2");
  return functions;
}

}  // namespace

const Cublas& cublas() {
  static const Cublas functions = load_cublas();
  return functions;
}

void check(cublasStatus_t status, const char* call, std::source_location where) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw std::runtime_error(
      fmt::format("{}:{}: {}: cuBLAS status {}", where.file_name(), where.line(), call, static_cast<int>(status)));
}

}  // namespace pivotlab::cuda
