// The GSVD of any pair: as it is where a solver takes it, otherwise by reduction to a core pair.
#include <pivotlab/gsvd_any.hpp>

#include "kernels/gsvd/any/reduction.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/numerics/parts.hpp"
#include "support/timer.hpp"

#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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
  if (options.tangent)
    static_cast<TangentResult<T>&>(result) = solve_by_tangent<T>(F, G, *options.tangent, options, compute_x);
  else
    static_cast<GsvdResult<T>&>(result) = gsvd<T>(
        F, G,
        {.variant = options.variant, .backend = options.backend, .compute_x = compute_x, .threads = options.threads});
}

template <class T>
double norm_from(std::span<const T> column, Index row) {
  double squares = 0;
  for (const T& x : column.subspan(static_cast<std::size_t>(row))) squares += std::norm(x);
  return std::sqrt(squares);
}

/// Makes σ_F,j an exact zero with a zero column of U.
template <class T>
void vanish(Index j, AnyGsvdResult<T>& result) {
  const auto at = static_cast<std::size_t>(j);
  const double sigma_g = result.sigma_g[at];
  for (T& x : result.Z.col(j)) x /= sigma_g;
  for (Index i = 0; i < result.X.cols(); ++i) result.X(j, i) *= sigma_g;
  std::ranges::fill(result.U.col(j), T(0));
  result.sigma_f[at] = result.sigma[at] = 0;
  result.sigma_g[at] = 1;
  if (!result.sigma_error.empty()) result.sigma_error[at] = std::numeric_limits<double>::infinity();
}

/// Takes the rows of padding from U. Not more columns than the other rows have σ ≠ 0.
template <class T>
void remove_padding(Index rows, AnyGsvdResult<T>& result) {
  if (result.U.rows() == rows) return;
  for (Index j = 0; j < result.U.cols(); ++j)
    if (j >= rows || result.sigma_f[static_cast<std::size_t>(j)] == 0 ||
        norm_from<T>(result.U.col(j), rows) > padding_tolerance)
      vanish(j, result);
  result.U = Matrix<T>(MatrixView<const T>(result.U).block(0, 0, rows, result.U.cols()));
}

/// Judges the rank of G from the decomposition, componentwise, as gsvd() does.
template <class T>
bool has_full_rank(MatrixView<const T> G, const AnyGsvdResult<T>& result, int threads) {
  return std::ranges::count(result.sigma_g, 0.0) == 0 &&
         count_deficient<T>(RoundingNoise<T>(G), result.V, result.Z, result.sigma_g, threads) == 0;
}

/// Decomposes a pair with m_G ≥ n ≥ 1 by the solver alone. Returns false if G does not have full rank or the solver
/// fails.
template <class T>
bool solve_as_given(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options,
                    AnyGsvdResult<T>& result) {
  const Matrix<T> filled = F.rows < F.cols ? padded(F, F.cols) : Matrix<T>();
  const Timer timer;
  try {
    solve<T>(F.rows < F.cols ? filled.view() : F, G, options, options.compute_x, result);
  } catch (const InputError&) {  // what else may be wrong with the input has been checked before
    result.compute_seconds = timer.seconds();
    return false;
  }
  if (options.tangent &&
      (result.status == Status::failed || !has_full_rank(G, result, thread_count(options.threads)))) {
    const double seconds = result.compute_seconds;
    result = {};
    result.compute_seconds = seconds;
    return false;
  }
  result.l = result.r = F.cols;
  if (F.rows < F.cols) {
    remove_padding(F.rows, result);
    complete_columns<T>(result.U, options.threads);
  }
  if (options.compute_x) any::set_r_and_q<T>(result.X, result);
  return true;
}

/// Sets the factors of a core pair with A₂₃ = 0: V = I and Z = B₁₃⁻¹.
template <class T>
void set_zero_core(const any::Reduction<T>& reduction, AnyGsvdResult<T>& result) {
  const Index l = result.l;
  const auto count = static_cast<std::size_t>(l);
  result.U = Matrix<T>(reduction.a23().rows, l);
  result.V = Matrix<T>::identity(l);
  result.Z = Matrix<T>::identity(l);
  as_eigen(reduction.b13()).template triangularView<Eigen::Upper>().solveInPlace(as_eigen(result.Z.view()));
  result.sigma_f.assign(count, 0), result.sigma.assign(count, 0);
  result.sigma_g.assign(count, 1);
  result.status = Status::passed;
}

template <class T>
void solve_core(const any::Reduction<T>& reduction, const AnyGsvdOptions& options, AnyGsvdResult<T>& result) {
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
  result.compute_seconds = seconds + timer.seconds();
}

}  // namespace

template <class T>
AnyGsvdResult<T> gsvd_any(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options) {
  check_input(F, G, options);
  AnyGsvdResult<T> result;
  const bool is_solvable = F.cols > 0 && F.rows > 0 && G.rows >= F.cols && !options.tolerance_f && !options.tolerance_g;
  if (!is_solvable || !solve_as_given(F, G, options, result)) solve_by_reduction(F, G, options, result);
  return result;
}

using Complex = std::complex<double>;
template AnyGsvdResult<double> gsvd_any(MatrixView<const double>, MatrixView<const double>, const AnyGsvdOptions&);
template AnyGsvdResult<Complex> gsvd_any(MatrixView<const Complex>, MatrixView<const Complex>, const AnyGsvdOptions&);

}  // namespace pivotlab
