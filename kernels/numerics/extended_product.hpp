// SPDX-License-Identifier: BSD-3-Clause
// Matrix products in extended precision at the speed of double-precision BLAS 3.
//
// Error-free slicing (Ozaki, Ogita, Oishi & Rump, Numer. Algorithms 59 (2012)): every row of A and column of B is
// scaled by a power of two and cut into slices of small integers,
//
//   A = Σ_i 2^(−βi) A_i,   B = Σ_j 2^(−βj) B_j,   A·B ≈ Σ_d 2^(−βd) Σ_{i+j=d} A_i·B_j,   d = 0, …, s−1,
//
// with β such that the double-precision sums over i + j = d are exact in any order. Only the s sums of the levels are
// added in extended precision, always in the same order: the bits depend neither on the threads nor on the blocking.
#pragma once

#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/op.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <type_traits>
#include <variant>

namespace pivotlab {

/// A factor op(A) of a product over R (Quad, DoubleDouble or std::complex of them). A contains doubles or extended
/// numbers, complex ones if R is complex. The object refers to the matrix and does not copy it.
template <class R>
struct Operand {
  using View = std::variant<MatrixView<const Rebind<R, double>>, MatrixView<const Rebind<R, DoubleDouble>>,
                            MatrixView<const Rebind<R, Quad>>>;
  View view;
  Op op = Op::none;

  template <class S>
  Operand(MatrixView<S> matrix, Op how = Op::none) : view(MatrixView<const std::remove_const_t<S>>(matrix)), op(how) {}
  template <class S>
  Operand(const Matrix<S>& matrix, Op how = Op::none) : view(matrix.view()), op(how) {}
};

/// Computes op(A)·op(B), m × k times k × n.
///
/// Accuracy: entry by entry that of a plain product in R,
///   |C − A·B| ≤ (k + s)·2⁻ᵖ·|A|·|B|,   p = 113 for Quad, 104 for DoubleDouble, s ≈ 6 the number of slices;
/// slices are added until this also holds for ill-scaled operands. Entries with (|A|·|B|)_ij below 2^(−2p) of (largest
/// element in row i of A)·(largest in column j of B) are plain sums. Operands may be any finite numbers, up to overflow
/// and underflow of R itself. A NaN or Inf gives NaN in its row or column. Cost: s(s + 1)/2 double-precision products;
/// zero slices (frequent for double operands) are skipped.
template <class R>
Matrix<R> product(const Operand<R>& A, const Operand<R>& B, int threads = 0);

}  // namespace pivotlab
