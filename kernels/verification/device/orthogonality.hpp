// SPDX-License-Identifier: BSD-3-Clause
// Measures ‖UᴴU − I‖ by an exact product, with a bound of its error. This header is plain C++, which a device compiler
// also reads.
#pragma once

#include <optional>
#include <pivotlab/matrix.hpp>

namespace pivotlab::experiments {

struct Orthogonality {
  double frobenius, norm_1;  ///< ‖UᴴU − I‖_F, ‖UᴴU − I‖₁
  double bound;              ///< of the errors of both, proved but for the rounding of the norms' sums
};

/// Measures the columns of U, m × n, on a GPU; nothing without a GPU or cuBLAS. T is double or std::complex<double>.
template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>& U);

}  // namespace pivotlab::experiments
