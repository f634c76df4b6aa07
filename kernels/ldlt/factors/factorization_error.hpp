// SPDX-License-Identifier: BSD-3-Clause
// Rigorous bounds of ‖P·A·Pᵀ − M·D·Mᴴ‖₂ for computed factors.
//
// A priori bound: let c be an element of a reduced matrix, P a pivot's block of D, and m the row of M that is computed
// from c. They satisfy
//
//   |a − Σ m·w − c| ≤ γ·(|a| + Σ |m|·|w|)      (Higham, Accuracy and Stability, 2nd ed., Lemma 8.4, in any order),
//   |c − m·P|       ≤ κu·|m|·|P|               (1×1 and 2×2 pivots by the formulas of products.hpp, which round their
//                                               terms less than 16/(1 − q) times: PivotSigns::amplification),
//
// where w = c* of another row. With P·m* in place of w, componentwise
//
//   |P·A·Pᵀ − M·D·Mᴴ| ≤ (γ·(1 + κu) + 2κu)·(|A| + |M|·|D|·|Mᴴ|),
//
// as in Theorem 11.3 there, with the constants of these kernels. They sum in different orders; the bound holds for all
// of them. For Hermitian matrices ‖·‖₂ ≤ ‖·‖∞. The elements that complete pivoting treated as zero are added, and the
// possible effect of underflow. In double-double, u bounds the relative error of every operation.
#pragma once

#include "kernels/ldlt/factors/pivot_signs.hpp"
#include "kernels/ldlt/factors/reconstruction_error.hpp"

#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace pivotlab::ldlt_detail {

/// The largest relative error of an operation: 15u² of a quotient in double-double.
template <class R>
inline constexpr double roundoff_of = unit;
template <>
inline constexpr double roundoff_of<DoubleDouble> = 0x1p-102;

/// Computes an upper bound of ‖|P·A·Pᵀ| + |M|·|D|·|Mᴴ|‖∞ in O(n²) operations. F is T or double-double.
template <class T, class F = T>
class AbsoluteProduct {
 public:
  AbsoluteProduct(MatrixView<const T> A, const LdltFactorization<F>& f, int threads)
      : A_(A), f_(f), threads_(thread_count(threads)) {}

  double norm() const {
    const Index n = f_.order();
    const std::vector<double> sums = times_d(sums_of_columns<F>(f_.M, true));
    const std::vector<double> of_a = sums_of_columns<T>(A_, false);
    const std::vector<double> of_product = times_m(sums);
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      const double sum = of_a[f_.permutation[i]] + of_product[i];
      largest = sum <= largest ? largest : sum;  // NaN remains
    }
    return rounded_up(largest, 3 * n + 48);
  }

 private:
  /// Returns the sums of the columns; A is Hermitian, so these are also the sums of its rows.
  template <class X>
  static double size_of(const X& x) {
    return static_cast<double>(modulus(x));
  }

  template <class X>
  std::vector<double> sums_of_columns(MatrixView<const X> A, bool lower) const {
    std::vector<double> sums(A.cols);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 16)
    for (Index j = 0; j < A.cols; ++j) {
      double sum = 0;
      for (Index i = lower ? j : 0; i < A.rows; ++i) sum += size_of(A(i, j));
      sums[j] = sum;
    }
    return sums;
  }

  /// Computes |D|·x.
  std::vector<double> times_d(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      y[k] += size_of(f_.diagonal[k]) * x[k];
      if (f_.subdiagonal[k] == F(0)) continue;
      y[k] += size_of(f_.subdiagonal[k]) * x[k + 1];
      y[k + 1] += size_of(f_.subdiagonal[k]) * x[k];
    }
    return y;
  }

  /// Computes |M|·x.
  std::vector<double> times_m(const std::vector<double>& x) const {
    constexpr Index chunk = 256;
    const Index n = f_.order();
    std::vector<double> y(x.size());
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (Index first = 0; first < n; first += chunk) {
      const Index end = std::min(first + chunk, n);
      for (Index j = 0; j < end; ++j)
        for (Index i = std::max(first, j); i < end; ++i) y[i] += size_of(f_.M(i, j)) * x[j];
    }
    return y;
  }

  MatrixView<const T> A_;
  const LdltFactorization<F>& f_;
  int threads_;
};

/// Both bounds of one factorization of a Hermitian matrix. T is double or std::complex<double>, F the same or
/// double-double, which has the a priori bound only.
template <class T, class F = T>
class FactorizationError {
 public:
  FactorizationError(MatrixView<const T> A, const LdltFactorization<F>& f, const PivotSigns& signs, int threads)
      : A_(A), f_(f), threads_(threads), size_(AbsoluteProduct<T, F>(A, f, threads).norm()) {
    constexpr double u = roundoff_of<RealOf<F>>;
    const double n = static_cast<double>(f.order()), kappa = 16 * signs.amplification;
    factor_ = rounded_up((summation_error<T>(f.order() + 1) * (u / unit) + 2 * kappa * u) * (1 + kappa * u), 8);
    left_ = rounded_up(static_cast<double>(f.remainder) * n, 16);
    underflow_ = rounded_up(n * n * (1 + static_cast<double>(f.max_multiplier)) * (1 + size_), 8) * 0x1p-1060;
  }

  /// Returns the approximate norm of one rounding error in every element.
  double roundoff() const { return roundoff_of<RealOf<F>> * size_; }
  /// Returns the a priori bound without the elements that were treated as zero.
  double of_rounding() const { return rounded_up(factor_ * size_ + underflow_, 2); }
  double a_priori() const { return rounded_up(of_rounding() + left_, 1); }

  double residual() const requires std::is_same_v<T, F> {
    using E = Rebind<T, DoubleDouble>;
    const Index n = f_.order();
    const int exponent = f_.largest_element > 0 ? exponent_of(f_.largest_element) : 0;
    const GivenFactors<T> given{A_, f_.M, f_.diagonal, f_.subdiagonal, f_.permutation, true, exponent};
    double largest = 0;
    for (const double sum : ReconstructionError<E, T, true>(given, threads_).sums_of_rows())
      largest = sum <= largest ? largest : sum;  // NaN remains
    // An element of M·D is at most one of |M|·|D|·|Mᴴ|, and the products' errors are relative to the largest ones.
    const double own = static_cast<double>(n) * static_cast<double>(n + 64) * 0x1p-98 * (1 + f_.max_multiplier) * size_;
    return rounded_up(std::ldexp(largest, exponent) + own + underflow_, n + 8);
  }

 private:
  MatrixView<const T> A_;
  const LdltFactorization<F>& f_;
  int threads_;
  double size_;  ///< ‖|P·A·Pᵀ| + |M|·|D|·|Mᴴ|‖∞
  double factor_, left_, underflow_;
};

}  // namespace pivotlab::ldlt_detail
