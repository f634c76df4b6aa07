// SPDX-License-Identifier: BSD-3-Clause
// Interface between the public functions (*_batch.cpp) and the kernels.
#pragma once

#include "kernels/batch/batch_arguments.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab::batch {

inline constexpr int largest_columns = 256;  ///< the largest number of columns of a matrix
/// The largest number of columns of matrices whose singular values need no U; those of more columns are transformed in
/// the memory of U.
template <class T>
inline constexpr int most_columns_of_values = 1024 / sizeof(T);
inline constexpr int most_shared_bytes = 227 * 1024;  ///< of a block, on compute capability 9.0

/// Returns the shared memory of a block.
template <class T>
int shared_bytes(const JacobiArguments<T>& arguments);

template <class T>
int shared_bytes(const GsvdArguments<T>& arguments);

/// Returns the bytes of `workspace`, whose contents do not matter.
template <class T>
std::size_t workspace_bytes(const EighArguments<T>& arguments, int count);

/// Launches the kernel of these arguments for `count` matrices: FactorArguments, SolveArguments, SignedFactorArguments,
/// JacobiArguments, GsvdArguments, EighArguments (several kernels) of double or std::complex<double>, EigArguments.
/// Throws CudaError if it cannot be launched.
template <class Arguments>
void run_on_cuda(const Arguments& arguments, int count, const CallerStream& stream);
/// Runs the same kernel on fibers of the host.
template <class Arguments>
void run_emulated(const Arguments& arguments, int count, LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::batch
