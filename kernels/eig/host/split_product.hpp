// SPDX-License-Identifier: BSD-3-Clause
// Products of complex matrices with split parts by three real products each:
//
//   Re(X·M) = (Re X + Im X)·Re M − Im X·(Re M + Im M),   Im(X·M) = (Re X + Im X)·Re M + Re X·(Im M − Re M).
//
// Real products run three times as fast as Eigen's complex ones. Errors are those of a complex product up to a small
// factor: bounded by |X|·|M| of complex moduli, not separately of real and imaginary parts.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/eigen.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include <complex>

namespace pivotlab::eig_detail {

/// A matrix that multiplies many others, with the parts for the three products.
template <class R>
struct Multiplier {
  Matrix<R> re, sum, difference;  ///< Re M, Re M + Im M, Im M − Re M

  Multiplier() = default;
  Multiplier(Index rows, Index cols) : re(rows, cols), sum(rows, cols), difference(rows, cols) {}
  /// Uses the leading columns of M from row `first` on.
  void assign(const SplitMatrix<std::complex<R>>& M, Index first = 0) {
    for (Index j = 0; j < re.cols(); ++j)
      for (Index i = 0; i < re.rows(); ++i) {
        const R x = M.re(j)[first + i], y = M.im(j)[first + i];
        re(i, j) = x, sum(i, j) = x + y, difference(i, j) = y - x;
      }
  }
};

/// A view on split parts; R may be const.
template <class R>
struct SplitView {
  MatrixView<R> re, im;
  SplitView block(Index i, Index j, Index rows, Index cols) const {
    return {re.block(i, j, rows, cols), im.block(i, j, rows, cols)};
  }
};

/// Computes Y := X·M. `sum` is workspace of the size of X; no operand overlaps another.
template <class R>
void multiply_right(SplitView<const R> X, const Multiplier<R>& M, MatrixView<R> sum, SplitView<R> Y) {
  as_eigen(sum) = as_eigen(X.re) + as_eigen(X.im);
  multiply(Y.re, sum, M.re);
  as_eigen(Y.im) = as_eigen(Y.re);
  subtract_product(Y.re, X.im, M.sum);
  add_product(Y.im, X.re, M.difference);
}

/// Computes Y := M·X, with the same conditions.
template <class R>
void multiply_left(const Multiplier<R>& M, SplitView<const R> X, MatrixView<R> sum, SplitView<R> Y) {
  as_eigen(sum) = as_eigen(X.re) + as_eigen(X.im);
  multiply(Y.re, M.re, sum);
  as_eigen(Y.im) = as_eigen(Y.re);
  subtract_product(Y.re, M.sum, X.im);
  add_product(Y.im, M.difference, X.re);
}

}  // namespace pivotlab::eig_detail
