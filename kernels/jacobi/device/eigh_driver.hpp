// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigensolver by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/jacobi/device/eigh_device.hpp"
#include "kernels/jacobi/shared/eigh_parts.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"

#include <functional>
#include <pivotlab/device_hsvd.hpp>

namespace pivotlab::jacobi {

/// A = G·J·G* with G (n × r) in device memory; members as in SignedFactor.
struct DeviceSignedFactor {
  std::vector<int> J;
  std::vector<int> rows;
  std::vector<bool> pairs;
  double zeros = 0;  ///< as in EighParts
};

/// The parts of a device that solve eigenproblems of order n, one at a time, and their memory.
template <class T>
struct EighMachinery {
  std::unique_ptr<ldlt_device::DeviceFactorizer<T>> factorizer;
  std::unique_ptr<EighDevice<T>> device;
  std::function<std::unique_ptr<DeviceSolver>(const SolverPlan&)> make_solver;
  std::unique_ptr<DeviceSolver> solver = nullptr;  ///< for `rank` columns, those of the latest G
  Index rank = 0;
};

/// Returns the bytes of device memory of a solver for n rows and at most n columns.
std::size_t solver_workspace_bytes(bool complex, Index n, const HsvdOptions& options);

/// Returns the bytes of device memory that the parts for matrices of order n work in, without those for `spectral`,
/// with `compute_v` with those for V of the hyperbolic SVD.
template <class T>
std::size_t eigh_workspace_bytes(Index n, const EighOptions& options, bool compute_v = false);
/// Make the parts, on the stream of the caller, or on streams of their own on the first device; or emulated. A
/// workspace is memory of that size aligned to 256 that outlives them; null: they allocate it.
template <class T>
EighMachinery<T> make_cuda_machinery(Index n, const EighOptions& options, void* workspace = nullptr,
                                     const std::optional<CallerStream>& stream = {}, bool compute_v = false);
template <class T>
EighMachinery<T> make_emulated_machinery(Index n, const EighOptions& options, LaneOrder order = LaneOrder::forward,
                                         void* workspace = nullptr, bool compute_v = false);

/// Factors the lower triangle of A (n × n, n ≥ 1) in device memory, whose largest element is about 1 or less. G stays
/// in the memory of the device; if the rank test sets pivots to zero, it goes through the host.
template <class T>
DeviceSignedFactor factor_given(EighMachinery<T>& machinery, MatrixView<const T> A, const EighOptions& options);
/// Computes the hyperbolic SVD of (G, J), where the device has G and rank(G) = |J| > 0: U in Y of the device, and with
/// options.compute_v, as the parts were made for, V.
template <class T>
DeviceHsvdResult sweep(EighMachinery<T>& machinery, Index n, const std::vector<int>& J, const CallerMatrix& Y,
                       const HsvdOptions& options, const CallerMatrix& V = {});

/// Solves for 4^k·A, A (n × n, n ≥ 1) in device memory, whose largest element it makes about 1, and sets `k`. The
/// vectors stay in Y of the device. Only a matrix whose pivots the rank test sets to zero is completed on the host, and
/// only `spectral` and another rank than that of the previous matrix allocate. Throws InputError as ldlt() does.
template <class T>
EighParts<T> solve_given(EighMachinery<T>& machinery, MatrixView<const T> A, const EighOptions& options, int& k);

/// Throws InputError for a matrix of the host that is not finite or not Hermitian; the message names the element.
template <class T>
void check_elements(MatrixView<const T> A, const EighOptions& options);

/// Solves for A (n × n, n ≥ 1) on the first CUDA device, as solve_given does. T is double or std::complex<double>.
/// Throws NotSupported for `spectral` where cuBLAS or cuSOLVER is missing, InputError as ldlt() does.
template <class T>
EighResult<T> eigh_on_cuda(MatrixView<const T> A, const EighOptions& options);

/// Runs the same kernels on the host, with the same bits as eigh_on_cuda, without `spectral`.
template <class T>
EighResult<T> eigh_emulated(MatrixView<const T> A, const EighOptions& options, LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::jacobi
