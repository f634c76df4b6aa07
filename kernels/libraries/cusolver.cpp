// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/libraries/cusolver.hpp>
#include <kernels/libraries/dynamic_library.hpp>

#include <new>

namespace pivotlab::cuda {
namespace {

const DynamicLibrary& cusolver_library() {
  static const DynamicLibrary& library = permanent_library(
      {"libcusolver.so.12", "libcusolver.so.11"},
      "cuSOLVER: there is no libcusolver.so.12 or .11; install it (the CUDA toolkit and the Python package "
      "nvidia-cusolver have it) or put its folder into PIVOTLAB_CUDA_LIBRARIES or LD_LIBRARY_PATH");
  return library;
}

}  // namespace

Symbol cusolver_symbol(const char* name) {
  return cusolver_library().require(name);
}

Symbol cusolver_symbol_if_any(const char* name) {
  return cusolver_library().find(name);
}

const CusolverRoutines& cusolver_routines() {
  static const CusolverRoutines all;
  return all;
}

CusolverHandles::Handle CusolverHandles::create() {
  const CusolverRoutines& all = cusolver_routines();
  Handle made;
  cusolverStatus_t status = all.create(&made.solver);
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) release_kept(), status = all.create(&made.solver);
  check(status, "cusolverDnCreate");
  status = all.create_params(&made.parameters);
  if (status != CUSOLVER_STATUS_SUCCESS) all.destroy(made.solver);
  check(status, "cusolverDnCreateParams");
  return made;
}

void CusolverHandles::destroy(Handle handle) noexcept {
  cusolver_routines().destroy_params(handle.parameters);
  cusolver_routines().destroy(handle.solver);
}

bool CusolverHandles::reset(Handle handle) noexcept {
  return cusolver_routines().set_stream(handle.solver, nullptr) == CUSOLVER_STATUS_SUCCESS;
}

Cusolver::Cusolver(cudaStream_t stream) {
  check(all().set_stream(handle_->get().solver, stream), "cusolverDnSetStream");
}

bool Cusolver::available() {
  return is_available([] { cusolver_routines(); });
}

void check(cusolverStatus_t status, const char* call, std::source_location where) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw std::bad_alloc();
  throw std::runtime_error(
      fmt::format("{}:{}: {}: cuSOLVER status {}", where.file_name(), where.line(), call, static_cast<int>(status)));
}

}  // namespace pivotlab::cuda
