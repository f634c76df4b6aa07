// The symmetric indefinite factorization by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/exec/lane_order.hpp"

#include <pivotlab/ldlt.hpp>

namespace pivotlab {

/// Factors a triangle whose elements have been checked as ldlt() does, on the first CUDA device. T is double or
/// std::complex<double>. Throws NotSupported in a build without CUDA and on a machine without a device, std::bad_alloc
/// if the device's memory does not suffice.
template <class T>
LdltFactorization<T> ldlt_on_cuda(PackedTriangle<T> A, const LdltOptions& options);

/// Runs the same kernels on the host, one fiber per thread: slow, with the same bits as ldlt_on_cuda. The result must
/// not depend on the order in which the threads of a block run; tests try several.
template <class T>
LdltFactorization<T> ldlt_emulated(PackedTriangle<T> A, const LdltOptions& options,
                                   LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab
