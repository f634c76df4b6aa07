// SPDX-License-Identifier: BSD-3-Clause
// The columns of A = M·V, which become orthogonal, and their norms.
#pragma once

#include "kernels/gsvd/tangent/shared/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pivotlab::tangent {

template <class T, class Machine>
class Columns {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  /// `two_qrs`: M is the adjoint factor of a second QR factorization.
  Columns(Run<T, Machine>& run, bool two_qrs) : run_(run), two_qrs_(two_qrs) {}

  /// Sets A to M with its columns ordered by their norms. V is a permutation until started() has been called, and has
  /// the columns alone that diagonalize_range() or place_rest() has reached.
  bool start() {
    const Reals c = run_.column_norms(run_.M);
    if (!all_finite(c)) return run_.fail(Breakdown::no_reduction, "M: a column norm is not finite");
    const Order order = descending(c);
    run_.upload(run_.columns, order);
    run_.machine.for_each(run_.n, run_.n, Arrange<T>{.from = run_.M, .to = run_.A, .cols = run_.columns});
    run_.upload(run_.row_order, inverse(order));
    norms_ = permuted(c, order);
    starting_ = true;
    return true;
  }
  void started() { starting_ = false; }

  bool two_qrs() const { return two_qrs_; }
  const Reals& norms() const { return norms_; }
  double norm(Index j) const { return norms_[j]; }

  /// Multiplies columns [first, end) of A and V by the eigenvectors of their Gram matrix, made orthonormal.
  void diagonalize_range(Index first, Index end) {
    const Index k = end - first;
    if (k == 1) {
      if (starting_) place_identity(first, end);
      return;
    }
    const View scaled{run_.scratch.data, run_.n, k, run_.n}, C{run_.C.data, k, k, k}, W{run_.scratch.data, k, k, k};
    const View block = run_.A.cols_range(first, k), vectors = run_.V.cols_range(first, k);
    run_.machine.for_each(run_.n, k, Arrange<T>{.from = block, .to = scaled, .shift = -std::ilogb(norm(first))});
    run_.machine.gram(ConstView(scaled), C);
    run_.machine.eigenvectors(C, run_.vector);
    make_orthonormal(C, W);
    const View product{run_.Q.data, run_.n, k, run_.n};
    run_.machine.multiply(ConstView(block), ConstView(W), product);
    replace(run_.A, product, first);
    if (starting_) return place_vectors(W, first, end);
    const View rotated{k == run_.n ? run_.E.data : run_.Q.data, run_.n, k, run_.n};
    run_.machine.multiply(ConstView(vectors), ConstView(W), rotated);
    if (k == run_.n)
      std::swap(run_.V, run_.E);
    else
      run_.machine.for_each(run_.n, k, Arrange<T>{.from = rotated, .to = vectors});
  }

  /// Leaves the columns from `first` on as they are, where the first diagonalize_range() has not reached them.
  void place_rest(Index first) {
    if (starting_ && first < run_.n) place_identity(first, run_.n);
  }

  /// Orders the columns of A and V by the norms of A's, which stay on the machine in `norms` of the run, too.
  bool sort_by_norm() {
    norms_ = run_.column_norms(run_.A);
    if (!all_finite(norms_)) return run_.fail(Breakdown::no_reduction, "M·V: a column norm is not finite");
    if (std::is_sorted(norms_.rbegin(), norms_.rend())) return true;
    const Order order = descending(norms_);
    run_.upload(run_.columns, order);
    for (View* matrix : {&run_.A, &run_.V}) {
      run_.machine.for_each(run_.n, run_.n, Arrange<T>{.from = *matrix, .to = run_.scratch, .cols = run_.columns});
      std::swap(*matrix, run_.scratch);
    }
    norms_ = permuted(norms_, order);
    run_.upload(run_.norms, norms_);
    return true;
  }

 private:
  /// W := V + V·(I − VᴴV)/2, a Newton–Schulz step. Three digits of the small correction suffice.
  void make_orthonormal(ConstView V, View W) {
    const Index k = V.cols;
    const auto single = [k](View place, Index which) {
      return MatrixView<Single<T>>{reinterpret_cast<Single<T>*>(place.data) + which * k * k, k, k, k};
    };
    const View S{run_.E.data, k, k, k};
    const MatrixView<Single<T>> factor = single(run_.Q, 0), correction = single(run_.Q, 1), product = single(S, 0);
    run_.machine.gram(V, S);
    run_.machine.for_each(k, k, NewtonSchulzCorrection<T>{S, correction});
    run_.machine.for_each(k, k, Rounded<T>{V, factor});
    run_.machine.template multiply_roughly<Single<T>>(factor, correction, product);
    run_.machine.for_each(k, k, AddRounded<T>{V, product, W});
  }

  /// V's columns [first, end) are those of the permutation that sorted M's.
  void place_identity(Index first, Index end) {
    const View identity{run_.scratch.data, end - first, end - first, end - first};
    run_.machine.for_each(end - first, end - first, SetIdentity<T>{identity});
    place_vectors(identity, first, end);
  }

  void place_vectors(ConstView W, Index first, Index end) {
    run_.machine.for_each(run_.n, end - first,
                          Arrange<T>{.from = W,
                                     .to = run_.V.cols_range(first, end - first),
                                     .rows = run_.row_order,
                                     .row_offset = static_cast<int>(first)});
  }

  /// `product` lies in Q.
  void replace(View& target, View product, Index first) {
    if (product.cols == run_.n)
      std::swap(target, run_.Q);
    else
      run_.machine.for_each(run_.n, product.cols,
                            Arrange<T>{.from = product, .to = target.cols_range(first, product.cols)});
  }

  Run<T, Machine>& run_;
  bool two_qrs_, starting_ = false;
  Reals norms_;
};

}  // namespace pivotlab::tangent
