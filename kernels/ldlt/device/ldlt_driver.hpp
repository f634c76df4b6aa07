// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization by the device's kernels: on a GPU, or emulated on the host.
#pragma once

#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/shared/input.hpp"

#include <pivotlab/ldlt.hpp>

namespace pivotlab {

/// Returns the plan of a factorizer for matrices of order n.
template <class T>
ldlt_device::FactorizationPlan factorization_plan(Index n, const LdltOptions& options);

/// A factorization whose M is in the memory of its factorizer.
template <class T>
struct IncompleteFactorization {
  LdltFactorization<T> factors;                 ///< without M, rank and inertia
  ldlt_detail::Prepared<RealOf<T>> prepared{};  ///< complete() undoes its exponent
};

/// Checks the columns of a matrix in device memory as ldlt() does a matrix of the host, and returns its largest part
/// and modulus. The errors name columns only.
template <class T>
ldlt_device::ColumnSize largest_of_checked(const std::vector<ldlt_device::ColumnSize>& columns, Symmetry symmetry);
/// Does so with the columns that a factorizer measures.
template <class T>
ldlt_device::ColumnSize checked_size(ldlt_device::DeviceFactorizer<T>& factorizer,
                                     const ldlt_device::GivenMatrix<T>& given, Symmetry symmetry);
/// Factors 2^exponent times a checked matrix in device memory with this largest modulus.
template <class T>
LdltFactorization<T> eliminate_given(ldlt_device::DeviceFactorizer<T>& factorizer,
                                     const ldlt_device::GivenMatrix<T>& given, double modulus, int exponent,
                                     const LdltOptions& options);

/// Checks and factors a matrix in device memory, of which options.triangle is read, as ldlt() does. Leaves M on the
/// device.
template <class T>
LdltFactorization<T> factor_given(ldlt_device::DeviceFactorizer<T>& factorizer, MatrixView<const T> A,
                                  LdltOptions options);

/// Downloads M, to memory that the factors may have for it already, and computes rank and inertia.
template <class T>
LdltFactorization<T> complete(ldlt_device::DeviceFactorizer<T>& factorizer, IncompleteFactorization<T> incomplete,
                              LdltOptions options);

/// Factors a PackedTriangle<T> or MatrixView<const T> as ldlt() does, on the first CUDA device, which also checks,
/// measures and scales it. T is double or std::complex<double>. Tests choose the design. Throws
/// NotSupported in a build without CUDA and on a machine without a device, std::bad_alloc if the device's memory does
/// not suffice.
template <class T, class Given>
LdltFactorization<T> ldlt_on_cuda(Given A, const LdltOptions& options, const ldlt_device::Design& design = {});

/// Runs the same kernels on the host, one fiber per thread: slow, with the same bits as ldlt_on_cuda. The result must
/// depend neither on the order in which the threads of a block run, nor on the design but the width of panels; tests
/// try several.
template <class T, class Given>
LdltFactorization<T> ldlt_emulated(Given A, const LdltOptions& options, LaneOrder order = LaneOrder::forward,
                                   const ldlt_device::Design& design = {});

}  // namespace pivotlab
