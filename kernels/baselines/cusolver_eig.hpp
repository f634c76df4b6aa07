// The eigendecomposition by cuSOLVER; no_cusolver.cpp replaces it in a build without CUDA.
#pragma once

#include <kernels/baselines/eig_baseline.hpp>

namespace pivotlab::baselines {

/// Call Xgeev with right eigenvectors, in double precision or in mixed precision with refinement. Throw NotSupported
/// without a GPU, without a cuSOLVER that has the algorithm, and for left eigenvectors; std::bad_alloc if the GPU's
/// memory does not suffice.
template <class T>
bool cusolver_geev(MatrixView<const T> A, bool left, EigResult<double>& result);
template <class T>
bool cusolver_geev_mixed(MatrixView<const T> A, bool left, EigResult<double>& result);

}  // namespace pivotlab::baselines
