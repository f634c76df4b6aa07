// SPDX-License-Identifier: BSD-3-Clause
// QR factorization with column pivoting of a matrix whose columns differ in size and may be dependent.
#pragma once

#include "kernels/libraries/orthogonal.hpp"
#include "kernels/numerics/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace pivotlab::any {

/// Puts the columns in this order, counted from 0.
template <class T>
void permute(MatrixView<T> A, std::span<const Index> order) {
  const Matrix<T> given{MatrixView<const T>(A)};
  for (Index j = 0; j < A.cols; ++j) std::ranges::copy(given.col(order[j]), A.col(j).begin());
}

/// A·P = Q·[R₁₁ R₁₂; 0 E], R₁₁ of order `rank`, upper triangular; E, which is left out, consists of dependent columns.
/// A column counts as dependent as soon as what the others leave of it has a norm of at most its threshold. xGEQP3
/// alone would take the rounding errors of a large column as a pivot before a small column: here it stops at the first
/// such pivot, the dependent columns are dropped, and xGEQP3 goes on with the others.
template <class T>
class WeightedQr {
 public:
  WeightedQr() = default;
  WeightedQr(MatrixView<const T> A, const std::vector<double>& threshold)
      : order_(static_cast<std::size_t>(A.cols)), W_(A) {
    std::iota(order_.begin(), order_.end(), Index(0));
    const Index m = A.rows;
    for (Index kept = A.cols; rank_ < std::min(m, kept);) {
      const Index first = rank_;
      lapack::Reflectors<T> qr = lapack::pivoted_qr<T>(W_.view().block(first, first, m - first, kept - first));
      const std::vector<Index> chosen(qr.order.begin(), qr.order.end());
      reorder(first, chosen, 1);
      copy_into<T>(upper_part<T>(qr.A.view()), W_.view().block(first, first, m - first, kept - first));
      stages_.emplace_back(first, std::move(qr));

      const auto is_dependent = [&](Index j) { return rest_of(j) <= threshold[order_[j]]; };
      while (rank_ < std::min(m, kept) && !is_dependent(rank_))
        pivots_.emplace_back(order_[rank_], rest_of(rank_)), ++rank_;
      if (rank_ == std::min(m, kept)) break;
      std::vector<Index> independent, dependent;
      for (Index j = rank_; j < kept; ++j) (is_dependent(j) ? dependent : independent).push_back(j - rank_);
      for (const Index j : dependent) dropped_.emplace_back(order_[rank_ + j], rest_of(rank_ + j));
      kept = rank_ + std::ssize(independent);
      independent.insert(independent.end(), dependent.begin(), dependent.end());
      reorder(rank_, independent, 0);
      for (Index j = kept; j < W_.cols(); ++j) std::fill(W_.col(j).begin() + rank_, W_.col(j).end(), T(0));
    }
    pivots_.insert(pivots_.end(), dropped_.begin(), dropped_.end());
  }

  Index rank() const { return rank_; }
  const std::vector<Index>& order() const { return order_; }
  /// [R₁₁ R₁₂]
  MatrixView<const T> R() const { return W_.view().block(0, 0, rank_, W_.cols()); }
  /// Column numbers of A and |r_jj|, then those of dependent columns and the norms that were left of them.
  const std::vector<std::pair<Index, double>>& pivots() const { return pivots_; }

  /// Computes C := Q·C.
  void multiply_by_q(MatrixView<T> C) const {
    for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage)
      lapack::multiply_by_q<T>(stage->second, false, C.block(stage->first, 0, C.rows - stage->first, C.cols));
  }

 private:
  /// Reorders the columns from `first` on: the next ones are those of the list, counted from `base`.
  void reorder(Index first, std::vector<Index> list, Index base) {
    for (Index& j : list) j -= base;
    permute<T>(W_.view().cols_range(first, std::ssize(list)), list);
    const std::vector<Index> given(order_.begin() + first, order_.begin() + first + std::ssize(list));
    for (std::size_t j = 0; j < list.size(); ++j) order_[static_cast<std::size_t>(first) + j] = given[list[j]];
  }
  /// Returns the norm of the elements of column j from row `rank` on.
  double rest_of(Index j) const { return lapack::norm<T>(W_.col(j).subspan(rank_)); }

  std::vector<Index> order_;
  Matrix<T> W_;
  Index rank_ = 0;
  std::vector<std::pair<Index, lapack::Reflectors<T>>> stages_;  ///< with the first row of each
  std::vector<std::pair<Index, double>> pivots_, dropped_;
};

}  // namespace pivotlab::any
