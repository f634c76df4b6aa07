// SPDX-License-Identifier: BSD-3-Clause
// Separation of eigenvalues of very different sizes, before an iteration whose errors are relative to ‖A‖.
//
// With rows and columns of the balanced matrix ordered by size, A = [A₁₁ A₁₂; A₂₁ A₂₂], A₁₁ has the large eigenvalues:
//
//   X·A₁₁ = A₂₁ + A₂₂·X − X·A₁₂·X,   B₁ = A₁₁ + A₁₂·X,   B₂ = A₂₂ − X·A₁₂,   B₁·Y = Y·B₂ − A₁₂,
//   A·P = P·diag(B₁, B₂),   P = [I Y; X I+XY],   P⁻¹ = [I+YX −Y; −X I].
//
// Both equations are solved by fixed-point iterations, which converge like the ratio of the sizes. P is near I, and the
// errors of B₂ are relative to B₂. Source: Stewart, Error and perturbation bounds for subspaces, SIAM Review 15 (1973);
// Demmel, Three methods for refining estimates of invariant subspaces, Computing 38 (1987).
#pragma once

#include "kernels/eig/shared/balance.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace pivotlab::eig_detail {

template <class R>
class Separation {
  using C = std::complex<R>;

 public:
  /// Separates a finite n × n matrix; returns nothing if it is not graded: if its rows and columns have similar sizes
  /// after balancing, or the equations have no solutions of norm ≤ ½. A triangular matrix shows its eigenvalues.
  static std::optional<Separation> of(MatrixView<const C> A) {
    if (largest_part<R>(A) == R(0) || is_upper_triangular<R>(A)) return std::nullopt;
    Separation s(A);
    const std::vector<Index> cuts = s.order_by_size();
    for (const Index cut : cuts)
      if (s.solve(cut)) return s;
    return std::nullopt;
  }

  Index large() const { return X_.cols(); }       ///< order of B₁
  Index row(Index i) const { return order_[i]; }  ///< row of the balanced matrix that row i of P belongs to
  const Balance& balance() const { return balance_; }
  const Matrix<C>& balanced() const { return A_; }  ///< 2^exponent·D⁻¹·A·D, not ordered
  const Matrix<C>& B1() const { return B1_; }
  const Matrix<C>& B2() const { return B2_; }

  /// Computes P·diag(V₁, V₂).
  Matrix<C> right(const Matrix<C>& V1, const Matrix<C>& V2) const {
    const Matrix<C> top = product_of<C>(Y_, V2);
    return assembled(V1, top, product_of<C>(X_, V1), sum(V2, +1, product_of<C>(X_, top)));
  }
  /// Computes P⁻ᴴ·diag(W₁, W₂).
  Matrix<C> left(const Matrix<C>& W1, const Matrix<C>& W2) const {
    const Matrix<C> below = negative(product_of<C>(adjoint(Y_), W1));
    return assembled(sum(W1, -1, product_of<C>(adjoint(X_), below)), negative(product_of<C>(adjoint(X_), W2)), below,
                     W2);
  }

 private:
  /// Rows and columns count as graded if their sizes differ by this factor or more, and are cut at a gap of four.
  static constexpr int graded = 10, gap = 2;  // exponents of two
  static constexpr std::size_t most_cuts = 3;

  explicit Separation(MatrixView<const C> A) : A_(A) {
    constexpr int room = 20, most_calls = 10;
    balance_.exponent = std::numeric_limits<R>::max_exponent - room - exponent_of(largest_part<R>(A));
    scale(A_.view(), balance_.exponent);
    balance_.d.assign(A.cols, 0);
    for (int call = 0; call < most_calls; ++call) {
      const std::vector<int> d = eig_detail::balance(A_.view());
      for (std::size_t j = 0; j < d.size(); ++j) balance_.d[j] += d[j];
      if (std::ranges::count(d, 0) == A.cols) break;
    }
  }

