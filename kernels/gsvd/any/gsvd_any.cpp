// SPDX-License-Identifier: BSD-3-Clause
// The GSVD of any pair: as it is where a solver takes it, otherwise by reduction to a core pair.
#include <pivotlab/gsvd_any.hpp>

#include "kernels/gsvd/any/reduction.hpp"
#include "kernels/gsvd/shared/backward_error.hpp"
#include "kernels/gsvd/shared/exact_rank.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/refine_option.hpp"
#include "kernels/numerics/order.hpp"
#include "kernels/numerics/parts.hpp"
#include "support/timer.hpp"

#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace pivotlab {
namespace {

/// Parts of the vectors of U up to this norm in rows of padding are rounding errors; a vector with more belongs to a σ
/// that is one, since zero rows contribute nothing to F·Z.
constexpr double padding_tolerance = 0x1p-26;

template <class T>
void check_input(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options) {
  if (F.cols != G.cols)
    throw InputError("the pair: F has " + std::to_string(F.cols) + " columns and G has " + std::to_string(G.cols) +
                     "; they must have the same number of columns");
  for (const auto& [name, tolerance] : {std::pair{'F', options.tolerance_f}, std::pair{'G', options.tolerance_g}})
    if (tolerance && !(*tolerance >= 0))
      throw InputError(std::string("the tolerance of ") + name + ": must be a number of at least 0");
  if (options.tangent)
    require_valid(*options.tangent);
  else
    require_valid(options.variant);
  const int threads = thread_count(options.threads);
  detail::largest_parts(F, 'F', threads);  // for their check of the elements
  detail::largest_parts(G, 'G', threads);
}

template <class T>
TangentResult<T> solve_by_tangent(MatrixView<const T> F, MatrixView<const T> G, const TangentVariant& variant,
                                  const AnyGsvdOptions& options, bool compute_x) {
  return gsvd_tangent<T>(F, G,
                         {.variant = variant,
                          .backend = options.backend,
                          .compute_x = compute_x,
                          .estimate_errors = options.estimate_errors,
                          .hari_zimmermann_fallback = options.hari_zimmermann_fallback,
                          .threads = options.threads});
}

template <class T>
void solve(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options, bool compute_x,
           AnyGsvdResult<T>& result) {
  if (options.tangent) {
    static_cast<TangentResult<T>&>(result) = solve_by_tangent<T>(F, G, *options.tangent, options, compute_x);
    return;
  }
  GsvdVariant variant = options.variant;
  const bool refine = std::exchange(variant.refine, false);
  static_cast<GsvdResult<T>&>(result) = gsvd<T>(
      F, G, {.variant = variant, .backend = options.backend, .compute_x = compute_x, .threads = options.threads});
  if (refine) refine_option::refine_pair<T>(F, G, options.backend, options.threads, result, result.sigma_error);
}

template <class T>
double norm_from(std::span<const T> column, Index row) {
  double squares = 0;
  for (const T& x : column.subspan(row)) squares += std::norm(x);
  return std::sqrt(squares);
}

/// Makes σ_F,j an exact zero with a zero column of U.
template <class T>
void vanish(Index j, AnyGsvdResult<T>& result) {
  const double sigma_g = result.sigma_g[j];
  for (T& x : result.Z.col(j)) x /= sigma_g;
  for (Index i = 0; i < result.X.cols(); ++i) result.X(j, i) *= sigma_g;
  std::ranges::fill(result.U.col(j), T(0));
  result.sigma_f[j] = result.sigma[j] = 0;
  result.sigma_g[j] = 1;
  if (!result.sigma_error.empty()) result.sigma_error[j] = std::numeric_limits<double>::infinity();
}

/// Takes the rows of padding from U. Not more columns than the other rows have σ ≠ 0.
template <class T>
void remove_padding(Index rows, AnyGsvdResult<T>& result) {
  if (result.U.rows() == rows) return;
  for (Index j = 0; j < result.U.cols(); ++j)
    if (j >= rows || result.sigma_f[j] == 0 || norm_from<T>(result.U.col(j), rows) > padding_tolerance)
      vanish(j, result);
  result.U = Matrix<T>(MatrixView<const T>(result.U).block(0, 0, rows, result.U.cols()));
}

/// Judges the rank of G from the decomposition: componentwise, as gsvd() does, and by confirmed_rank().
template <class T>
bool has_full_rank(MatrixView<const T> G, const AnyGsvdResult<T>& result, int threads) {
  return std::ranges::count(result.sigma_g, 0.0) == 0 &&
         count_deficient<T>(RoundingNoise<T>(G, threads), result.V, result.Z, result.sigma_g, threads) == 0 &&
         gsvd_detail::confirmed_rank(G, result.Z, threads) == G.cols;
}

/// Makes as many σ zero as F has columns beyond its rank: the smallest ones.
template <class T>
void make_zeros_exact(MatrixView<const T> F, int threads, AnyGsvdResult<T>& result) {
  const Index zeros = F.cols - gsvd_detail::confirmed_rank(F, result.Z, threads);
  const std::vector<Index> order = ascending_indices(result.sigma);
  for (Index j = 0; j < zeros; ++j)
    if (const Index at = order[j]; result.sigma_f[at] != 0) vanish(at, result);
}

/// Decomposes a pair with m_G ≥ n ≥ 1 by the solver alone. Returns false if G does not have full rank or the solver
/// fails or does not converge.
template <class T>
bool solve_as_given(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options,
                    AnyGsvdResult<T>& result) {
  const int threads = thread_count(options.threads);
  const Matrix<T> filled = F.rows < F.cols ? padded(F, F.cols) : Matrix<T>();
  const Timer timer;
  try {
    solve<T>(F.rows < F.cols ? filled.view() : F, G, options, options.compute_x, result);
  } catch (const InputError&) {  // what else may be wrong with the input has been checked before
    result.compute_seconds = timer.seconds();
    return false;
  }
  // An iteration that has not converged tells nothing of the rank of G.
  if (result.status != Status::passed || !has_full_rank(G, result, threads)) {
    const double seconds = result.compute_seconds;
    result = {};
    result.compute_seconds = seconds;
    return false;
  }
  result.l = result.r = F.cols;
  remove_padding(F.rows, result);
  make_zeros_exact(F, threads, result);
  complete_columns<T>(result.U, options.threads);
  if (options.compute_x) any::set_r_and_q<T>(result.X, result);
  return true;
}

template <class T>
double largest_part(MatrixView<const T> A, int threads) {
  double largest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : largest)
  for (Index j = 0; j < A.cols; ++j) largest = std::max(largest, detail::largest_part<T>(A.col(j)));
  return largest;
}

