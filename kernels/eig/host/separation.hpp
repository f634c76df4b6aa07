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
#include "kernels/numerics/eigen.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace pivotlab::eig_detail {

template <class R>
class Separation {
  using C = std::complex<R>;
  using Whole = EigenMatrix<C>;

 public:
  /// Separates a finite n × n matrix; returns nothing if it is not graded: if its rows and columns have similar sizes
  /// after balancing, or the equations have no solutions of norm ≤ ½. A triangular matrix shows its eigenvalues.
  static std::optional<Separation> of(MatrixView<const C> A) {
    if (largest_part<R>(A) == R(0) || is_upper_triangular<R>(A)) return std::nullopt;
    fix_eigen_blocking();
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
  const Whole& B1() const { return B1_; }
  const Whole& B2() const { return B2_; }

  /// Computes P·diag(V₁, V₂).
  Whole right(const Whole& V1, const Whole& V2) const {
    const Whole top = Y_ * V2;
    return assembled(V1, top, X_ * V1, V2 + X_ * top);
  }
  /// Computes P⁻ᴴ·diag(W₁, W₂).
  Whole left(const Whole& W1, const Whole& W2) const {
    const Whole below = -(Y_.adjoint() * W1);
    return assembled(W1 - X_.adjoint() * below, -(X_.adjoint() * W2), below, W2);
  }

 private:
  /// Rows and columns count as graded if their sizes differ by this factor or more, and are cut at a gap of four.
  static constexpr int graded = 10, gap = 2;  // exponents of two
  static constexpr std::size_t most_cuts = 3;

  explicit Separation(MatrixView<const C> A) : A_(A) {
    constexpr int room = 20, most_calls = 10;
    balance_.exponent = std::numeric_limits<R>::max_exponent - room - exponent_of(largest_part<R>(A));
    scale(A_.view(), balance_.exponent);
    balance_.d.assign(static_cast<std::size_t>(A.cols), 0);
    for (int call = 0; call < most_calls; ++call) {
      const std::vector<int> d = eig_detail::balance(A_.view());
      for (std::size_t j = 0; j < d.size(); ++j) balance_.d[j] += d[j];
      if (std::ranges::count(d, 0) == A.cols) break;
    }
  }

  /// Orders rows and columns by the largest element of both, descending. Returns where to cut, the widest gap first.
  std::vector<Index> order_by_size() {
    const Index n = A_.cols();
    std::vector<R> size(static_cast<std::size_t>(n), R(0));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const R x = magnitude_1(A_(i, j));
        size[i] = std::max(size[i], x), size[j] = std::max(size[j], x);
      }
    order_.resize(size.size());
    std::iota(order_.begin(), order_.end(), Index(0));
    std::ranges::stable_sort(order_, [&](Index a, Index b) { return size[a] > size[b]; });
    std::vector<int> exponent;
    for (const Index i : order_)
      if (size[i] > R(0)) exponent.push_back(exponent_of(size[i]));
    std::vector<Index> cuts;
    if (exponent.front() - exponent.back() < graded) return cuts;
    const auto width = [&](Index cut) { return exponent[cut - 1] - exponent[cut]; };
    for (Index cut = 1; cut < std::ssize(exponent); ++cut)
      if (width(cut) >= gap) cuts.push_back(cut);
    std::ranges::stable_sort(cuts, [&](Index a, Index b) { return width(a) > width(b); });
    cuts.resize(std::min(cuts.size(), most_cuts));
    return cuts;
  }

  /// Solves both equations for A₁₁ of order k. Returns whether that succeeded.
  bool solve(Index k) {
    const Index n = A_.cols();
    const auto block = [&](Index first_row, Index rows, Index first_col, Index cols) {
      Whole result(rows, cols);
      for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < rows; ++i) result(i, j) = A_(order_[first_row + i], order_[first_col + j]);
      return result;
    };
    const Whole A11 = block(0, k, 0, k), A12 = block(0, k, k, n - k), A21 = block(k, n - k, 0, k),
                A22 = block(k, n - k, k, n - k);
    X_ = Whole::Zero(n - k, k), Y_ = Whole::Zero(k, n - k);
    // Xᵀ, whose columns are graded as those of Y are.
    Whole transposed = X_.transpose();
    const ScaledLU of_a11(A11.transpose());
    if (!iterate(transposed, [&](const Whole& Xt) {
          return of_a11.solve(A21.transpose() + Xt * A22.transpose() - Xt * (A12.transpose() * Xt));
        }))
      return false;
    X_ = transposed.transpose();
    B1_ = A11 + A12 * X_, B2_ = A22 - X_ * A12;
    const ScaledLU of_b1(B1_);
    return iterate(Y_, [&](const Whole& Y) { return of_b1.solve(Y * B2_ - A12); });
  }

  /// Factors of 2^−exponent·A: quotients of complex numbers near the end of the range would overflow.
  class ScaledLU {
   public:
    explicit ScaledLU(Whole A) {
      const MatrixView<C> view{A.data(), A.rows(), A.cols(), A.rows()};
      const R largest = largest_part<R>(view);
      exponent_ = largest > R(0) ? exponent_of(largest) : 0;
      scale(view, -exponent_);
      lu_.compute(A);
    }
    Whole solve(Whole B) const {
      const MatrixView<C> view{B.data(), B.rows(), B.cols(), B.rows()};
      scale(view, -exponent_);
      return lu_.solve(B);
    }

   private:
    int exponent_ = 0;
    Eigen::PartialPivLU<Whole> lu_;
  };

  /// Sets X := map(X) until no column changes by more than rounding errors. Returns whether X converged to a matrix of
  /// norm ≤ ½.
  template <class Map>
  static bool iterate(Whole& X, const Map& map) {
    constexpr int most_steps = 100, first_tested = 4;
    const R epsilon = std::numeric_limits<R>::epsilon(), small = square_root(epsilon);
    R before(0);
    for (int step = 0; step < most_steps; ++step) {
      const Whole next = map(X);
      R change(0);
      bool fills = false;  // a column that was zero, as one after the other is if A is a companion matrix
      for (Index j = 0; j < X.cols(); ++j) {
        const R largest = largest_in(next.col(j)), difference = largest_in(next.col(j) - X.col(j));
        if (largest > R(0)) change = std::max(change, R(difference / largest));
        fills |= largest > R(0) && largest_in(X.col(j)) == R(0);
      }
      X = next;
      if (!(X.norm() <= R(0.5))) return false;  // or NaN
      if (change <= R(X.rows()) * epsilon) return true;
      const bool contracts = step < first_tested || fills || R(2) * change < before;
      if (!contracts) return change <= small;
      before = change;
    }
    return false;
  }

  template <class Column>
  static R largest_in(const Column& x) {
    R largest(0);
    for (Index i = 0; i < x.size(); ++i) largest = std::max(largest, magnitude_1(C(x(i))));
    return largest;
  }

  Whole assembled(const Whole& top_left, const Whole& top_right, const Whole& low_left, const Whole& low_right) const {
    const Index n = A_.cols();
    Whole ordered(n, n), result(n, n);
    ordered << top_left, top_right, low_left, low_right;
    for (Index i = 0; i < n; ++i) result.row(order_[i]) = ordered.row(i);
    return result;
  }

  Matrix<C> A_;
  Balance balance_;
  std::vector<Index> order_;
  Whole X_, Y_, B1_, B2_;
};

}  // namespace pivotlab::eig_detail
