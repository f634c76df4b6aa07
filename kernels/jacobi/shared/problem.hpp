// SPDX-License-Identifier: BSD-3-Clause
// Steps of all backends before and after the iteration on (G, J): checks, scaling, the order of the columns, the
// border.
#pragma once

#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/jacobi/shared/rotation.hpp"
#include "kernels/numerics/order.hpp"

#include <pivotlab/interrupt.hpp>
#include <pivotlab/jacobi.hpp>

namespace pivotlab::jacobi {

/// Throws InputError for options out of range.
inline void require_valid(const HsvdOptions& options) {
  pivotlab::require_valid(options.variant);
  for (const auto& [name, value] :
       {std::pair{"max_sweeps", options.max_sweeps}, std::pair{"max_inner_sweeps", options.max_inner_sweeps}})
    if (value < 1)
      throw InputError(std::string("option ") + name + ": " + std::to_string(value) +
                       " is not positive; allow a sweep");
}

/// Returns the rules of a variant for columns of length m. There is no sorting with RR, where it would add sweeps.
template <class R>
JacobiRules<R> rules_of(const HsvdVariant& variant, Index m) {
  return jacobi_rules<R>(m, variant.sorting && variant.strategy != Strategy::RR);
}

/// (G, J) as the iteration takes it.
template <class T>
struct Problem {
  using R = RealOf<T>;

  Matrix<T> G;                ///< columns in the order J·‖g_j‖² descending, multiplied by 2^exponent, bordered
  std::vector<R> J;           ///< signs of these columns
  std::vector<Index> column;  ///< columns of the given G in this order, without the border
  Index rows = 0;             ///< rows of the given G
  int exponent = 0;
  std::vector<R> noise;  ///< estimated norms of rounding errors in the columns

