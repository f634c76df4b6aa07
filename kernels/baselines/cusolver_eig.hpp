// The eigendecomposition by cuSOLVER; no_cusolver.cpp replaces it in a build without CUDA.
#pragma once

#include <kernels/baselines/eig_baseline.hpp>

namespace pivotlab::baselines {

/// Calls Xgeev with right eigenvectors. Throws NotSupported without a GPU, without a cuSOLVER that has it, and for left
/// eigenvectors; std::bad_alloc if the GPU's memory does not suffice.
template <class T>
bool cusolver_geev(Matrix<T> A, bool left, EigResult<double>& result);

}  // namespace pivotlab::baselines
