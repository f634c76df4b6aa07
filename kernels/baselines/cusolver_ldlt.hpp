// The symmetric indefinite factorization by cuSOLVER; no_cusolver.cpp replaces it in a build without CUDA.
#pragma once

#include <kernels/baselines/ldlt_baseline.hpp>

namespace pivotlab::baselines {

/// Calls xSYTRF and xSYTRS. Throws NotSupported without a GPU or cuSOLVER; std::bad_alloc if the GPU's memory does not
/// suffice.
template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result);

}  // namespace pivotlab::baselines
