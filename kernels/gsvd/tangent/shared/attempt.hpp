// SPDX-License-Identifier: BSD-3-Clause
// One attempt at the tangent path on matrices of the host, by one backend.
#pragma once

#include "kernels/exec/lane_order.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <pivotlab/gsvd_tangent.hpp>

namespace pivotlab::tangent {

template <class T>
struct Attempt {
  Outcome outcome;
  Matrix<T> U, V, Z, X;  ///< factors without a breakdown; X on request; U has zero columns where σ is 0
  double compute_seconds = 0;
};

/// Decomposes by LAPACK and loops of the host. Throws NotSupported in a build without LAPACK.
template <class T>
Attempt<T> attempt_on_host(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options);

/// Decomposes by LAPACK and kernels that fibers of the host run, in some order of the threads of a block. Throws
/// NotSupported in a build without LAPACK.
template <class T>
Attempt<T> attempt_emulated(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options,
                            LaneOrder order = LaneOrder::forward);

/// Decomposes by cuBLAS, cuSOLVER and kernels on the first GPU; compute_seconds excludes the copies of F, G and the
/// factors.
/// Throws NotSupported without the GPU's libraries.
template <class T>
Attempt<T> attempt_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options);

}  // namespace pivotlab::tangent
