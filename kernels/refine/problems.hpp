// SPDX-License-Identifier: BSD-3-Clause
// The three problems of pivotlab/refine.hpp as forms of vectors: checks and scaling before the refinement, left vectors
// after it.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/order.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/refine/elements.hpp"
#include "kernels/refine/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pivotlab/error.hpp>
#include <pivotlab/refine.hpp>

namespace pivotlab::refine {

/// Returns the form of A = 2^exponent·A', the largest element of A' being near 1, or of A with every column so scaled.
template <class T>
Side<T> scaled_to_one(Kind kind, const char* name, MatrixView<const T> A, bool each_column = false) {
  Side<T> result{kind, Matrix<T>(A), 0};
  const auto largest = [&](Index first, Index count) {
    double size = 0;
    for (Index j = first; j < first + count; ++j)
      for (const T& x : A.col(j)) {
        if (!std::isfinite(real_part(x)) || !std::isfinite(std::abs(x - T(real_part(x)))))
          throw InputError(fmt::format("{}: has NaN or Inf", name));
        size = std::max(size, size_of(x));
      }
    return size;
  };
  const auto scale = [&](Index first, Index count) {
    const double size = largest(first, count);
    const int exponent = size > 0 ? std::ilogb(std::min(size, 0x1p1023)) : 0;
    for (Index j = first; j < first + count; ++j)
      for (Index i = 0; i < A.rows; ++i) {
        result.A(i, j) = times_power_of_two(A(i, j), -exponent);
        if (!each_column && times_power_of_two(result.A(i, j), exponent) != A(i, j))
          throw InputError(fmt::format("{}: elements differ in size by more than double precision can hold", name));
      }
    return exponent;
  };
  if (!each_column)
    result.exponent = scale(0, A.cols);
  else
    for (Index j = 0; j < A.cols; ++j) scale(j, 1);
  return result;
}

inline void require_shape_of(const char* name, Index rows, Index cols, Index expected_rows, Index expected_cols) {
  if (rows != expected_rows || cols != expected_cols)
    throw InputError(fmt::format("{}: is {} × {}, not {} × {}", name, rows, cols, expected_rows, expected_cols));
}
inline void require_options(const RefineOptions& options) {
  if (options.max_steps < 0) throw InputError(fmt::format("max_steps: {} is negative", options.max_steps));
}

/// Makes a column orthogonal to those that are set, and of norm 1.
template <class T>
void orthonormalize_column(Matrix<T>& U, Index column, const std::vector<bool>& is_set) {
  const auto u = U.col(column);
  for (Index j = 0; j < U.cols(); ++j) {
    if (!is_set[j]) continue;
    T product(0);
    for (Index i = 0; i < U.rows(); ++i) product += conjugate(U(i, j)) * u[i];
    for (Index i = 0; i < U.rows(); ++i) u[i] -= product * U(i, j);
  }
  double square = 0;
  for (const T& x : u) square += std::norm(x);
  for (T& x : u) x /= std::sqrt(square);
}

/// Replaces a column by one that is orthogonal to all others and has norm 1: the unit vector that is farthest from
/// them, made orthogonal thrice.
template <class T>
void fill_column(Matrix<T>& U, Index column, const std::vector<bool>& is_set) {
  std::vector<double> squares(U.rows());
  for (Index j = 0; j < U.cols(); ++j)
    for (Index i = 0; i < U.rows() && is_set[j]; ++i) squares[i] += std::norm(U(i, j));
  const auto farthest = std::ranges::min_element(squares) - squares.begin();
  std::ranges::fill(U.col(column), T(0));
  U(farthest, column) = 1;
  for (int pass = 0; pass < 3; ++pass) orthonormalize_column(U, column, is_set);
}

template <class T>
Matrix<T> unit_columns(Index rows, Index columns) {
  Matrix<T> U(rows, columns);
  for (Index j = 0; j < columns; ++j) U(j, j) = T(1);
  return U;
}

/// Returns the columns of U made orthonormal to working precision. Those with norms of less than six digits, as zeros
/// are, are replaced by arbitrary ones; those with norms of less than all digits have lost orthogonality to the ones
/// with more. Nothing where U has too few rows.
template <class T>
Matrix<T> completed(Matrix<T> U, const Values& squares) {
  if (U.rows() < U.cols()) return {};
  const auto error = [&](Index j) { return squares.value[j].hi() > 0 ? squares.relative(j) : 1; };
  const auto has_digits = [&](Index j) { return error(j) < 0x1p-20; };
  const std::vector<Index> order =
      sorted_indices(std::ssize(squares.value), [&](Index a, Index b) { return error(a) < error(b); });
  if (std::ranges::none_of(order, has_digits)) return unit_columns<T>(U.rows(), U.cols());
  std::vector<bool> is_set(order.size());
  for (const Index j : order) {
    if (!has_digits(j))
      fill_column(U, j, is_set);
    else if (error(j) > 0x1p-54)
      orthonormalize_column(U, j, is_set);
    is_set[j] = true;
  }
  return U;
}

/// Refines by `run`; values are multiplied by 2^exponent.
template <class T>
Refined<T> refined(const Run<T>& run, const Problem<T>& problem, const Side<T>& start, int exponent,
                   const RefineOptions& options) {
  Refined<T> result;
  if (start.A.cols() == 0) return result;
  Outcome<T> outcome = run(problem, start.A, options.max_steps);
  const Values& values = outcome.value;
  for (std::size_t i = 0; i < values.value.size(); ++i) {
    const double hi = std::ldexp(values.value[i].hi(), exponent), lo = std::ldexp(values.value[i].lo(), exponent);
    double bound = std::ldexp(values.bound[i], exponent);
    if (!std::isfinite(hi) || std::isnan(bound)) bound = std::numeric_limits<double>::infinity();
    if (exponent != 0 && values.value[i].hi() != 0 && std::fabs(hi) < 0x1p-960) bound += 0x1p-1073;  // of rounding
    result.values.push_back(hi), result.values_lo.push_back(std::isfinite(lo) ? lo : 0), result.bound.push_back(bound);
    result.determined.push_back(bound <= 0x1p-53 * std::fabs(hi));
  }
  result.steps = outcome.steps, result.compute_seconds = outcome.seconds;
  if (!options.vectors) return result;
  result.vectors = std::move(outcome.vectors);
  result.sigma_f = std::move(outcome.sigma_f), result.sigma_g = std::move(outcome.sigma_g);
  if (problem.has_roots()) result.U = completed(std::move(outcome.left), outcome.s);
  if (problem.is_pair()) result.V = completed(std::move(outcome.right), outcome.m);
  return result;
}

template <class T>
Refined<T> refine_hermitian(const Run<T>& run, MatrixView<const T> A, MatrixView<const T> U,
                            const RefineOptions& options) {
  require_options(options);
  require_shape_of("A", A.rows, A.cols, A.rows, A.rows), require_shape_of("U", U.rows, U.cols, A.rows, A.rows);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i <= j; ++i)
      if (A(i, j) != conjugate(A(j, i)) && std::isfinite(std::abs(A(i, j))))
        throw InputError("A: is not Hermitian to the last bit; pass (A + Aᴴ)/2");
  const Problem<T> problem{scaled_to_one(Kind::hermitian, "A", A), {}, options.vectors};
  return refined(run, problem, scaled_to_one(Kind::identity, "U", U, true), problem.numerator.exponent, options);
}

