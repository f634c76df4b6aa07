// Hermitian eigenvalues and the singular value decomposition by cuSOLVER; no_cusolver.cpp replaces it in a build
// without CUDA.
#pragma once

#include <kernels/baselines/jacobi_baseline.hpp>

namespace pivotlab::baselines {

/// Solve as EighBaseline and SvdBaseline say; compute_seconds is the time of the routine on resident data, by events.
/// Throw NotSupported without a GPU or cuSOLVER, std::bad_alloc if the GPU's memory does not suffice.
template <class T>
struct CusolverJacobi {
  static bool heevd(MatrixView<const T> A, EighResult<T>& result);
  /// In two stages, over a band matrix. Throws NotSupported for a cuSOLVER without this algorithm.
  static bool heevd_two_stage(MatrixView<const T> A, EighResult<T>& result);
  static bool heevj(MatrixView<const T> A, EighResult<T>& result);  ///< to tolerance 1e-15, in at most 100 sweeps
  static bool gesvdj(MatrixView<const T> G, HsvdResult<T>& result);
  static bool gesvdp(MatrixView<const T> G, HsvdResult<T>& result);
};

}  // namespace pivotlab::baselines
