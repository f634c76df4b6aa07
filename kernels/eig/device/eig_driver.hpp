// SPDX-License-Identifier: BSD-3-Clause
// The iteration and the right eigenvectors by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/eig/device/device_solver.hpp"
#include "kernels/eig/shared/decomposition.hpp"
#include "kernels/exec/lane_order.hpp"

#include <pivotlab/device_eig.hpp>

namespace pivotlab::eig_detail {

/// Decomposes a checked matrix, n ≥ 1, with checked options on the first CUDA device. Throws NotSupported in a build
/// without CUDA and on a machine without a device, std::bad_alloc if the device's memory does not suffice.
DeviceDecomposition<double> decompose_on_cuda(MatrixView<const std::complex<double>> A, const EigOptions& options);

/// Runs the same kernels on the host, one fiber per thread: slow, with the same bits. The result must not depend on the
/// order in which the threads of a block run; tests try several.
DeviceDecomposition<double> decompose_emulated(MatrixView<const std::complex<double>> A, const EigOptions& options,
                                               LaneOrder order = LaneOrder::forward);

/// Decomposes a matrix in device memory, n ≥ 1, without a copy to the host, and stores the right vectors, if the plan
/// has them, in order to V, complex n × n in device memory with this stride. Throws InputError for NaN and Inf.
DeviceEigResult solve_given(eig_device::DeviceSolver& solver, const eig_device::SolverPlan& plan,
                            const eig_device::GivenMatrix& A, double* V, std::int64_t stride);

/// Decomposes many matrices of order n, 1 ≤ n ≤ 64, side by side in A, by one launch on the device of the options'
/// backend, by the fused point method whatever the variant's form is. compute_seconds is the time of the launch divided
/// by the number of matrices.
std::vector<DeviceDecomposition<double>> decompose_batch(MatrixView<const std::complex<double>> A,
                                                         const EigOptions& options,
                                                         LaneOrder order = LaneOrder::forward);
inline constexpr Index largest_in_batch = 64;

}  // namespace pivotlab::eig_detail