template <class T>
Matrix<T> scaled_copy(MatrixView<const T> A, int exponent) {
  Matrix<T> result(A);
  for (Index j = 0; j < A.cols; ++j)
    for (T& x : result.col(j)) x = times_power_of_two(x, exponent);
  return result;
}

/// As solve_as_given(), of a pair whose matrices are very large, very small or very different: it is scaled meanwhile.
template <class T>
bool solve_scaled(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options,
                  AnyGsvdResult<T>& result) {
  constexpr int safe = 256;
  const int threads = thread_count(options.threads);
  const double of_f = largest_part(F, threads), of_g = largest_part(G, threads);
  const int f = of_f == 0 ? 0 : -exponent_of(of_f), g = of_g == 0 ? 0 : -exponent_of(of_g);
  if (std::max({std::abs(f), std::abs(g), std::abs(f - g)}) <= safe) return solve_as_given(F, G, options, result);
  const Matrix<T> scaled_f = scaled_copy(F, f), scaled_g = scaled_copy(G, g);
  if (!solve_as_given<T>(scaled_f, scaled_g, options, result)) return false;
  for (Index j = 0; j < result.r; ++j) {
    const auto [factor, exponent] = any::unscale(f, g, result.sigma[j], result.sigma_f[j], result.sigma_g[j]);
    for (T& x : result.Z.col(j)) x = times_power_of_two(T(factor * x), exponent);
    for (Matrix<T>* A : {&result.X, &result.R})
      for (Index i = 0; i < A->cols(); ++i) (*A)(j, i) = times_power_of_two(T((*A)(j, i) / factor), -exponent);
  }
  return true;
}

