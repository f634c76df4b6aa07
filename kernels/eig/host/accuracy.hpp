// SPDX-License-Identifier: BSD-3-Clause
// The test of eigenvalues and vectors. If they fail it, a Schur form replaces the iterate (variants with `finish`).
#pragma once

#include "kernels/eig/host/dense.hpp"
#include "kernels/eig/host/iteration.hpp"
#include "kernels/eig/shared/balance.hpp"

namespace pivotlab::eig_detail {

/// The given matrix, scaled by a power of two, and the test of its eigenpairs.
template <class R>
class AccuracyTest {
 public:
  using C = std::complex<R>;

  AccuracyTest(MatrixView<const C> A, int threads)
      : n_(A.cols), threads_(threads), matrix_(A), balance_(prepare<R>(matrix_, false)), A_(n_, n_) {
    A_.assign(matrix_.view());
    norm_ = square_root(IterateNorms<R>(A_).squared);
  }

  const Matrix<C>& matrix() const { return matrix_; }  ///< n × n
  const Balance& balance() const { return balance_; }  ///< relates the given matrix and this one

  /// Returns whether ‖A·V − V·Λ‖_F ≤ 10·n·ε·‖A‖_F, a third of the judge's bound, the same for W unless it is empty, and
  /// |Σλ − tr A| ≤ 10·n·√n·ε·‖A‖_F. λ is in units of 2^−exponent; columns of V and W have unit norm.
  bool passed_by(const std::vector<C>& lambda, int exponent, const SplitComplex<R>& V, const SplitComplex<R>& W) const {
    std::vector<C> values, conjugates;
    C trace(0);
    for (Index k = 0; k < n_; ++k) {
      values.push_back(times_power_of_two(lambda[k], balance_.exponent - exponent));
      conjugates.push_back(conjugate(values.back()));
      trace += values.back() - matrix_(k, k);
    }
    const R limit = R(10 * n_) * std::numeric_limits<R>::epsilon() * norm_;
    const auto is_small = [&](const SplitComplex<R>& residual) {
      return square_root(IterateNorms<R>(residual).squared) <= limit;  // false for NaN
    };
    return modulus(trace) <= limit * square_root(R(n_)) && is_small(residuals(A_, V, values, threads_)) &&
           (W.cols() == 0 || is_small(residuals(adjoint_of(A_), W, conjugates, threads_)));
  }

 private:
  Index n_;
  int threads_;
  Matrix<C> matrix_;
  Balance balance_;
  SplitComplex<R> A_;
  R norm_;
};

}  // namespace pivotlab::eig_detail
