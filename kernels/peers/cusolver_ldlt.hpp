// The symmetric indefinite factorization by cuSOLVER; no_cusolver.cpp refuses in a build without CUDA.
#pragma once

#include <kernels/peers/ldlt_peer.hpp>

namespace pivotlab::peers {

/// xSYTRF and xSYTRS. Throws NotSupported without a GPU or cuSOLVER; std::bad_alloc when the GPU's memory does not
/// suffice.
template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltPeerResult<T>& result);

}  // namespace pivotlab::peers
