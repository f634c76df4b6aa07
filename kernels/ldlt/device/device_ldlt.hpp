// The symmetric indefinite factorization by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/ldlt/device/device_factorizer.hpp"

#include <memory>
#include <pivotlab/ldlt.hpp>

namespace pivotlab {

/// A factorization whose M is in device memory.
template <class T>
struct ResidentFactors {
  std::unique_ptr<ldlt_device::DeviceFactorizer<T>> factorizer;  ///< has M
  LdltFactorization<T> factors;                                  ///< without M, rank and inertia
  int exponent = 0;                                              ///< the matrix was multiplied by 2^exponent
};

/// Factors a triangle as ldlt_on_cuda or ldlt_emulated do, and leaves M on the device.
template <class T>
ResidentFactors<T> eliminate_on_cuda(PackedTriangle<T> A, const LdltOptions& options);
template <class T>
ResidentFactors<T> eliminate_emulated(PackedTriangle<T> A, const LdltOptions& options,
                                      LaneOrder order = LaneOrder::forward);

/// Downloads M, and computes rank and inertia.
template <class T>
LdltFactorization<T> complete(ResidentFactors<T> resident, const LdltOptions& options);

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
