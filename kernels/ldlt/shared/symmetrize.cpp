// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/lower_tiles.hpp"

#include <pivotlab/symmetrize.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>

namespace pivotlab {
namespace {

template <class T>
T across(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// Returns (x + y)/2, which is also (y + x)/2 where that underflows.
double middle(double x, double y) {
  return std::midpoint(x, y);
}
std::complex<double> middle(const std::complex<double>& x, const std::complex<double>& y) {
  return {std::midpoint(x.real(), y.real()), std::midpoint(x.imag(), y.imag())};
}

/// Returns, for every i, the largest real or imaginary part in row i and column i. Moduli are not used because they may
/// overflow.
template <class T>
std::vector<double> largest_of_rows_and_columns(const Matrix<T>& A) {
  std::vector<double> largest(A.rows(), 0.0);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      const double size = std::max(std::abs(std::real(A(i, j))), std::abs(std::imag(A(i, j))));
      for (const Index k : {i, j}) largest[k] = std::max(largest[k], size);
    }
  return largest;
}

}  // namespace

template <class T>
bool is_symmetric(MatrixView<const T> A, Symmetry symmetry, int threads) {
  std::atomic<bool> equal = true;
  for_lower_tiles(A.rows, threads, [&](Index row, Index end_row, Index col, Index end_col) {
    if (!equal) return;
    // The columns across the diagonal have the same places in the cache if the order is a power of two.
    T mirrored[side_of_tile][side_of_tile + 1];
    for (Index i = row; i < end_row; ++i) std::copy_n(&A(col, i), std::min(end_col, i + 1) - col, mirrored[i - row]);
    for (Index j = col; j < end_col; ++j)
      for (Index i = std::max(row, j); i < end_row; ++i)
        if (A(i, j) != across(mirrored[i - row][j - col], symmetry)) {
          equal = false;
          return;
        }
  });
  return equal;
}

template <class T>
Symmetrization symmetrize(Matrix<T>& A, Symmetry symmetry) {
  if (A.rows() != A.cols()) return {};
  const std::vector<double> largest = largest_of_rows_and_columns(A);
  Symmetrization changed;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i) {
      const double apart = std::abs(T(A(i, j) - across(A(j, i), symmetry)));
      if (apart == 0) continue;
      const double ulps = apart / std::min(largest[i], largest[j]) / std::numeric_limits<double>::epsilon();
      if (!(ulps <= symmetrizable_ulps)) return {};
      ++changed.elements;
      if (ulps > changed.ulps) changed.ulps = ulps, changed.row = i, changed.column = j;
    }
  if (changed.elements == 0) return changed;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i) {
      const T other = across(A(j, i), symmetry);
      A(i, j) = middle(A(i, j), other);
      A(j, i) = across(A(i, j), symmetry);
    }
  return changed;
}

template bool is_symmetric(MatrixView<const double>, Symmetry, int);
template bool is_symmetric(MatrixView<const std::complex<double>>, Symmetry, int);
template Symmetrization symmetrize(Matrix<double>&, Symmetry);
template Symmetrization symmetrize(Matrix<std::complex<double>>&, Symmetry);

}  // namespace pivotlab
