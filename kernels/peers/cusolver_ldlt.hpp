// The symmetric indefinite factorization by cuSOLVER; no_cusolver.cpp replaces it in a build without CUDA.
#pragma once

#include <kernels/peers/ldlt_peer.hpp>

namespace pivotlab::peers {

/// Calls xSYTRF and xSYTRS. Throws NotSupported without a GPU or cuSOLVER; std::bad_alloc if the GPU's memory does not
/// suffice.
template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltPeerResult<T>& result);

}  // namespace pivotlab::peers