/// Sets the factors of a core pair with A₂₃ = 0: V = I and Z = B₁₃⁻¹.
template <class T>
void set_zero_core(const any::Reduction<T>& reduction, AnyGsvdResult<T>& result) {
  const Index l = result.l;
  result.U = Matrix<T>(reduction.a23().rows, l);
  result.V = Matrix<T>::identity(l);
  result.Z = Matrix<T>::identity(l);
  substitute_upper(reduction.b13(), result.Z.view());
  result.sigma_f.assign(l, 0), result.sigma.assign(l, 0);
  result.sigma_g.assign(l, 1);
  result.status = Status::passed;
}

template <class T>
void solve_core(const any::Reduction<T>& reduction, AnyGsvdOptions options, AnyGsvdResult<T>& result) {
  options.estimate_errors = false;  // the reduction estimates those of the whole
  options.variant.refine = false;   // the core pair has rounding errors of the reduction
  if (options.tangent) options.tangent->refine = false;
  const Index l = result.l, q = reduction.a23().rows;
  if (as_eigen(reduction.a23()).isZero(0)) return set_zero_core(reduction, result);
  const Matrix<T> F = padded(reduction.a23(), l);
  try {
    solve<T>(F, reduction.b13(), options, false, result);
  } catch (const InputError& refusal) {
    if (options.tangent) throw;
    result.core_fallback = refusal.what();
    AnyGsvdOptions other = options;
    other.tangent.emplace();
    solve<T>(F, reduction.b13(), other, false, result);
  }
  if (result.status == Status::failed) return;
  if (std::ranges::count(result.sigma_g, 0.0) > 0)
    throw InputError("the pair: a rank of G of " + std::to_string(l) +
                     " leaves a singular core pair; give a larger tolerance for G");
  remove_padding(q, result);
}

template <class T>
void solve_by_reduction(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options,
                        AnyGsvdResult<T>& result) {
  const double seconds = result.compute_seconds;
  const Timer timer;
  const auto reduction = any::reduce<T>(F, G, options);
  reduction->describe(result);
  solve_core(*reduction, options, result);
  if (result.status != Status::failed) {
    reduction->expand(result);
    complete_columns<T>(result.U, options.threads);
    complete_columns<T>(result.V, options.threads);
  }
  if (options.tangent ? options.tangent->refine : options.variant.refine)
    refine_option::refuse("the pair was reduced to a core pair, with rounding errors", result);
  result.compute_seconds = seconds + timer.seconds();
}

/// Returns whether columns of A are of sizes so different that elements of Z may underflow.
template <class T>
bool has_wide_columns(MatrixView<const T> A, int threads) {
  constexpr int wide = 900, none = std::numeric_limits<int>::min();
  int least = std::numeric_limits<int>::max(), largest = none;
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : largest)
  for (Index j = 0; j < A.cols; ++j)
    if (const int e = gsvd_detail::exponent_of_column<T>(A.col(j)); e != none)
      least = std::min(least, e), largest = std::max(largest, e);
  return largest > least && largest - least > wide;
}

template <class T, class Property>
bool all_elements(const Matrix<T>& A, int threads, const Property& have) {
  bool all = true;
#pragma omp parallel for num_threads(threads) reduction(&& : all)
  for (Index j = 0; j < A.cols(); ++j) all = std::ranges::all_of(A.view().col(j), have) && all;
  return all;
}

/// Returns whether elements of Z that underflow may matter beside the others of their column in A·Z.
template <class T>
bool may_underflow(MatrixView<const T> A, const Matrix<T>& Z) {
  constexpr int subnormal = std::numeric_limits<double>::min_exponent - 1, digits = 60,
                none = std::numeric_limits<int>::min();
  std::vector<int> exponents;
  for (Index i = 0; i < A.cols; ++i) exponents.push_back(gsvd_detail::exponent_of_column<T>(A.col(i)));
  for (Index j = 0; j < Z.cols(); ++j) {
    int largest = none, lost = none;
    for (Index i = 0; i < A.cols; ++i)
      if (const int e = exponents[static_cast<std::size_t>(i)]; e != none) {
        const double z = detail::largest_part(Z(i, j));
        if (z != 0) largest = std::max(largest, e + exponent_of(z));
        if (z < std::numeric_limits<double>::min()) lost = std::max(lost, e + subnormal);
      }
    if (lost != none && lost > largest - digits) return true;
  }
  return false;
}

