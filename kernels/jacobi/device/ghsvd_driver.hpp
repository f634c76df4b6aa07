// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD by tangent reduction by the device's kernels and a library: on a GPU, or emulated on
// the host.
#pragma once

#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/jacobi/device/ghsvd_device.hpp"

#include <functional>
#include <pivotlab/ghsvd.hpp>

namespace pivotlab::jacobi {

/// The parts of a device that decompose pairs of one shape, one at a time, and their memory.
template <class T>
struct GhsvdMachinery {
  Shape shape;
  GhsvdOptions options;
  std::unique_ptr<GhsvdDevice<T>> device;
  EighMachinery<T> solver;  ///< of T
};

/// Computes T = B*JB and its factors in double-double on the host, and rounds G_T.
template <class T>
using FactorOnHost = std::function<SignedFactor<T>(const Matrix<T>& B, const std::vector<int>& J)>;

/// Returns the bytes of device memory of the parts for a GPU. Throws NotSupported where cuBLAS or cuSOLVER is missing.
template <class T>
std::size_t ghsvd_workspace_bytes(const Shape& shape, const GhsvdOptions& options);
/// Make the parts, on a stream of the current GPU, or emulated with LAPACK. A workspace is device memory of
/// ghsvd_workspace_bytes() aligned to 256 that outlives them; null: they allocate it.
template <class T>
GhsvdMachinery<T> make_cuda_machinery(const Shape& shape, const GhsvdOptions& options, CallerStream stream,
                                      void* workspace = nullptr);
template <class T>
GhsvdMachinery<T> make_emulated_machinery(const Shape& shape, const GhsvdOptions& options,
                                          LaneOrder order = LaneOrder::forward);

/// Decomposes a pair of the machinery's shape in device memory. J has m_f signs or is empty. `factor_on_host` is called
/// with the precision `extended`.
template <class T>
GhsvdValues<double> solve_given(GhsvdMachinery<T>& machinery, const DevicePair<T>& pair, const std::vector<int>& J,
                                const FactorOnHost<T>& factor_on_host);
/// Decomposes a pair of the host, which has been checked.
template <class T>
GhsvdResult<T> solve_on_host_pair(GhsvdMachinery<T> machinery, MatrixView<const T> F, MatrixView<const T> G,
                                  const std::vector<int>& J, const FactorOnHost<T>& factor_on_host);

}  // namespace pivotlab::jacobi
