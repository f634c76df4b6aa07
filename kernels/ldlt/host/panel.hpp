// SPDX-License-Identifier: BSD-3-Clause
// A partially factored panel: columns of M are computed from left to right as in LAPACK's xLASYF and xLASYF_ROOK.
//
// The triangle to the right of the finished columns is that from before the panel, except for interchanges. The delayed
// updates of a column of the reduced matrix are applied when the search needs it:
//
//   x = A(:, r) − M·(C*)(:, r)   with all columns of the panel so far.
#pragma once

#include "kernels/ldlt/host/pivoting.hpp"
#include "kernels/ldlt/shared/block.hpp"
#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_detail {

template <class T, bool hermitian>
class Panel {
 public:
  using R = RealOf<T>;

  /// Works on the lower triangle A: finished columns hold M, and D on the diagonal and below it.
  Panel(MatrixView<T> A, Index columns, int threads)
      : A_(A),
        C_(A.rows, columns),
        w_(columns, 1),
        searched_{Searched{-1, Matrix<T>(A.rows, 1)}, Searched{-1, Matrix<T>(A.rows, 1)}},
        largest_(static_cast<std::size_t>(A.rows / rows_of_chunk + 1)),
        threads_(threads) {}

  void begin(Index k) {
    begin_ = k_ = k;
    forget_searched();
  }
  /// Returns the first row of the reduced matrix.
  Index first() const { return k_; }
  /// Returns whether there is no room for another 2×2 pivot, or no row left.
  bool is_full() const { return k_ == A_.rows || columns() + 2 > C_.cols(); }
  /// Returns the rows of M from the reduced matrix's first row on; c() returns the same rows of C, from which M was
  /// computed.
  MatrixView<const T> m() const { return A_.block(k_, begin_, A_.rows - k_, columns()); }
  MatrixView<const T> c() const { return C_.view().block(k_, 0, A_.rows - k_, columns()); }

  // The search (pivoting.hpp) calls the following functions.

  /// Returns the largest off-diagonal element of row r of the reduced matrix, in the least column.
  Found<R> largest_in_row(Index k, Index r) {
    std::swap(searched_[0], searched_[1]);
    searched_[0].row = r;
    for (Index t = 0; t < columns(); ++t) w_(t, 0) = across<hermitian>(C_(r, t));
    const Index chunks = (A_.rows - k + rows_of_chunk - 1) / rows_of_chunk;
    const bool worth_threads = (A_.rows - k) * (columns() + 8) > least_work_of_threads;
#pragma omp parallel for schedule(static) num_threads(threads_) if (worth_threads)
    for (Index c = 0; c < chunks; ++c) {
      const Index from = k + c * rows_of_chunk, to = std::min(A_.rows, from + rows_of_chunk);
      bring_up_to_date(from, to);
      largest_[c] = largest_off_diagonal(from, to);
    }
    // the first among equal ones
    const auto largest = std::max_element(largest_.begin(), largest_.begin() + chunks);
    if (!(*largest > R(0))) return {};
    const T* x = searched_[0].x.data();
    Index at = k + (largest - largest_.begin()) * rows_of_chunk;
    while (at == r || modulus(x[at]) != *largest) ++at;
    return {*largest, at};
  }
  /// Returns the diagonal element of one of the two rows searched last.
  const T& diagonal(Index r) const {
    return searched_[searched_[0].row == r ? 0 : 1].x(r, 0);
  }

  /// Moves the pivot's rows and columns to the front and eliminates the pivot. Returns the rows that were exchanged
  /// with the front ones.
  std::array<Index, 2> eliminate(const Pivot& pivot) {
    const std::array<Index, 2> slots{slot_of(pivot.first), slot_of(pivot.second)};
    std::array<Index, 2> exchanged{pivot.first, 0};
    interchange(k_, pivot.first);
    if (pivot.size == 1) {
      eliminate_1x1(searched_[slots[0]].x.data());
    } else {
      exchanged[1] = pivot.second == k_ ? pivot.first : pivot.second;
      interchange(k_ + 1, exchanged[1]);
      eliminate_2x2(searched_[slots[0]].x.data(), searched_[slots[1]].x.data());
    }
    k_ += pivot.size;
    forget_searched();
    return exchanged;
  }

 private:
  static constexpr Index rows_of_chunk = 512;
  static constexpr Index least_work_of_threads = 65536;  // elements of M and x, about 20 µs of work

