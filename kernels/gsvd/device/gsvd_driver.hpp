// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/exec/lane_order.hpp"

#include <pivotlab/gsvd.hpp>

namespace pivotlab {

/// Decomposes a pair as gsvd() does, on the first CUDA device. T is double or std::complex<double>; the block width is
/// 16 or 32. Throws InputError as gsvd() does, NotSupported for other widths, a build without CUDA and a machine
/// without a device, std::bad_alloc if the device's memory does not suffice.
template <class T>
GsvdResult<T> gsvd_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options);

/// Runs the same kernels on the host, one fiber per thread: slow, with the same bits as gsvd_on_cuda. The result must
/// not depend on the order in which the threads of a block run; tests try several.
template <class T>
GsvdResult<T> gsvd_emulated(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options,
                            LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab
