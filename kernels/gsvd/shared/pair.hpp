// SPDX-License-Identifier: BSD-3-Clause
// Steps of all backends before and after the iteration: checks of a pair, scaling by powers of two, completion of U,
// Z⁻¹.
#pragma once

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/householder.hpp"
#include "kernels/numerics/power_of_two.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab {
namespace detail {

/// Returns the larger of |Re x| and |Im x|; NaN if one of them is NaN.
template <class T>
RealOf<T> largest_part(const T& x) {
  using R = RealOf<T>;
  const R re = absolute(real_part(x));
  if constexpr (is_complex<T>) {
    const R im = absolute(x.imag());
    return im <= re ? re : re <= im ? im : re + im;
  } else {
    return re;
  }
}

/// Returns the largest real or imaginary part of a column; Inf or NaN if there is one.
template <class T>
RealOf<T> largest_part(std::span<const T> column) {
  using R = RealOf<T>;
  if constexpr (std::is_same_v<R, double>) {  // without signs, their bits are ordered as integers
    const auto* values = reinterpret_cast<const double*>(column.data());
    std::int64_t most = 0;
    for (std::size_t i = 0; i < column.size_bytes() / sizeof(double); ++i)
      most = std::max(most, std::bit_cast<std::int64_t>(values[i]) & std::numeric_limits<std::int64_t>::max());
    return std::bit_cast<double>(most);
  } else {
    R most(0);
    for (const T& x : column)
      if (const R part = largest_part(x); !(part <= most)) most = part;
    return most;
  }
}

/// Returns the largest real or imaginary part of each column. Throws InputError for NaN and Inf. `columns` are the
/// numbers of A's columns in the whole matrix, for messages; empty if A is the whole matrix.
template <class T>
std::vector<RealOf<T>> largest_parts(MatrixView<const T> A, char name, int threads,
                                     std::span<const Index> columns = {}) {
  using R = RealOf<T>;
  const auto is_finite = [](const R& part) { return part <= std::numeric_limits<R>::max(); };
  std::vector<R> largest(A.cols, R(0));
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < A.cols; ++j) largest[j] = largest_part<T>(A.col(j));
  const auto bad = std::ranges::find_if_not(largest, is_finite);
  if (bad == largest.end()) return largest;
  const Index j = bad - largest.begin();
  const auto column = A.col(j);
  const auto row = std::ranges::find_if_not(column, [&](const T& x) { return is_finite(largest_part(x)); });
  throw InputError(std::string("matrix ") + name + ": element (" + std::to_string(row - column.begin() + 1) + ", " +
                   std::to_string((columns.empty() ? j : columns[j]) + 1) +
                   ") is not finite; remove NaN and Inf from the input");
}

}  // namespace detail

/// Powers of two that keep all squares representable: (2^f·F·S, G·S) with S = diag 2^columns[j]. The scaling rounds
/// nothing.
struct PairScaling {
  int f = 0;
  std::vector<int> columns;  ///< empty when no scaling is needed
};

/// Throws InputError if there is no column or a matrix has fewer rows than columns.
inline void require_shapes(Index m_f, Index m_g, Index n) {
  if (n < 1) throw InputError("the pair: there are no columns (n = 0); give at least one");
  for (const auto& [name, rows] : {std::pair{'F', m_f}, std::pair{'G', m_g}})
    if (rows < n)
      throw InputError(std::string("matrix ") + name + ": it is " + std::to_string(rows) + " x " + std::to_string(n) +
                       ", with fewer rows than columns; append rows of zeros or a regularization");
}

/// Returns the scaling of a pair with these largest parts of its columns; it is empty unless they reach extreme
/// exponents. Throws InputError for a zero column of G, and if nonzero columns of F, relative to those of G, differ so
/// much that products of their squares leave the range of numbers: by more than 2^256 in double.
template <class R>
PairScaling find_scaling(const std::vector<R>& f, const std::vector<R>& g) {
  constexpr int safe = std::numeric_limits<R>::max_exponent / 4;
  bool extreme = false;
  std::size_t least = 0;
  int smallest = std::numeric_limits<int>::max(), largest = std::numeric_limits<int>::min();
  for (std::size_t j = 0; j < g.size(); ++j) {
    if (g[j] == R(0))
      throw InputError("matrix G: column " + std::to_string(j + 1) + " is zero; G must have full column rank");
    extreme |= std::abs(exponent_of(g[j])) > safe || (f[j] != R(0) && std::abs(exponent_of(f[j])) > safe);
    if (f[j] == R(0)) continue;
    const int ratio = exponent_of(f[j]) - exponent_of(g[j]);
    extreme |= std::abs(ratio) > safe;
    largest = std::max(largest, ratio);
    if (ratio < smallest) smallest = ratio, least = j;
  }
  const bool any = smallest <= largest;
  if (any && largest - smallest > safe)
    throw InputError("matrix F: column " + std::to_string(least + 1) + ", relative to G's, is only 2^" +
                     std::to_string(smallest - largest) +
                     " of the largest one, too little beside it to be told from zero; make it zero or leave it out");
  PairScaling scaling;
  if (!extreme) return scaling;
  for (const R& column : g) scaling.columns.push_back(-exponent_of(column));
  if (any) scaling.f = -largest;
  return scaling;
}

