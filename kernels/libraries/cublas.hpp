// The routines of cuBLAS that are used, from the library, which is loaded on first use.
#pragma once

#include <cublas_v2.h>

#include <source_location>

namespace pivotlab::cuda {

struct Cublas {
  decltype(cublasCreate_v2)* create;
  decltype(cublasDestroy_v2)* destroy;
  decltype(cublasSetStream_v2)* set_stream;
  decltype(cublasGetProperty)* property;
  decltype(cublasDsyrk_v2)* dsyrk;
  decltype(cublasZherk_v2)* zherk;
  decltype(cublasDgemm_v2)* dgemm;
  decltype(cublasZgemm_v2)* zgemm;
  decltype(cublasDtrsm_v2)* dtrsm;
  decltype(cublasZtrsm_v2)* ztrsm;
  decltype(cublasDtrmm_v2)* dtrmm;
  decltype(cublasZtrmm_v2)* ztrmm;
};

/// Returns the routines. Throws NotSupported with one line if the library is missing.
const Cublas& cublas();

/// Throws std::bad_alloc if memory does not suffice, std::runtime_error for every other failure.
void check(cublasStatus_t status, const char* call, std::source_location where = std::source_location::current());

}  // namespace pivotlab::cuda