/// Returns whether A·Z = W·Σ does not hold to working precision; after a reduction, which mixes columns, to half of it.
template <class T>
bool is_lost(MatrixView<const T> A, const Matrix<T>& W, const std::vector<double>& sigma,
             const AnyGsvdResult<T>& result, int threads) {
  const double rounding = 10 * std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(A.rows, A.cols)),
               tolerance = result.reduced ? 1e-8 : rounding;
  return !(gsvd_detail::backward_error<T>(A, W, sigma, result.Z, threads) <= tolerance);
}

/// Throws InputError if elements of Z, X or R leave the range of double, and names a remedy.
template <class T>
void require_range(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options,
                   const AnyGsvdResult<T>& result) {
  const int threads = thread_count(options.threads);
  const auto is_finite = [&](const Matrix<T>& A) {
    return all_elements(A, threads, [](const T& x) { return std::isfinite(detail::largest_part(x)); });
  };
  if (!is_finite(result.Z) || !is_finite(result.X) || !is_finite(result.R)) {
    const double largest = std::max(largest_part(F, threads), largest_part(G, threads));
    throw InputError("the pair: elements of Z or R exceed the range of double; multiply F and G by 2^" +
                     std::to_string(-exponent_of(largest)) + ", which does not change sigma");
  }
  const auto is_suspicious = [&](MatrixView<const T> A) {
    return has_wide_columns(A, threads) || may_underflow(A, result.Z);
  };
  if (result.status == Status::passed && (is_suspicious(F) || is_suspicious(G)) &&
      (is_lost(F, result.U, result.sigma_f, result, threads) || is_lost(G, result.V, result.sigma_g, result, threads)))
    throw InputError(
        "the pair: elements of Z leave the range of double; multiply columns of F and G by powers of two that make "
        "them of similar size, which does not change sigma if they are the same for F and G");
}

template <class T>
AnyGsvdResult<T> solve_automatically(MatrixView<const T> F, MatrixView<const T> G, AnyGsvdOptions options) {
  options.automatic = false;
  options.hari_zimmermann_fallback = true;
  options.tangent = automatic_variant(options.backend);
  std::string reason;
  try {
    return gsvd_any<T>(F, G, options);
  } catch (const NotSupported& error) {
    reason = error.what();
  } catch (const std::bad_alloc&) {
    reason = "the memory does not suffice for tangent reduction";
  }
  options.tangent.reset();
  AnyGsvdResult<T> result = gsvd_any<T>(F, G, options);
  result.fallback = TangentFallback::hari_zimmermann;
  result.fallback_reason = reason;
  return result;
}

}  // namespace

TangentVariant automatic_variant(Backend backend) {
  return {.qr = backend == Backend::cuda ? TangentQr::sorted : TangentQr::pivoted};
}

template <class T>
AnyGsvdResult<T> gsvd_any(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options) {
  if (options.automatic) return solve_automatically(F, G, options);
  check_input(F, G, options);
  AnyGsvdResult<T> result;
  const bool is_solvable = F.cols > 0 && F.rows > 0 && G.rows >= F.cols && !options.tolerance_f && !options.tolerance_g;
  if (!is_solvable || !solve_scaled(F, G, options, result)) solve_by_reduction(F, G, options, result);
  require_range(F, G, options, result);
  return result;
}

using Complex = std::complex<double>;
template AnyGsvdResult<double> gsvd_any(MatrixView<const double>, MatrixView<const double>, const AnyGsvdOptions&);
template AnyGsvdResult<Complex> gsvd_any(MatrixView<const Complex>, MatrixView<const Complex>, const AnyGsvdOptions&);

}  // namespace pivotlab
