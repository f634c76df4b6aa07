// SPDX-License-Identifier: BSD-3-Clause
// Operations around the routines of LAPACK and cuSOLVER: norms of columns, and division by them.
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>

namespace pivotlab::baselines {

/// Computes norms[j] = ‖column j‖₂ without undue overflow or underflow, of a height × count column-major matrix on the
/// device; a complex matrix is one of twice the height.
void column_norms(const double* A, std::ptrdiff_t height, std::ptrdiff_t count, double* norms, cudaStream_t stream);

/// Divides column j by divisors[j]; the column becomes zero if the divisor is zero.
void divide_columns(double* A, std::ptrdiff_t height, std::ptrdiff_t count, const double* divisors,
                    cudaStream_t stream);

}  // namespace pivotlab::baselines
