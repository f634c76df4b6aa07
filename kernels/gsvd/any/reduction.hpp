// Reduction of a pair to its core pair, and the way back. no_lapack.cpp refuses in a build without LAPACK.
#pragma once

#include <pivotlab/gsvd_any.hpp>

#include <memory>

namespace pivotlab::any {

/// With W = S·[N P₁], S a diagonal scaling of columns by powers of two, G·S·N = 0, P₁ l columns of a permutation:
///
///   2^f·Uᴴ·F·W = [0 A₁₂ A₁₃; 0 0 A₂₃; 0 0 0],   2^g·Vᴴ·G·W = [0 0 B₁₃; 0 0 0],
///
/// A₁₂ (k × k) and B₁₃ (l × l) upper triangular and nonsingular, A₂₃ q × l, q ≤ min(m_F − k, l). Zero σ for which the
/// rank of F accounts are left out of A₂₃ by its number of rows.
template <class T>
class Reduction {
 public:
  virtual ~Reduction() = default;
  virtual MatrixView<const T> a23() const = 0;
  virtual MatrixView<const T> b13() const = 0;
  /// Sets k, l, r, tolerances, pivots.
  virtual void describe(AnyGsvdResult<T>& result) const = 0;
  /// Replaces the factors of the core pair, U (q × l), V, Z (l × l) and its l values, by those of the pair, and sets R
  /// and Q. Columns of U and V of zero values are zero.
  virtual void expand(AnyGsvdResult<T>& result) const = 0;
};

/// Reduces a finite pair.
template <class T>
std::unique_ptr<Reduction<T>> reduce(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options);

/// Sets R and Q with X = [0 R]·Qᴴ, r × n; leaves them empty in a build without LAPACK.
template <class T>
void set_r_and_q(MatrixView<const T> X, AnyGsvdResult<T>& result);

}  // namespace pivotlab::any
