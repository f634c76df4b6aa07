// SPDX-License-Identifier: BSD-3-Clause
// Own operations of the generalized hyperbolic SVD besides those of the tangent path
// (kernels/gsvd/tangent/shared/elements.hpp), as functions of an element and as sums over a column.
#pragma once

#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/jacobi/device/ghsvd_device.hpp"
#include "kernels/jacobi/shared/ghsvd_rules.hpp"

namespace pivotlab::jacobi {

/// G_T(rows, :) = M·W, r × r: W is block diagonal, with the blocks of 1×1 and 2×2 pivots, and M is unit lower
/// triangular.
template <class T>
struct PivotBlocks {
  MatrixView<const T> G;
  const int* rows;          ///< [r]
  const ColumnKind* kinds;  ///< [r]

  PIVOTLAB_DEVICE T element(Index i, Index j) const { return at(G, Index(rows[i]), j); }
  /// Returns the determinant of the block at j.
  PIVOTLAB_DEVICE T determinant(Index j) const {
    return multiply_add(element(j, j), element(j + 1, j + 1), negated(multiply(element(j, j + 1), element(j + 1, j))));
  }
};

/// Sets `to` to M.
template <class T>
struct UnitFactor {
  PivotBlocks<T> blocks;
  MatrixView<T> to;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const ColumnKind kind = blocks.kinds[j];
    const Index first = kind == ColumnKind::second_of_pair ? j - 1 : j;
    T value(i == j ? 1.0 : 0.0);
    if (kind == ColumnKind::single && i > j) value = quotient(blocks.element(i, j), blocks.element(j, j));
    if (kind != ColumnKind::single && i > first + 1) {  // row (x, y) of G_T times a column of the inverse block
      const Index other = kind == ColumnKind::first_of_pair ? j + 1 : j - 1;
      const T product = multiply_add(blocks.element(i, j), blocks.element(other, other),
                                     negated(multiply(blocks.element(i, other), blocks.element(other, j))));
      value = quotient(product, blocks.determinant(first));
    }
    at(to, i, j) = value;
  }
};

/// X := X·W⁻*.
template <class T>
struct DivideByBlocks {
  PivotBlocks<T> blocks;
  MatrixView<T> X;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const ColumnKind kind = blocks.kinds[j];
    if (kind == ColumnKind::single) at(X, i, j) = quotient(at(X, i, j), conjugate(blocks.element(j, j)));
    if (kind != ColumnKind::first_of_pair) return;
    const T x = at(X, i, j), y = at(X, i, j + 1), determinant = conjugate(blocks.determinant(j));
    const auto w = [&](Index k, Index l) { return conjugate(blocks.element(j + k, j + l)); };
    at(X, i, j) = quotient(multiply_add(x, w(1, 1), negated(multiply(y, w(0, 1)))), determinant);
    at(X, i, j + 1) = quotient(multiply_add(y, w(0, 0), negated(multiply(x, w(1, 0)))), determinant);
  }
};

/// Sets column j of `to` to column rows[j] of the identity.
template <class T>
struct SelectedUnitColumns {
  const int* rows;
  MatrixView<T> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, i, j) = T(i == rows[j] ? 1.0 : 0.0); }
};

/// norms[i] = ‖row i of A‖.
template <class T>
struct RowNorms {
  MatrixView<const T> A;
  double* norms;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double sum = 0;
    for (Index j = 0; j < A.cols; ++j) sum += squared_magnitude(at(A, i, j));
    norms[i] = std::sqrt(sum);
  }
};

/// Replaces elements of X by those of Y·diag(sigma) where these are more accurate.
template <class T>
struct RefineVectors {
  MatrixView<const T> Y;
  const double *row_norms, *sigma;
  MatrixView<T> X;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (is_more_accurate_by_inverse(row_norms[i], sigma[j])) at(X, i, j) = times_real(at(Y, i, j), sigma[j]);
  }
};

/// Sets the diagonal of a Hermitian matrix to its real part.
template <class T>
struct RealDiagonal {
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const { at(A, i, i) = T(real_part(at(A, i, i))); }
};

/// Replaces C = U*JU by the corrections with which U − U·C is J-orthogonal. `lengths` are the norms of U's columns.
template <class T>
struct OrthogonalityCorrections {
  const double *sigma, *signs, *lengths;
  double noise;
  MatrixView<T> C;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(C, i, j) =
        orthogonality_correction(at(C, i, j), i, j, signs[i], sigma[i], sigma[j], noise * lengths[i] * lengths[j]);
  }
};

/// sums[j] = Σ_i weights[i]·A(i, j).
struct WeightedRowSum {
  using Value = double;
  using Combine = Sum;
  MatrixView<const double> A;
  const double* weights;
  double* sums;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return weights[i] * at(A, i, j); }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { sums[j] = sum; }
};

/// sums[j] = Σ_i |A(i, j)|·B(i, j).
template <class T>
struct ModulusProductSum {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  MatrixView<const double> B;
  double* sums;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return tangent::magnitude(at(A, i, j)) * at(B, i, j); }
  PIVOTLAB_DEVICE void store(Index j, double sum) const { sums[j] = sum; }
};

/// rows[i] = max_j |A(i, j)|/norms[j], without columns of zeros.
template <class T>
struct RowMagnitudes {
  MatrixView<const T> A;
  const double* norms;
  double* rows;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double most = 0;
    for (Index j = 0; j < A.cols; ++j)
      if (norms[j] > 0) most = larger_or_nan(most, tangent::magnitude(at(A, i, j)) / norms[j]);
    rows[i] = most;
  }
};

/// columns[j] = max|A(i, j)|/rows[i], 0 for rows of zeros.
template <class T>
struct ColumnMagnitudes {
  using Value = double;
  using Combine = Largest;
  MatrixView<const T> A;
  const double* rows;
  double* columns;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return rows[i] > 0 ? tangent::magnitude(at(A, i, j)) / rows[i] : 0;
  }
  PIVOTLAB_DEVICE void store(Index j, double most) const { columns[j] = most; }
};

/// counts[j] = the number of elements of factors[j]·v_j that are larger than level·rows[i]·sums[j], which rounding
/// errors are not.
template <class T>
struct SignificantElements {
  using Value = int;
  struct Combine {
    PIVOTLAB_DEVICE int operator()(int x, int y) const { return x + y; }
  };
  MatrixView<const T> V;
  const double *factors, *rows, *sums;
  double level;
  int* counts;
  PIVOTLAB_DEVICE int term(Index i, Index j) const {
    return tangent::magnitude(at(V, i, j)) * factors[j] > level * rows[i] * sums[j] ? 1 : 0;
  }
  PIVOTLAB_DEVICE void store(Index j, int count) const { counts[j] = count; }
};

}  // namespace pivotlab::jacobi
