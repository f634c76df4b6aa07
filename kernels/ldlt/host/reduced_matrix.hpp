// SPDX-License-Identifier: BSD-3-Clause
// The matrix under elimination: interchanges, and the Schur complement with the maxima for the next search.
//
// A storage is a class with order(), column(j)[i] (element (i, j), i > j) and diagonal(j). Columns left of the current
// stage contain M, and, below the first diagonal element of a 2×2 pivot, the off-diagonal element of D.
#pragma once

#include "kernels/ldlt/host/pivoting.hpp"
#include "kernels/ldlt/shared/block.hpp"
#include "kernels/numerics/threads.hpp"

#include <pivotlab/packed_triangle.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_detail {

template <class T, class Storage, bool hermitian>
class ReducedMatrix {
 public:
  using R = RealOf<T>;

  ReducedMatrix(Storage& storage, int threads)
      : a_(storage),
        threads_(thread_count(threads)),
        column_largest_(static_cast<std::size_t>(a_.order())),
        w_{std::vector<T>(a_.order()), std::vector<T>(a_.order())} {
    for_columns(0, [this](Index j) { note_largest(j); });
  }

  Index order() const { return a_.order(); }
  const T& diagonal(Index j) const { return a_.diagonal(j); }
  /// Returns element (i, j), i > j.
  const T& below(Index i, Index j) const { return a_.column(j)[i]; }
  const T* column(Index j) const { return a_.column(j); }
  /// Returns max |A(i, j)| over i > j for a column of the reduced matrix.
  const R& column_largest(Index j) const { return column_largest_[j]; }

  /// Returns the largest off-diagonal element of row r of the reduced matrix from k on, in the least column.
  Found<R> largest_in_row(Index k, Index r) const {
    Found<R> found;
    for (Index j = k; j < r; ++j) found.consider(modulus(below(r, j)), j);
    for (Index i = r + 1; i < order(); ++i) found.consider(modulus(below(i, r)), i);
    return found;
  }

  /// Returns max|A^[n−k]|.
  R largest(Index k) const {
    R result(0);
    for (Index j = k; j < order(); ++j)
      result = std::max<R>(result, std::max<R>(column_largest(j), modulus(a_.diagonal(j))));
    return result;
  }

  /// Interchanges rows and columns p and q, also in M (Figure 3.3). Does not update the maxima of columns.
  void interchange(Index p, Index q) {
    if (p == q) return;
    if (p > q) std::swap(p, q);
    for (Index i = 0; i < p; ++i) std::swap(a_.column(i)[p], a_.column(i)[q]);
    for (Index i = q + 1; i < order(); ++i) std::swap(a_.column(p)[i], a_.column(q)[i]);
    for (Index i = p + 1; i < q; ++i) {
      const T moved = across<hermitian>(a_.column(p)[i]);
      a_.column(p)[i] = across<hermitian>(a_.column(i)[q]);
      a_.column(i)[q] = moved;
    }
    a_.column(p)[q] = across<hermitian>(a_.column(p)[q]);
    std::swap(a_.diagonal(p), a_.diagonal(q));
  }

  /// Computes A^[n−k−1] = B − C·P⁻¹·C* for the 1×1 pivot P at k, (1.2); C·P⁻¹ replaces C. A zero pivot has a zero
  /// column.
  void eliminate_1x1(Index k) {
    const T pivot = a_.diagonal(k);
    if (pivot == T(0)) return;
    T* m = a_.column(k);
    T* w = w_[0].data();
    for (Index i = k + 1; i < order(); ++i) {
      w[i] = across<hermitian>(m[i]);
      m[i] = divided_by_pivot<hermitian>(m[i], pivot);
    }
    for_columns(k + 1, [=, this](Index j) {
      if (w[j] == T(0)) return note_largest(j);
      const T minus_w = negated(w[j]);
      update(j, [=](Index i, const T& x) { return multiply_add(m[i], minus_w, x); });
    });
  }

  /// Eliminates the 2×2 pivot at k and k+1 in the same way.
  void eliminate_2x2(Index k) {
    const BlockInverse<T, hermitian> inverse({a_.diagonal(k), a_.column(k)[k + 1], a_.diagonal(k + 1)});
    T *m1 = a_.column(k), *m2 = a_.column(k + 1);
    T *w1 = w_[0].data(), *w2 = w_[1].data();
    for (Index i = k + 2; i < order(); ++i) {
      w1[i] = across<hermitian>(m1[i]);
      w2[i] = across<hermitian>(m2[i]);
      std::tie(m1[i], m2[i]) = inverse.apply_to_row(m1[i], m2[i]);
    }
    for_columns(k + 2, [=, this](Index j) {
      if (w1[j] == T(0) && w2[j] == T(0)) return note_largest(j);
      const T minus_w1 = negated(w1[j]), minus_w2 = negated(w2[j]);
      update(j, [=](Index i, const T& x) { return multiply_add(m2[i], minus_w2, multiply_add(m1[i], minus_w1, x)); });
    });
  }

 private:
  /// Replaces every element x of column j, from the diagonal on, by updated(i, x). Update and search are one pass over
  /// the memory, for real numbers also over the registers.
  template <class Updated>
  void update(Index j, const Updated& updated) {
    a_.diagonal(j) = on_diagonal<hermitian>(updated(j, a_.diagonal(j)));
    T* const a = a_.column(j);
    const Index first = j + 1, n = order();
    if constexpr (std::is_same_v<T, double>) {
      column_largest_[j] = largest_of<R>(n - first, [=](Index i) {
        a[first + i] = updated(first + i, a[first + i]);
        return modulus(a[first + i]);
      });
    } else {
#pragma omp simd
      for (Index i = first; i < n; ++i) a[i] = updated(i, a[i]);
      note_largest(j);
    }
  }

  void note_largest(Index j) {
    column_largest_[j] = largest_magnitude(a_.column(j) + j + 1, order() - j - 1);
  }

  template <class Body>
  void for_columns(Index first, const Body& body) {
    constexpr Index worth_threads = std::is_same_v<T, double> ? 750 : 250;  // about 0.1 ms of work
    const Index n = order();
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_) if (n - first > worth_threads)
    for (Index j = first; j < n; ++j) body(j);
  }

  Storage& a_;
  int threads_;
  std::vector<R> column_largest_;
  std::vector<T> w_[2];  // C* of the stage, while C·P⁻¹ overwrites C
};

}  // namespace pivotlab::ldlt_detail
