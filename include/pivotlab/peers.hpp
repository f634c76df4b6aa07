// Peers: what a user would otherwise call for the same decomposition, behind the solver's result type, so that one
// experiment compares all of them by the same metrics.
#pragma once

#include <pivotlab/gsvd.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

struct PeerInfo {
  std::string name;     ///< "lapack:dggsvd3"
  std::string summary;  ///< one sentence
};

/// The peers of a scalar type: LAPACK's, in a build with it, and cuSOLVER's, in every build.
std::vector<PeerInfo> list_gsvd_peers(ScalarType type);

/// The GSVD of F (m_F × n) and G (m_G × n), m_F, m_G ≥ n ≥ 1, by a peer: U, V, Z, σ_F, σ_G, σ in the library's
/// normalization F·Z = U·Σ_F, G·Z = V·Σ_G, Σ_F² + Σ_G² = I, ordered so that σ descends.
/// threads: what the host's BLAS may use; 0 leaves its own choice. compute_seconds covers the calls of the library and
/// the scaling; on the GPU it is measured by events, without the copies of F, G, U, V, Z.
///
/// A pair that the routine cannot decompose (no convergence, GᴴG numerically not positive definite, G numerically not
/// of full column rank) gives status `failed`, a message and no factors. T is double or std::complex<double>.
/// Throws InputError for an unknown peer (naming the nearest), m < n, n = 0, NaN or Inf in the input,
/// a zero column of G;
/// NotSupported for lapack: in a build without LAPACK, for cusolver: without CUDA, a GPU, cuBLAS or cuSOLVER;
/// std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
GsvdResult<T> solve_gsvd_with_peer(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                   int threads = 0);

/// BLAS and LAPACK of this process with their versions and kernels, one line; empty in a build without LAPACK.
std::string blas_version();

}  // namespace pivotlab