  /// A column of the reduced matrix with all updates applied.
  struct Searched {
    Index row;  ///< row number; −1: no column of this stage
    Matrix<T> x;
  };

  Index columns() const {
    return k_ - begin_;
  }
  Index slot_of(Index r) const {
    return searched_[0].row == r ? 0 : 1;
  }
  void forget_searched() {
    for (Searched& searched : searched_) searched.row = -1;
  }

  /// Applies the updates to rows [from, to) of the column searched last.
  void bring_up_to_date(Index from, Index to) {
    const Index r = searched_[0].row;
    T* x = searched_[0].x.data();
    Index i = from;
    for (; i < std::min(to, r); ++i) x[i] = across<hermitian>(A_(r, i));
    std::copy(&A_(i, r), &A_(0, r) + to, x + i);
    if (columns() > 0) {
      const auto m = as_eigen(MatrixView<const T>(A_.block(from, begin_, to - from, columns())));
      const auto w = as_eigen(std::as_const(w_).view().block(0, 0, columns(), 1)).col(0);
      as_eigen(searched_[0].x.view().block(from, 0, to - from, 1)).col(0).noalias() -= m * w;
    }
    if (from <= r && r < to) x[r] = on_diagonal<hermitian>(x[r]);
    // Both columns contain this element, computed with different roundings; the earlier value is used.
    const Index before = searched_[1].row;
    if (from <= before && before < to) x[before] = across<hermitian>(searched_[1].x(r, 0));
  }

  R largest_off_diagonal(Index from, Index to) const {
    const auto& [r, x] = searched_[0];
    if (r < from || r >= to) return largest_magnitude(x.data() + from, to - from);
    return std::max<R>(largest_magnitude(x.data() + from, r - from), largest_magnitude(x.data() + r + 1, to - r - 1));
  }

  /// Interchanges rows and columns p and q > p. Column q of the triangle is one of the searched columns.
  void interchange(Index p, Index q) {
    if (p == q) return;
    for (Index i = p + 1; i < q; ++i) A_(q, i) = across<hermitian>(A_(i, p));
    A_(q, q) = A_(p, p);
    std::copy(&A_(0, p) + q + 1, &A_(0, p) + A_.rows, &A_(0, q) + q + 1);
    for (Index t = 0; t < columns(); ++t) {
      std::swap(A_(p, begin_ + t), A_(q, begin_ + t));
      std::swap(C_(p, t), C_(q, t));
    }
    for (Searched& searched : searched_) std::swap(searched.x(p, 0), searched.x(q, 0));
  }

  void eliminate_1x1(const T* x) {
    const T pivot = x[k_];
    T *m = &A_(0, k_), *c = &C_(0, columns());
    m[k_] = pivot;
    for (Index i = k_ + 1; i < A_.rows; ++i) c[i] = x[i];
    if (pivot == T(0))  // its column is zero
      std::fill(m + k_ + 1, m + A_.rows, T(0));
    else
      for (Index i = k_ + 1; i < A_.rows; ++i) m[i] = divided_by_pivot<hermitian>(x[i], pivot);
  }

  void eliminate_2x2(const T* x, const T* y) {
    const Block<T> pivot{x[k_], x[k_ + 1], y[k_ + 1]};
    const BlockInverse<T, hermitian> inverse(pivot);
    T *m1 = &A_(0, k_), *m2 = &A_(0, k_ + 1), *c1 = &C_(0, columns()), *c2 = &C_(0, columns() + 1);
    m1[k_] = pivot.a;
    m1[k_ + 1] = pivot.b;
    m2[k_ + 1] = pivot.c;
    for (Index i = k_ + 2; i < A_.rows; ++i) {
      c1[i] = x[i];
      c2[i] = y[i];
      std::tie(m1[i], m2[i]) = inverse.apply_to_row(x[i], y[i]);
    }
  }

  MatrixView<T> A_;
  Matrix<T> C_;                       ///< columns of reduced matrices at the time when they became pivots
  Matrix<T> w_;                       ///< column of C* for the column whose updates are applied
  std::array<Searched, 2> searched_;  ///< the latest column and the one before
  std::vector<R> largest_;            ///< of each chunk
  int threads_;
  Index begin_ = 0, k_ = 0;
};

}  // namespace pivotlab::ldlt_detail