  Index own() const { return std::ssize(column); }
};

/// Returns ‖g_j‖ for every column.
template <class T>
std::vector<RealOf<T>> column_norms(MatrixView<const T> G, int threads) {
  std::vector<RealOf<T>> norms(G.cols);
#pragma omp parallel for num_threads(threads)
  for (Index j = 0; j < G.cols; ++j) {
    RealOf<T> sum(0);
    for (const T& x : G.col(j)) sum += squared_magnitude(x);
    norms[j] = square_root(sum);
  }
  return norms;
}

/// Throws InputError unless J has n signs, or is empty. `owner` is "G has n columns", for the message.
inline void require_signs(const std::vector<int>& J, Index n, const std::string& owner) {
  if (!J.empty() && std::ssize(J) != n)
    throw InputError("J: it has " + std::to_string(J.size()) + " elements, but " + owner + "; give one sign for each");
  for (std::size_t j = 0; j < J.size(); ++j)
    if (J[j] != 1 && J[j] != -1)
      throw InputError("J: element " + std::to_string(j + 1) + " is " + std::to_string(J[j]) + "; take 1 or -1");
}

/// Throws InputError unless G can be m × n and J has a sign for each column, or is empty.
inline void require_shapes(Index m, Index n, const std::vector<int>& J) {
  if (m < n)
    throw InputError("matrix G: it is " + std::to_string(m) + " x " + std::to_string(n) +
                     ", with fewer rows than columns; append rows of zeros, or decompose its adjoint if J = I");
  require_signs(J, n, "G has " + std::to_string(n) + " columns");
}

/// Throws InputError unless F, G and J fit together, and G can have full column rank.
template <class T>
void require_pair(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J) {
  const auto shape = [](MatrixView<const T> A) { return std::to_string(A.rows) + " x " + std::to_string(A.cols); };
  if (F.cols != G.cols)
    throw InputError("the pair: F is " + shape(F) + " and G is " + shape(G) +
                     "; they must have the same number of columns");
  if (G.rows < G.cols)
    throw InputError("matrix G: it is " + shape(G) +
                     ", with fewer rows than columns; append rows that make its columns independent");
  require_signs(J, F.rows, "F has " + std::to_string(F.rows) + " rows");
}

/// The largest ratio of columns, as a power of two, for which squares of the least ones and of their rounding errors
/// are normal numbers: 416 for double.
template <class R>
constexpr int widest_range() {
  return std::numeric_limits<R>::max_exponent / 32 * 13;
}

/// How much columns of G, and rows of G with unit columns, differ in size: ratios of the largest to the least one that
/// is not zero, as powers of two.
struct Grading {
  int columns = 0, rows = 0;
};

/// Measures the grading by largest elements. Throws InputError for NaN and Inf.
template <class T>
Grading grading_of(MatrixView<const T> G, int threads) {
  using R = RealOf<T>;
  const std::vector<R> largest = detail::largest_parts(G, 'G', threads);
  constexpr int none = std::numeric_limits<int>::min();
  const auto range = [](const std::vector<int>& exponents) {
    int least = none, most = none;
    for (const int e : exponents) {
      if (e == none) continue;
      if (least == none || e < least) least = e;
      most = std::max(most, e);
    }
    return most - least;
  };
  std::vector<int> columns, rows(static_cast<std::size_t>(G.rows), none);
  for (Index j = 0; j < G.cols; ++j) {
    const R size = largest[j];
    columns.push_back(size > R(0) ? exponent_of(size) : none);
    for (Index i = 0; size > R(0) && i < G.rows; ++i)
      if (const R part = detail::largest_part(G(i, j)); part > R(0))
        rows[i] = std::max(rows[i], exponent_of(part) - columns.back());
  }
  return {range(columns), range(rows)};
}

/// Returns whether rows of this grading cost digits of small σ unless G is preconditioned: more than four bits.
inline bool is_graded_by_rows(const Grading& grading) {
  return grading.rows > 4;
}

/// Returns the k for which 2^k·G has a largest element of size 1, from the largest parts of the columns. Throws
/// InputError for columns whose squares would be lost.
template <class R>
int scaling_exponent(const std::vector<R>& largest) {
  const R most = largest.empty() ? R(0) : *std::ranges::max_element(largest);
  const int exponent = most > R(0) ? -exponent_of(most) : 0;
  for (std::size_t j = 0; j < largest.size(); ++j)
    if (largest[j] > R(0) && exponent_of(largest[j]) + exponent < -widest_range<R>())
      throw InputError("matrix G: column " + std::to_string(j + 1) + " is only 2^" +
                       std::to_string(exponent_of(largest[j]) + exponent) +
                       " of the largest one, so that its square is lost; " +
                       (std::is_same_v<R, double> ? "take the backend host" : "make it zero or scale it"));
  return exponent;
}

inline bool is_negative(const std::vector<int>& J, Index j) {
  return !J.empty() && J[j] < 0;
}

/// Returns the columns in the order J·‖g_j‖² descending, which saves sweeps.
template <class R>
std::vector<Index> order_of_columns(const std::vector<R>& norms, const std::vector<int>& J) {
  const auto key = [&](Index j) { return is_negative(J, j) ? R(norms[j]) : R(-norms[j]); };
  return sorted_indices(std::ssize(norms), [&](Index a, Index b) { return key(a) < key(b); });
}

/// Returns n, bordered to a multiple.
inline Index bordered(Index n, Index multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Checks (G, J). The columns are scaled by a power of two, ordered, and bordered to a multiple of `multiple` by unit
/// columns in new rows, which are orthogonal to all others. An empty J means J = I.
template <class T>
Problem<T> make_problem(MatrixView<const T> G, const std::vector<int>& J, Index multiple, int threads) {
  using R = RealOf<T>;
  const Index m = G.rows, n = G.cols, order = bordered(n, multiple);
  require_shapes(m, n, J);
  Problem<T> problem;
  problem.rows = m;
  problem.exponent = scaling_exponent(detail::largest_parts(G, 'G', threads));
  Matrix<T> scaled{G};
  for (Index j = 0; problem.exponent != 0 && j < n; ++j)
    for (T& x : scaled.col(j)) x = times_power_of_two(x, problem.exponent);
  const std::vector<R> norms = column_norms<T>(scaled.view(), threads);
  problem.column = order_of_columns(norms, J);
  problem.G = Matrix<T>(m + order - n, order);
  for (Index j = 0; j < n; ++j) {
    const Index source = problem.column[j];
    std::ranges::copy(scaled.col(source), problem.G.col(j).begin());
    problem.J.push_back(is_negative(J, source) ? R(-1) : R(1));
    problem.noise.push_back(std::numeric_limits<R>::epsilon() * norms[source]);
  }
  for (Index j = n; j < order; ++j) {
    problem.G(m + j - n, j) = T(1);
    problem.J.push_back(R(1));
    problem.noise.push_back(std::numeric_limits<R>::epsilon());
  }
  return problem;
}

/// Adds the counters of a tile or a pair to those of its sweep.
inline void add(HsvdSweep& sum, const HsvdSweep& tile) {
  sum.transformations += tile.transformations;
  sum.big += tile.big;
  sum.hyperbolic += tile.hyperbolic;
  sum.clamped += tile.clamped;
  sum.skipped_tiles += tile.skipped_tiles;
  sum.qr_tiles += tile.qr_tiles;
  sum.max_inner_sweeps = std::max(sum.max_inner_sweeps, tile.max_inner_sweeps);
  sum.largest_cosine = std::max(sum.largest_cosine, tile.largest_cosine);
  sum.largest_tan = std::max(sum.largest_tan, tile.largest_tan);
  sum.largest_tanh = std::max(sum.largest_tanh, tile.largest_tanh);
}

/// Returns the largest cosine between columns of length m that counts as zero.
template <class R>
R negligible_cosine(Index m) {
  return R(8 + m) * std::numeric_limits<R>::epsilon();
}

/// Returns whether the columns of length m are orthogonal after this sweep. Columns of nearly equal norms turn by large
/// angles even if they are almost orthogonal, and mix the cosines between them and third columns, which small angles
/// square.
template <class R>
bool ends_iteration(const HsvdSweep& sweep, Index m) {
  return sweep.big == 0 && R(sweep.largest_cosine) * R(sweep.largest_tan) <= negligible_cosine<R>(m);
}

/// Returns whether the columns may be orthogonal after this sweep, so that it pays to compute their largest cosine.
/// Cosines become products of cosines and tangents, and the product of the largest ones is a loose bound.
template <class R>
bool may_end_iteration(const HsvdSweep& sweep) {
  const R angle(std::max(sweep.largest_tan, sweep.largest_tanh));
  return R(sweep.largest_cosine) * angle <= square_root(unit_roundoff<R>()) / R(16);
}

/// Does sweeps until columns of length m are orthogonal, and returns whether they are. `sweep` does one, and
/// `largest_cosine` returns that between two columns: it must be rounding alone, or negligible after a sweep that ends
/// the iteration.
template <class R, class Sweep, class Cosine>
bool sweep_until_orthogonal(Index m, const HsvdOptions& options, std::vector<HsvdSweep>& sweeps, Sweep&& sweep,
                            Cosine&& largest_cosine) {
  while (std::ssize(sweeps) < options.max_sweeps) {
    throw_if_interrupted();
    sweeps.push_back(sweep());
    if (!may_end_iteration<R>(sweeps.back())) continue;
    const R enough = ends_iteration<R>(sweeps.back(), m) ? negligible_cosine<R>(m) : 2 * jacobi_rules<R>(m).tolerance;
    if (R(largest_cosine()) <= enough) return true;
  }
  return false;
}

/// Returns the largest |cos(g_i, g_j)|, i ≠ j, of the columns of G.
template <class T>
RealOf<T> largest_cosine(MatrixView<const T> G, int threads) {
  using R = RealOf<T>;
  constexpr Index block = 32;
  const std::vector<R> norms = column_norms<T>(G, threads);
  const Index blocks = (G.cols + block - 1) / block;
  std::vector<R> of_block(blocks, R(0));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index b = 0; b < blocks; ++b) {
    const Index first = b * block, count = std::min(block, G.cols - first);
    R largest(0);
    for (Index a = 0; a <= b; ++a) {
      const Index other = a * block;
      const Matrix<T> products =
          product_of<T>(adjoint(G.cols_range(other, std::min(block, G.cols - other))), G.cols_range(first, count));
      for (Index j = 0; j < products.cols(); ++j)
        for (Index i = 0; i < products.rows(); ++i) {
          const R of_norms = norms[other + i] * norms[first + j];
          const R cosine = of_norms == R(0) ? R(0) : R(modulus(products(i, j)) / of_norms);
          if (other + i < first + j && !(cosine <= largest)) largest = cosine;  // also NaN
        }
    }
    of_block[b] = largest;
  }
  R largest(0);
  for (const R& cosine : of_block)
    if (!(cosine <= largest)) largest = cosine;
  return largest;
}

/// Returns u·√(n·s): what a transformation of a column adds to the relative error of its norm, about u, accumulates
/// like a random walk in s sweeps of n transformations each.
template <class R>
R accumulated_rounding(Index n, std::size_t sweeps) {
  return unit_roundoff<R>() * square_root(R(n) * R(sweeps));
}

/// Stores σ = value·2^−exponent, whose rounding below the range of normal numbers enters the estimate of its square.
/// Throws InputError if σ is too large for R.
template <class R>
void store_sigma(const R& value, int exponent, R& sigma, R& estimate) {
  using Limits = std::numeric_limits<R>;
  sigma = times_power_of_two(value, -exponent);
  if (sigma > Limits::max())
    throw InputError("matrix G: a singular value is about 2^" + std::to_string(exponent_of(value) - exponent) +
                     ", too large for its type; multiply G by 2^-10");
  if (sigma >= Limits::min() || value == R(0)) return;
  const R unit = times_power_of_two(R(1), Limits::min_exponent - Limits::digits);
  estimate = sigma > R(0) ? std::min(R(1), R(estimate + unit / sigma)) : R(1);
}

/// Returns the size below which the places of σ of this sign are not known: σ of a column that consists of rounding
/// errors may be up to ten times its noise.
template <class R>
R unknown_places(const std::vector<R>& norms, const std::vector<R>& J, const std::vector<R>& noise, bool positive) {
  R most(0);
  for (std::size_t j = 0; j < norms.size(); ++j)
    if ((J[j] > R(0)) == positive && norms[j] <= R(2) * noise[j]) most = std::max(most, R(R(10) * noise[j]));
  return most;
}

/// Computes σ, J' and the estimates from norms, signs and noise of the last iterate's columns. Returns these columns in
/// the order J'·σ² descending. A column without noise was zero from the beginning, and its σ = 0 is exact. A σ whose
/// place is not known has the estimate 1.
template <class R, class Result>
std::vector<Index> store_values(const std::vector<R>& norms, const std::vector<R>& J, const std::vector<R>& noise,
                                int exponent, Result& result) {
  const R rounding = accumulated_rounding<R>(std::ssize(norms), result.sweeps.size());
  const R unknown[] = {unknown_places(norms, J, noise, false), unknown_places(norms, J, noise, true)};
  std::vector<Index> order =
      sorted_indices(std::ssize(norms), [&](Index a, Index b) { return -J[a] * norms[a] < -J[b] * norms[b]; });
  for (const Index from : order) {
    const R norm = norms[from];
    const bool placed = norm >= unknown[J[from] > R(0)];
    result.J.push_back(J[from] > R(0) ? 1 : -1);
    result.sigma.push_back(norm);
    result.estimate.push_back(norm > R(0) && placed ? std::min(R(1), R(R(2) * (noise[from] / norm + rounding)))
                              : norm > R(0) || noise[from] > R(0) ? R(1)
                                                                  : R(0));
    store_sigma(norm, exponent, result.sigma.back(), result.estimate.back());
  }
  return order;
}

/// Sets status and message after the last sweep.
template <class Result>
void judge_convergence(bool orthogonal, const HsvdOptions& options, Result& result) {
  result.status = Status::not_converged;
  if (!orthogonal)
    result.message = "columns were not orthogonal after " + std::to_string(options.max_sweeps) + " sweeps";
  else if (!result.sweeps.empty() && result.sweeps.back().clamped > 0)
    result.message = "columns of different signs are parallel up to rounding errors: the decomposition may not exist";
  else
    result.status = Status::passed;
}

/// Computes the result from the last iterate: σ, U, J', in the order J'·σ² descending. V has a row for each column of
/// problem.G, or is empty.
template <class T>
void finish(Problem<T>& problem, MatrixView<const T> V, int threads, HsvdResult<T>& result) {
  using R = RealOf<T>;
  const Index m = problem.rows, n = problem.own();
  const MatrixView<T> G = problem.G.view().block(0, 0, m, n);
  const std::vector<R> norms = column_norms<T>(G, threads);
  const auto order = store_values(norms, problem.J, problem.noise, problem.exponent, result);
  result.U = Matrix<T>(m, n);
  if (V.cols > 0) result.V = Matrix<T>(n, n);
  for (Index j = 0; j < n; ++j) {
    const Index from = order[j];
    if (norms[from] > R(0))
      for (Index i = 0; i < m; ++i) result.U(i, j) = divided_by_real(G(i, from), norms[from]);
    for (Index i = 0; V.cols > 0 && i < n; ++i) result.V(problem.column[i], j) = V(i, from);
  }
  complete_columns<T>(result.U, threads);
}

}  // namespace pivotlab::jacobi
