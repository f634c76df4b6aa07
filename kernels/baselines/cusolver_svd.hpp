// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions by cuSOLVER of matrices on the GPU, as functions of info with their own workspace.
#pragma once

#include <kernels/baselines/cusolver.hpp>

namespace pivotlab::baselines {

/// A number that a routine sets and nobody needs.
struct Ignored {
  double value = 0;
  operator double*() { return &value; }
};

/// Computes A = U·diag(s)·Wᴴ, thin, by the polar decomposition (xGESVDP); A is overwritten. The judge measures the
/// effect of the perturbation by which the routine changes a numerically singular A.
template <class T>
auto polar_svd(MatrixView<T> A, MatrixView<T> U, MatrixView<T> W, double* s) {
  const auto& library = cuda::cusolver_routines();
  return with_workspaces(bound("xGESVDP", Parameters(library.create_params, library.destroy_params),
                               CUSOLVER_EIG_MODE_VECTOR, 1, A.rows, A.cols, type_of<T>, A.data, A.stride, CUDA_R_64F, s,
                               type_of<T>, U.data, U.stride, type_of<T>, W.data, W.stride, type_of<T>),
                         library.gesvdp_bytes, library.gesvdp, Ignored());
}

/// Computes the same by one-sided Jacobi (xGESVDJ), to its default accuracy.
template <class T>
auto jacobi_svd(MatrixView<T> A, MatrixView<T> U, MatrixView<T> W, double* s) {
  const auto& library = cuda::cusolver_routines();
  return with_workspace<T>(bound("xGESVDJ", CUSOLVER_EIG_MODE_VECTOR, 1, size(A.rows), size(A.cols), A.data,
                                 size(A.stride), s, U.data, size(U.stride), W.data, size(W.stride)),
                           pick<T>(library.dgesvdj_length, library.zgesvdj_length),
                           pick<T>(library.dgesvdj, library.zgesvdj),
                           Parameters(library.create_gesvdj_info, library.destroy_gesvdj_info));
}

}  // namespace pivotlab::baselines
