// The eigendecomposition by cuSOLVER; no_cusolver.cpp refuses in a build without CUDA.
#pragma once

#include <kernels/peers/eig_peer.hpp>

namespace pivotlab::peers {

/// Xgeev with right eigenvectors. Throws NotSupported without a GPU, without a cuSOLVER that has it, and for left
/// eigenvectors; std::bad_alloc when the GPU's memory does not suffice.
template <class T>
bool cusolver_geev(Matrix<T> A, bool left, EigResult<double>& result);

}  // namespace pivotlab::peers
