// SPDX-License-Identifier: BSD-3-Clause
// The three problems of pivotlab/refine.hpp as forms of vectors, on any machine: checks and scaling before, order and
// left vectors after the refinement.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/refine/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pivotlab/error.hpp>
#include <pivotlab/refine.hpp>

namespace pivotlab::refine {

/// A matrix times 2^(−exponent), so that its largest element is near 1.
template <class T>
struct Scaled {
  Matrix<T> A;
  int exponent = 0;
};

template <class T>
Scaled<T> scaled_to_one(const char* name, MatrixView<const T> A, bool each_column = false) {
  Scaled<T> result{Matrix<T>(A), 0};
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

/// Fills the result's values, times 2^exponent.
template <class T>
void take_values(const Values& values, int exponent, Refined<T>& result) {
  for (std::size_t i = 0; i < values.value.size(); ++i) {
    const double hi = std::ldexp(values.value[i].hi(), exponent), lo = std::ldexp(values.value[i].lo(), exponent);
    double bound = std::ldexp(values.bound[i], exponent);
    if (!std::isfinite(hi) || std::isnan(bound)) bound = std::numeric_limits<double>::infinity();
    if (exponent != 0 && values.value[i].hi() != 0 && std::fabs(hi) < 0x1p-960) bound += 0x1p-1073;  // of rounding
    result.values.push_back(hi), result.values_lo.push_back(std::isfinite(lo) ? lo : 0), result.bound.push_back(bound);
    result.determined.push_back(bound <= 0x1p-53 * std::fabs(hi));
  }
}

/// Returns columns of X in this order, times these factors and rounded.
template <class T>
Matrix<T> columns_of(const Matrix<Extended<T>>& X, const std::vector<Index>& order,
                     const std::vector<DoubleDouble>& factor, int exponent = 0) {
  Matrix<T> result(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i)
      result(i, j) = times_power_of_two(rounded<T>(scaled(X(i, order[j]), factor[order[j]])), exponent);
  return result;
}

/// Replaces a column by one that is orthogonal to all others and has norm 1: the unit vector that is farthest from
/// them, made orthogonal twice.
template <class T>
void fill_column(Matrix<T>& U, Index column, const std::vector<bool>& is_set) {
  std::vector<double> squares(static_cast<std::size_t>(U.rows()));
  for (Index j = 0; j < U.cols(); ++j)
    for (Index i = 0; i < U.rows() && is_set[j]; ++i) squares[i] += std::norm(U(i, j));
  const auto farthest = std::ranges::min_element(squares) - squares.begin();
  const auto u = U.col(column);
  std::ranges::fill(u, T(0));
  u[farthest] = 1;
  for (int pass = 0; pass < 3; ++pass) {
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
}

inline std::vector<DoubleDouble> inverse_roots(const std::vector<DoubleDouble>& x) {
  std::vector<DoubleDouble> result;
  for (const DoubleDouble& value : x) result.push_back(value.hi() > 0 ? 1.0 / sqrt(value) : DoubleDouble(0));
  return result;
}

/// Returns the columns of Y with norm 1 in this order, given their squared norms in units of k; those of norms that
/// have not even six digits are arbitrary orthonormal ones. Nothing where Y has too few rows.
template <class T>
Matrix<T> left_vectors(const Matrix<Extended<T>>& Y, const std::vector<Index>& order, const Values& squares,
                       const std::vector<DoubleDouble>& k) {
  if (Y.rows() < Y.cols()) return {};
  std::vector<DoubleDouble> norms;
  for (std::size_t i = 0; i < k.size(); ++i) norms.push_back(squares.value[i] * k[i]);
  Matrix<T> U = columns_of<T>(Y, order, inverse_roots(norms));
  std::vector<bool> is_set;
  for (const Index i : order) is_set.push_back(squares.relative(static_cast<std::size_t>(i)) < 0x1p-20);
  for (Index j = 0; j < U.cols(); ++j)
    if (!is_set[j]) fill_column(U, j, is_set), is_set[j] = true;
  return U;
}

template <class Machine, class T>
Refined<T> refine_hermitian(Machine& machine, MatrixView<const T> A, MatrixView<const T> U,
                            const RefineOptions& options) {
  using Steps = Refinement<Machine, T>;
  require_options(options);
  require_shape_of("A", A.rows, A.cols, A.rows, A.rows), require_shape_of("U", U.rows, U.cols, A.rows, A.rows);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i <= j; ++i)
      if (A(i, j) != conjugate(A(j, i)) && std::isfinite(std::abs(A(i, j))))
        throw InputError("A: is not Hermitian to the last bit; pass (A + Aᴴ)/2");
  const auto [matrix, exponent] = scaled_to_one("A", A);
  Refined<T> result;
  if (A.rows == 0) return result;
  Steps steps(machine, {Kind::hermitian, machine.upload(matrix)}, {Kind::identity, {}}, false);
  const auto start = machine.upload(scaled_to_one("U", U, true).A);
  const auto state = steps.run(start, options.max_steps, result.steps);
  const std::vector<Index>& order = state.order;
  take_values(state.value, exponent, result);
  result.vectors = columns_of<T>(machine.download(state.X), order, inverse_roots(state.k));
  return result;
}

/// Refines the singular values of G (m × n, m ≥ n) by right vectors V: columns of G·V become orthogonal. The result has
/// V in `vectors`.
template <class Machine, class T>
Refined<T> refine_columns(Machine& machine, MatrixView<const T> G, MatrixView<const T> V,
                          const RefineOptions& options) {
  using Steps = Refinement<Machine, T>;
  const auto [matrix, exponent] = scaled_to_one("G", G);
  Refined<T> result;
  if (G.cols == 0) return result;
  Steps steps(machine, {Kind::gram, machine.upload(matrix)}, {Kind::identity, {}}, true);
  const auto start = machine.upload(scaled_to_one("V", V, true).A);
  const auto state = steps.run(start, options.max_steps, result.steps);
  const std::vector<Index>& order = state.order;
  take_values(state.value, exponent, result);
  result.vectors = columns_of<T>(machine.download(state.X), order, inverse_roots(state.k));
  result.U = left_vectors<T>(machine.download(state.numerator.Y), order, state.s, state.k);
  return result;
}

template <class Machine, class T>
Refined<T> refine_matrix(Machine& machine, MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                         const RefineOptions& options) {
  const Index m = G.rows, n = G.cols, k = std::min(m, n);
  require_options(options);
  require_shape_of("U", U.rows, U.cols, m, k), require_shape_of("V", V.rows, V.cols, n, k);
  const auto known = [](const Refined<T>& r) { return std::ranges::count(r.determined, true); };
  Refined<T> result;
  if (m >= n) result = refine_columns(machine, G, V, options);
  if (m < n || (m == n && known(result) < n)) {
    const Matrix<T> adjoint_of_g = matrix_of(adjoint(G));
    Refined<T> other = refine_columns(machine, adjoint_of_g.view(), U, options);
    std::swap(other.vectors, other.U);
    if (m < n || known(other) > known(result)) result = std::move(other);
  }
  return result;
}

template <class Machine, class T>
Refined<T> refine_pair(Machine& machine, MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> Z,
                       const RefineOptions& options) {
  using Steps = Refinement<Machine, T>;
  const Index n = F.cols;
  require_options(options);
  require_shape_of("G", G.rows, G.cols, G.rows, n), require_shape_of("Z", Z.rows, Z.cols, n, n);
  const auto [f, exponent_f] = scaled_to_one("F", F);
  const auto [g, exponent_g] = scaled_to_one("G", G);
  Refined<T> result;
  if (n == 0) return result;
  Steps steps(machine, {Kind::gram, machine.upload(f)}, {Kind::gram, machine.upload(g)}, true);
  const auto start = machine.upload(scaled_to_one("Z", Z, true).A);
  const auto state = steps.run(start, options.max_steps, result.steps);
  const std::vector<Index>& order = state.order;
  take_values(state.value, exponent_f - exponent_g, result);
  // zᴴ(FᴴF + GᴴG)z = 1 without the scaling, too
  const int exponent = std::max(exponent_f, exponent_g);
  const int below_f = std::max(exponent_f - exponent, -500), below_g = std::max(exponent_g - exponent, -500);
  std::vector<DoubleDouble> squares(state.k.size());
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const DoubleDouble s = ldexp(state.s.value[i], 2 * below_f), m = ldexp(state.m.value[i], 2 * below_g);
    squares[i] = s + m;
  }
  for (const Index i : order) {
    const double whole = std::sqrt(squares[i].hi());
    result.sigma_f.push_back(std::ldexp(std::sqrt(std::max(state.s.value[i].hi(), 0.0)), below_f) / whole);
    result.sigma_g.push_back(std::ldexp(std::sqrt(std::max(state.m.value[i].hi(), 0.0)), below_g) / whole);
  }
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] *= state.k[i];
  result.vectors = columns_of<T>(machine.download(state.X), order, inverse_roots(squares), -exponent);
  result.U = left_vectors<T>(machine.download(state.numerator.Y), order, state.s, state.k);
  result.V = left_vectors<T>(machine.download(state.denominator.Y), order, state.m, state.k);
  return result;
}

}  // namespace pivotlab::refine
