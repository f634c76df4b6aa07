// SPDX-License-Identifier: BSD-3-Clause
// The columns of a pivot block pair as one matrix of k = 2w columns: its square factor, and its product with the tile's
// transformation (section 2.3). Rows are processed in panels, which keep products in the cache.
#pragma once

#include "kernels/gsvd/host/pair_product.hpp"
#include "kernels/gsvd/host/tile_factor.hpp"
#include "kernels/numerics/eigen.hpp"

#include <algorithm>
#include <complex>
#include <pivotlab/variant.hpp>
#include <vector>

namespace pivotlab {

/// Workspace for columns [p, p + w) and [q, q + w) of matrices. Each thread has its own.
template <class T>
class TileColumns {
 public:
  using R = RealOf<T>;

  struct Factor {
    bool replaced;   // QR in place of a Cholesky factorization that failed
    R independence;  // independence of the columns, see tile_factor.hpp
  };

  explicit TileColumns(Index width)
      : width_(width), panel_(panel_rows, 2 * width), product_(panel_rows, 2 * width), in_place_(panel_rows, width) {}

  /// Computes a k × k factor of the columns of Y.
  Factor factor(MatrixView<const T> Y, Index p, Index q, TileFactor kind, MatrixView<T> factor);
  /// Computes [Y_p Y_q] := [Y_p Y_q]·Z.
  void multiply(MatrixView<T> Y, Index p, Index q, MatrixView<const T> Z);

 private:
  static constexpr Index panel_rows = 256;

  /// Computes the lower triangle of [Y_p Y_q]ᴴ[Y_p Y_q].
  void form_gram(MatrixView<const T> Y, Index p, Index q, MatrixView<T> square) {
    as_eigen(square).setZero();
    for (Index row = 0; row < Y.rows; row += panel_rows) {
      const Index rows = std::min(panel_rows, Y.rows - row);
      const auto panel = panel_.view().block(0, 0, rows, panel_.cols());
      gather(Y, row, rows, p, q, panel);
      add_gram(square, adjoint<T>(panel));
    }
  }

  /// Sets the diagonal of the Gram matrix to one for each column of the tile that is exactly zero (not only its
  /// square), so that a Cholesky factorization treats it as an independent column. Returns these columns.
  std::vector<Index> decouple_zero_columns(MatrixView<const T> Y, Index p, Index q, MatrixView<T> gram) {
    std::vector<Index> zero;
    for (Index j = 0; j < 2 * width_; ++j) {
      if (gram(j, j) != T(0)) continue;
      if (std::ranges::any_of(Y.col(j < width_ ? p + j : q + j - width_), [](const T& y) { return y != T(0); }))
        continue;
      gram(j, j) = T(1);
      zero.push_back(j);
    }
    return zero;
  }

  void gather(MatrixView<const T> Y, Index row, Index rows, Index p, Index q, MatrixView<T> target) const {
    as_eigen(target).leftCols(width_) = as_eigen(Y.block(row, p, rows, width_));
    as_eigen(target).rightCols(width_) = as_eigen(Y.block(row, q, rows, width_));
  }

  Index width_;
  Matrix<T> panel_, product_;
  PairProduct<T> in_place_;
};

template <class T>
typename TileColumns<T>::Factor TileColumns<T>::factor(MatrixView<const T> Y, Index p, Index q, TileFactor kind,
                                                       MatrixView<T> factor) {
  Factor result{false, R(0)};
  if (kind != TileFactor::qr) {
    form_gram(Y, p, q, factor);
    const std::vector<Index> zero = decouple_zero_columns(Y, p, q, factor);
    result.independence = kind == TileFactor::cholesky ? cholesky<T>(factor) : pivoted_cholesky<T>(factor);
    for (const Index j : zero) std::ranges::fill(factor.col(j), T(0));
    result.replaced = result.independence == R(0);
  }
  if (kind == TileFactor::qr || result.replaced) {
    Matrix<T> columns(Y.rows, 2 * width_);
    gather(Y, 0, Y.rows, p, q, columns);
    result.independence = qr_factor<T>(columns.view(), factor);
  }
  return result;
}

template <class T>
void TileColumns<T>::multiply(MatrixView<T> Y, Index p, Index q, MatrixView<const T> Z) {
  constexpr bool has_kernel = std::is_same_v<R, double>;
  if constexpr (has_kernel) in_place_.set(Z);
  for (Index row = 0; row < Y.rows; row += panel_rows) {
    const Index rows = std::min(panel_rows, Y.rows - row);
    if constexpr (has_kernel)
      if (in_place_.fits(rows)) {
        in_place_.multiply(Y.block(row, p, rows, width_), Y.block(row, q, rows, width_));
        continue;
      }
    const auto panel = panel_.view().block(0, 0, rows, 2 * width_);
    gather(Y, row, rows, p, q, panel);
    const MatrixView<T> product = product_.view().block(0, 0, rows, 2 * width_);
    pivotlab::multiply<T>(product, panel, Z);
    as_eigen(Y.block(row, p, rows, width_)) = as_eigen(product).leftCols(width_);
    as_eigen(Y.block(row, q, rows, width_)) = as_eigen(product).rightCols(width_);
  }
}

// gsvd.cpp instantiates these templates, which take half a minute to compile.
extern template class TileColumns<double>;
extern template class TileColumns<std::complex<double>>;

}  // namespace pivotlab