/// Checks shapes and elements of a pair and computes its scaling.
template <class T>
PairScaling check_pair(MatrixView<const T> F, MatrixView<const T> G, int threads = 1) {
  const auto shape = [](MatrixView<const T> A) { return std::to_string(A.rows) + " x " + std::to_string(A.cols); };
  if (G.cols != F.cols)
    throw InputError("the pair: F is " + shape(F) + " and G is " + shape(G) +
                     "; they must have the same number of columns");
  require_shapes(F.rows, G.rows, F.cols);
  const auto f = detail::largest_parts(F, 'F', threads);
  return find_scaling(f, detail::largest_parts(G, 'G', threads));
}

template <class T>
void apply_scaling(const PairScaling& scaling, MatrixView<T> F, MatrixView<T> G) {
  if (scaling.columns.empty()) return;
  for (Index j = 0; j < F.cols; ++j) {
    for (auto& x : F.col(j)) x = times_power_of_two(x, scaling.columns[j] + scaling.f);
    for (auto& x : G.col(j)) x = times_power_of_two(x, scaling.columns[j]);
  }
}

/// Replaces the zero columns of U by columns that complete the others to an orthonormal set, as far as there are rows.
/// σ_F = 0 does not determine these columns, but U must be orthonormal.
template <class T>
void complete_columns(MatrixView<T> U, int threads) {
  std::vector<Index> zero, given;
  for (Index j = 0; j < U.cols; ++j)
    (std::ranges::all_of(U.col(j), [](const T& x) { return x == T(0); }) ? zero : given).push_back(j);
  if (zero.empty()) return;
  const auto rank = static_cast<Index>(given.size());
  Matrix<T> basis(U.rows, rank);
  for (Index j = 0; j < rank; ++j) std::ranges::copy(U.col(given[j]), basis.col(j).begin());
  const HouseholderQR<T> qr = householder_qr(std::move(basis), threads);
#pragma omp parallel for num_threads(thread_count(threads))
  for (Index j = 0; j < std::min(std::ssize(zero), U.rows - rank); ++j) unitary_column(qr, rank + j, U.col(zero[j]));
}

/// Computes X = Z⁻¹ = Σ_F·Uᴴ·F + Σ_G·Vᴴ·G without an inversion.
template <class T>
Matrix<T> inverse_of_z(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                       const GsvdResult<T>& r) {
  Matrix<T> X = product_of<T>(adjoint(U), F);
  const Matrix<T> from_g = product_of<T>(adjoint(V), G);
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) X(i, j) = r.sigma_f[i] * X(i, j) + r.sigma_g[i] * from_g(i, j);
  return X;
}

inline InputError sigma_beyond_range() {
  return InputError(
      "the pair: generalized singular values leave the range of double; multiply F or G by a power of two");
}

/// Throws InputError if σ or elements of Z, with the scaling undone, leave the range of numbers.
template <class Result>
void require_range(const PairScaling& scaling, const Result& result) {
  using R = typename Result::Real;
  if (scaling.columns.empty()) return;
  const auto is_finite = [](const R& x) { return x <= std::numeric_limits<R>::max(); };
  if (!std::ranges::all_of(result.sigma, is_finite)) throw sigma_beyond_range();
  for (Index j = 0; j < result.Z.cols(); ++j)
    if (!std::ranges::all_of(result.Z.col(j), [&](const auto& z) { return is_finite(detail::largest_part(z)); }))
      throw InputError(
          "the pair: elements of Z exceed the range of double; multiply F and G by the same power of two, which does "
          "not change sigma");
}

template <class T>
void judge_convergence(bool converged, const GsvdOptions& options, GsvdResult<T>& result) {
  result.status = converged ? Status::passed : Status::not_converged;
  if (!converged)
    result.message = "big transformations remained after " + std::to_string(options.max_outer_sweeps) + " outer sweeps";
}

}  // namespace pivotlab
