// SPDX-License-Identifier: BSD-3-Clause
// The rank of a matrix of doubles by elimination without rounding errors, modulo a prime, and where it is worth its
// time.
#pragma once

#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/residue.hpp"
#include "kernels/gsvd/shared/tolerances.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/parts.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <vector>

namespace pivotlab::gsvd_detail {

/// The largest dimension up to which ranks are decided exactly: one takes 0.2 s at this order on one core (complex: 1
/// s).
inline constexpr Index exact_rank_limit = 512;

/// Returns the rank of [A; B], which have the same number of columns, modulo 2⁶¹ − 1. It is never larger than the rank,
/// and smaller only if the prime divides all minors of that order: by an accident of probability 2⁻⁶⁰.
template <class T>
Index exact_rank(MatrixView<const T> A, MatrixView<const T> B = {}) {
  using Number = modular::Field<T>;
  std::vector<std::vector<Number>> columns;
  for (Index j = 0; j < A.cols; ++j) {
    std::vector<Number>& column = columns.emplace_back();
    for (const T& x : A.col(j)) column.push_back(Number::of(x));
    for (Index i = 0; i < B.rows; ++i) column.push_back(Number::of(B(i, j)));
  }
  const std::size_t rows = static_cast<std::size_t>(A.rows + B.rows);
  std::size_t rank = 0;  // columns before this one are eliminated, each by a row of its own
  std::vector<char> used(rows, 0);
  for (std::size_t j = 0; j < columns.size() && rank < rows; ++j) {
    const std::vector<Number>& pivots = columns[j];
    std::size_t row = 0;
    while (row < rows && (used[row] != 0 || pivots[row].is_zero())) ++row;
    if (row == rows) continue;
    used[row] = 1;
    ++rank;
    const Number inverse = pivots[row].inverse();
    for (std::size_t c = j + 1; c < columns.size(); ++c) {
      if (columns[c][row].is_zero()) continue;
      const Number factor = columns[c][row] * inverse;
      for (std::size_t i = 0; i < rows; ++i)
        if (used[i] == 0) columns[c][i] = columns[c][i] - factor * pivots[i];
    }
  }
  return static_cast<Index>(rank);
}

/// Returns whether all elements have at most 26 significant bits, as integers and fractions of few digits have, and
/// results of rounding have not.
template <class T>
bool has_short_elements(MatrixView<const T> A) {
  const auto is_short = [](double x) {
    int exponent = 0;
    const double significand = std::ldexp(std::frexp(x, &exponent), 26);
    return significand == std::trunc(significand);
  };
  for (Index j = 0; j < A.cols; ++j)
    for (const T& x : A.col(j)) {
      if constexpr (is_complex<T>) {
        if (!is_short(x.real()) || !is_short(x.imag())) return false;
      } else if (!is_short(x)) {
        return false;
      }
    }
  return true;
}

/// Returns the rank of A. It is less than the number n of columns only where A·z is within the reach of rounding errors
/// for a column z of Z, ‖A·z‖ ≤ 16·max(m, n)·ε·Σⱼ‖aⱼ‖·|zⱼ|, and where elimination without rounding errors confirms it:
/// full-rank matrices with rows and columns of very different size reach that bound, too. A bound of the elements of
/// A·z would miss dependent columns, because errors of an element are relative to elements before the last
/// transformations, which may be much larger. Of scalars other than double it is n.
template <class T>
Index confirmed_rank(MatrixView<const T> A, [[maybe_unused]] const Matrix<T>& Z, [[maybe_unused]] int threads) {
  const Index n = A.cols;
  if constexpr (!std::is_same_v<RealOf<T>, double>) {
    return n;
  } else {
    if (n > exact_rank_limit || A.rows > exact_rank_limit) return n;
    const std::vector<double> sizes = detail::largest_parts(A, 'A', threads);
    const auto exponent = [&](Index j) { return sizes[j] == 0 ? 0 : exponent_of(sizes[j]); };
    Matrix<T> scaled(A), vectors(Z.view());
    for (Index j = 0; j < n; ++j)
      for (T& x : scaled.col(j)) x = times_power_of_two(x, -exponent(j));
    for (Index j = 0; j < Z.cols(); ++j) {
      int top = std::numeric_limits<int>::min();
      for (Index i = 0; i < n; ++i)
        if (const double size = detail::largest_part(Z(i, j)); size != 0)
          top = std::max(top, exponent_of(size) + exponent(i));
      for (Index i = 0; i < n; ++i) vectors(i, j) = times_power_of_two(Z(i, j), exponent(i) - top);
    }
    const Eigen::VectorXd reach = moduli(as_eigen(vectors.view())).transpose() *
                                  as_eigen(scaled.view()).colwise().norm().transpose() *
                                  (16 * noise_level<double>(A.rows, n));
    const Matrix<T> products = product_of<T>(scaled.view(), vectors.view());
    if ((as_eigen(products.view()).colwise().norm().transpose().array() > reach.array()).all()) return n;
    return exact_rank(A);
  }
}

}  // namespace pivotlab::gsvd_detail
