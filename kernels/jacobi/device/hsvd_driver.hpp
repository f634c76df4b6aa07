// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic SVD by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/jacobi/device/device_solver.hpp"

#include <pivotlab/device_hsvd.hpp>

namespace pivotlab::jacobi {

/// Plans solutions for m × n matrices. Throws InputError for options out of range, NotSupported for the form PT and for
/// block widths without kernels.
SolverPlan make_plan(bool complex, Index m, Index n, const HsvdOptions& options);

/// Decomposes G (rows × n of the plan, n ≥ 1) in the solver's device memory, and stores U and, if the plan wants it, V
/// there. U may have the memory of G. Columns of U of σ = 0 become zero. Allocates no device memory. Throws InputError
/// as hsvd() does.
DeviceHsvdResult decompose(DeviceSolver& solver, const SolverPlan& plan, const CallerMatrix& G,
                           const std::vector<int>& J, const HsvdOptions& options, const CallerMatrix& U,
                           const CallerMatrix& V);

/// Decomposes G as hsvd() does, on the first CUDA device. T is double or std::complex<double>.
template <class T>
HsvdResult<T> hsvd_on_cuda(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options);

/// Runs the same kernels on the host, one fiber per thread: slow, with the same bits as hsvd_on_cuda. The result must
/// not depend on the order in which the threads of a block run; tests try several.
template <class T>
HsvdResult<T> hsvd_emulated(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options,
                            LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::jacobi