/// Refines the singular values of G (m × n, m ≥ n) by right vectors V: columns of G·V become orthogonal. The result has
/// V in `vectors`.
template <class T>
Refined<T> refine_columns(const Run<T>& run, MatrixView<const T> G, MatrixView<const T> V,
                          const RefineOptions& options) {
  const Problem<T> problem{scaled_to_one(Kind::gram, "G", G), {}, options.vectors};
  return refined(run, problem, scaled_to_one(Kind::identity, "V", V, true), problem.numerator.exponent, options);
}

template <class T>
Refined<T> refine_matrix(const Run<T>& run, MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                         const RefineOptions& options) {
  const Index m = G.rows, n = G.cols, k = std::min(m, n);
  require_options(options);
  require_shape_of("U", U.rows, U.cols, m, k), require_shape_of("V", V.rows, V.cols, n, k);
  const auto known = [](const Refined<T>& r) { return std::ranges::count(r.determined, true); };
  Refined<T> result;
  if (m >= n) result = refine_columns(run, G, V, options);
  if (m < n || (m == n && known(result) < n)) {
    const Matrix<T> adjoint_of_g = matrix_of(adjoint(G));
    Refined<T> other = refine_columns(run, adjoint_of_g.view(), U, options);
    std::swap(other.vectors, other.U);
    if (m < n || known(other) > known(result)) result = std::move(other);
  }
  return result;
}

template <class T>
Refined<T> refine_pair(const Run<T>& run, MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> Z,
                       const RefineOptions& options) {
  const Index n = F.cols;
  require_options(options);
  require_shape_of("G", G.rows, G.cols, G.rows, n), require_shape_of("Z", Z.rows, Z.cols, n, n);
  const Problem<T> problem{scaled_to_one(Kind::gram, "F", F), scaled_to_one(Kind::gram, "G", G), options.vectors};
  return refined(run, problem, scaled_to_one(Kind::identity, "Z", Z, true),
                 problem.numerator.exponent - problem.denominator.exponent, options);
}

}  // namespace pivotlab::refine
