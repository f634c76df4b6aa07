// The Hermitian eigensolver by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/exec/lane_order.hpp"
#include "kernels/jacobi/shared/eigh_parts.hpp"

namespace pivotlab::jacobi {

/// Solves for A (n × n, n ≥ 1), whose largest element is about 1, on the first CUDA device. G and U stay in its memory;
/// only a matrix whose pivots the rank test sets to zero is completed on the host. T is double or std::complex<double>.
/// Throws NotSupported for `spectral` where cuBLAS or cuSOLVER is missing, InputError as ldlt() does.
template <class T>
EighParts<T> eigh_on_cuda(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps);

/// Runs the same kernels on the host, with the same bits as eigh_on_cuda, without `spectral`.
template <class T>
EighParts<T> eigh_emulated(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps,
                           LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::jacobi