  /// Orders rows and columns by the largest element of both, descending. Returns where to cut, the widest gap first.
  std::vector<Index> order_by_size() {
    const Index n = A_.cols();
    std::vector<R> size(n, R(0));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const R x = magnitude_1(A_(i, j));
        size[i] = std::max(size[i], x), size[j] = std::max(size[j], x);
      }
    order_ = descending_indices(size);
    std::vector<int> exponent;
    for (const Index i : order_)
      if (size[i] > R(0)) exponent.push_back(exponent_of(size[i]));
    std::vector<Index> cuts;
    if (exponent.front() - exponent.back() < graded) return cuts;
    const auto width = [&](Index cut) { return exponent[cut - 1] - exponent[cut]; };
    for (Index cut = 1; cut < std::ssize(exponent); ++cut)
      if (width(cut) >= gap) cuts.push_back(cut);
    sort_indices(cuts, [&](Index a, Index b) { return width(a) > width(b); });
    cuts.resize(std::min(cuts.size(), most_cuts));
    return cuts;
  }

  /// Solves both equations for A₁₁ of order k. Returns whether that succeeded.
  bool solve(Index k) {
    const Index n = A_.cols();
    const auto block = [&](Index first_row, Index rows, Index first_col, Index cols) {
      Matrix<C> result(rows, cols);
      for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < rows; ++i) result(i, j) = A_(order_[first_row + i], order_[first_col + j]);
      return result;
    };
    const Matrix<C> A11 = block(0, k, 0, k), A12 = block(0, k, k, n - k), A21 = block(k, n - k, 0, k),
                    A22 = block(k, n - k, k, n - k), transposed_a21 = matrix_of(transpose(A21));
    // Xᵀ, whose columns are graded as those of Y are.
    Matrix<C> Xt(k, n - k);
    const ScaledLU of_a11(matrix_of(transpose(A11)));
    if (!iterate(Xt, [&](const Matrix<C>& Z) {
          const Matrix<C> linear = sum(transposed_a21, +1, product_of<C>(Z, transpose(A22)));
          return of_a11.solve(sum(linear, -1, product_of<C>(Z, product_of<C>(transpose(A12), Z))));
        }))
      return false;
    X_ = matrix_of(transpose(Xt));
    B1_ = sum(A11, +1, product_of<C>(A12, X_)), B2_ = sum(A22, -1, product_of<C>(X_, A12));
    Y_ = Matrix<C>(k, n - k);
    const ScaledLU of_b1(B1_);
    return iterate(Y_, [&](const Matrix<C>& Y) { return of_b1.solve(sum(product_of<C>(Y, B2_), -1, A12)); });
  }

  /// Returns A + sign·B.
  static Matrix<C> sum(Matrix<C> A, int sign, const Matrix<C>& B) {
    for (Index i = 0; i < A.size(); ++i) A.data()[i] += R(sign) * B.data()[i];
    return A;
  }
  static Matrix<C> negative(Matrix<C> A) {
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = -A.data()[i];
    return A;
  }

  /// Factors of 2^−exponent·A: quotients of complex numbers near the end of the range would overflow.
  class ScaledLU {
   public:
    explicit ScaledLU(Matrix<C> A) : exponent_(exponent_of_largest(A)), lu_(scaled(std::move(A))) {}
    Matrix<C> solve(Matrix<C> B) const {
      B = scaled(std::move(B));
      lu_.solve(B);
      return B;
    }

   private:
    static int exponent_of_largest(const Matrix<C>& A) {
      const R largest = largest_part<R>(A);
      return largest > R(0) ? exponent_of(largest) : 0;
    }
    Matrix<C> scaled(Matrix<C> A) const {
      scale(A.view(), -exponent_);
      return A;
    }

    int exponent_;
    PartialLU<C> lu_;
  };

  /// Sets X := map(X) until no column changes by more than rounding errors. Returns whether X converged to a matrix of
  /// norm ≤ ½.
  template <class Map>
  static bool iterate(Matrix<C>& X, const Map& map) {
    constexpr int most_steps = 100, first_tested = 4;
    const R epsilon = std::numeric_limits<R>::epsilon(), small = square_root(epsilon);
    R before(0);
    for (int step = 0; step < most_steps; ++step) {
      const Matrix<C> next = map(X);
      R change(0), squares(0);
      bool fills = false;  // a column that was zero, as one after the other is if A is a companion matrix
      for (Index j = 0; j < X.cols(); ++j) {
        R largest(0), before_largest(0), difference(0);
        for (Index i = 0; i < X.rows(); ++i) {
          largest = std::max(largest, magnitude_1(next(i, j)));
          before_largest = std::max(before_largest, magnitude_1(X(i, j)));
          difference = std::max(difference, magnitude_1(C(next(i, j) - X(i, j))));
          squares += squared_magnitude(next(i, j));
        }
        if (largest > R(0)) change = std::max(change, R(difference / largest));
        fills |= largest > R(0) && before_largest == R(0);
      }
      X = next;
      if (!(square_root(squares) <= R(0.5))) return false;  // or NaN
      if (change <= R(X.rows()) * epsilon) return true;
      const bool contracts = step < first_tested || fills || R(2) * change < before;
      if (!contracts) return change <= small;
      before = change;
    }
    return false;
  }

  Matrix<C> assembled(const Matrix<C>& top_left, const Matrix<C>& top_right, const Matrix<C>& low_left,
                      const Matrix<C>& low_right) const {
    const Index n = A_.cols(), k = top_left.rows();
    Matrix<C> result(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const Matrix<C>& part = i < k ? (j < k ? top_left : top_right) : (j < k ? low_left : low_right);
        result(order_[i], j) = part(i < k ? i : i - k, j < k ? j : j - k);
      }
    return result;
  }

  Matrix<C> A_;
  Balance balance_;
  std::vector<Index> order_;
  Matrix<C> X_, Y_, B1_, B2_;
};

}  // namespace pivotlab::eig_detail
