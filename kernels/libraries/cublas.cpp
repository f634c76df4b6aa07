// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/dynamic_library.hpp>

#include <new>

namespace pivotlab::cuda {

Symbol cublas_symbol(const char* name) {
  static const DynamicLibrary& library = permanent_library(
      {"libcublas.so.13", "libcublas.so.12"},
      "cuBLAS: there is no libcublas.so.13 or .12; install it (the CUDA toolkit and the Python package nvidia-cublas "
      "have it) or put its folder into PIVOTLAB_CUDA_LIBRARIES or LD_LIBRARY_PATH");
  return library.require(name);
}

const CublasRoutines& cublas_routines() {
  static const CublasRoutines all;
  return all;
}

cublasHandle_t CublasHandles::create() {
  cublasHandle_t handle = nullptr;
  cublasStatus_t status = cublas_routines().create(&handle);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) release_kept(), status = cublas_routines().create(&handle);
  check(status, "cublasCreate");
  return handle;
}

void CublasHandles::destroy(cublasHandle_t handle) noexcept {
  cublas_routines().destroy(handle);
}

bool CublasHandles::reset(cublasHandle_t handle) noexcept {
  return cublas_routines().set_stream(handle, nullptr) == CUBLAS_STATUS_SUCCESS;
}

Cublas::Cublas(cudaStream_t stream) {
  check(all().set_stream(handle_->get(), stream), "cublasSetStream");
}

bool Cublas::available() {
  return is_available([] { cublas_routines(); });
}

void check(cublasStatus_t status, const char* call, std::source_location where) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw std::runtime_error(
      fmt::format("{}:{}: {}: cuBLAS status {}", where.file_name(), where.line(), call, static_cast<int>(status)));
}

}  // namespace pivotlab::cuda
