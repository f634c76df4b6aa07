// SPDX-License-Identifier: BSD-3-Clause
// Products in extended precision whose error is small relative to the largest elements of a row and a column.
#pragma once

#include <kernels/numerics/extended_product.hpp>

namespace pivotlab {

/// Computes op(A)·op(B) as product() does, with an error relative to vectors instead of entries:
///   |C − A·B|_ij ≤ (k + s)·2⁻¹⁰¹·max_k|a_ik|·max_k|b_kj|.
/// The same few slices suffice for all operands, so it is up to ten times as fast if elements of a row differ much, as
/// in sparse or graded factors. T is DoubleDouble or std::complex<DoubleDouble>.
template <class T>
Matrix<T> balanced_product(const Operand<T>& A, const Operand<T>& B, int threads = 0);

}  // namespace pivotlab
