// The GSVD by cuSOLVER, in three ways; no_cusolver.cpp replaces them in a build without CUDA.
#pragma once

#include <kernels/baselines/gsvd_baseline.hpp>

namespace pivotlab::baselines {

/// These functions throw NotSupported without a GPU, cuBLAS or cuSOLVER, and std::bad_alloc if the GPU's memory does
/// not suffice.
template <class T>
struct CusolverGsvd {
  static void normal_equations(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
  static void qr_and_polar_svd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
  static void qr_and_jacobi_svd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
};

}  // namespace pivotlab::baselines
