// SPDX-License-Identifier: BSD-3-Clause
// Steps of all backends before and after the elimination: scaling, the tolerance for zeros, rank, inertia.
#pragma once

#include "kernels/ldlt/shared/block.hpp"
#include "kernels/ldlt/shared/butterfly.hpp"
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "kernels/ldlt/shared/input.hpp"
#include "kernels/ldlt/shared/scaled_rank.hpp"
#include "kernels/ldlt/shared/unsearched.hpp"

#include <optional>

namespace pivotlab::ldlt_detail {

inline void require_valid(const LdltOptions& options) {
  pivotlab::require_valid(options.variant);
  const double tolerance = options.rank_tolerance.value_or(0);
  if (!(0 <= tolerance && tolerance < 1))
    throw InputError("option rank_tolerance: " + text_of(tolerance) + " is not in [0, 1); it is relative to max|A|");
}

/// Calls a function with the symmetry as a compile-time constant; a real matrix is Hermitian.
template <class T, class Function>
auto with_symmetry(Symmetry symmetry, const Function& function) {
  if constexpr (is_complex<T>)
    if (symmetry == Symmetry::symmetric) return function(std::false_type());
  return function(std::true_type());
}

/// Stores the options in f, and size and tolerance of a matrix with this largest element that was multiplied by
/// 2^exponent.
template <class T>
void note_size(const RealOf<T>& largest, int exponent, const LdltOptions& options, LdltFactorization<T>& f) {
  using R = RealOf<T>;
  f.variant = options.variant;
  f.symmetry = options.symmetry;
  f.largest_element = times_power_of_two(largest, exponent);
  f.tolerance = R(options.rank_tolerance.value_or(0)) * f.largest_element;
}

/// Equilibrates the matrix if the options select it, scales extreme elements to about 1, and stores its size and the
/// tolerance in f. Throws InputError for an element that is not finite.
template <class T, class Storage>
Prepared<RealOf<T>> prepare(Storage& a, const LdltOptions& options, LdltFactorization<T>& f) {
  using R = RealOf<T>;
  std::optional<R> given;
  if (options.variant.equilibrate) {
    require_finite(a, options.threads);
    if (options.variant.pivoting == Pivoting::none) {
      const Norms<R> norms = norms_of<T>(a, options.threads);
      given = is_finite(norms.infinity) ? norms.infinity : norms.largest;
    }
    f.scaling = equilibrating_exponents<T>(a, options.threads);
    f.scaling_error = scale_symmetrically<T>(a, f.scaling, options.threads);
  }
  const Norms<R> norms = norms_of<T>(a, options.threads);
  if (!is_finite(norms.infinity)) require_finite(a, options.threads);
  const int exponent = scaling_exponent(norms.largest);
  f.norm_inf = norms.infinity;
  if (exponent != 0) {
    f.scaling_error += scale_symmetrically<T>(a, std::vector<int>(a.order(), exponent / 2));
    f.norm_inf = norms_of<T>(a, options.threads).infinity;
  }
  note_size(norms.largest, exponent, options, f);
  return {exponent, given ? times_power_of_two(*given, exponent) : f.norm_inf};
}

/// Returns the butterfly of a variant; the identity, without elements, of one that searches.
template <class R>
Matrix<R> butterfly_of(Index order, const LdltVariant& variant) {
  return random_butterfly<R>(order, variant.pivoting == Pivoting::none ? variant.depth : 0);
}

/// Without a search, replaces a prepared triangle by Uᵀ·A·U with the butterfly U that the options select.
template <bool hermitian, class T, class Storage>
void mix(Storage& a, const LdltOptions& options, LdltFactorization<T>& f) {
  f.butterfly = butterfly_of<RealOf<T>>(a.order(), options.variant);
  transform_by_butterfly<hermitian>(f.butterfly, true, a, options.threads);
}

/// Returns the largest off-diagonal |m_ij|.
template <class T>
RealOf<T> largest_multiplier(const Matrix<T>& M, int threads) {
  using R = RealOf<T>;
  std::vector<R> of_columns(M.cols());
#pragma omp parallel for num_threads(threads_for(M.cols(), threads)) schedule(dynamic, 16)
  for (Index j = 0; j < M.cols(); ++j) of_columns[j] = largest_magnitude(&M(j, j) + 1, M.rows() - j - 1);
  return of_columns.empty() ? R(0) : *std::max_element(of_columns.begin(), of_columns.end());
}

/// Applies the noise test if the user gives no tolerance, and computes rank, inertia and the condition numbers of the
/// pivots.
template <bool hermitian, class T>
void judge(const LdltOptions& options, LdltFactorization<T>& f) {
  using R = RealOf<T>;
  if (!options.rank_tolerance) clear_noise_pivots(f, options.threads);
  // Complete pivoting has already compared the reduced matrix with the tolerance; earlier pivots are not zero.
  const R zero = f.variant.pivoting == Pivoting::complete ? R(0) : f.tolerance;
  constexpr bool has_inertia = hermitian || !is_complex<T>;
  for (LdltStage<R>& stage : f.stages) {
    const Index k = stage.first;
    if (stage.size == 1) {
      const bool counts = modulus(f.diagonal[k]) > zero;
      f.rank += counts;
      if (has_inertia) (real_part(f.diagonal[k]) > R(0) ? f.inertia.positive : f.inertia.negative) += counts;
      continue;
    }
    const Block<T> block{f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1]};
    const auto [larger, smaller] = sizes_of<hermitian>(block);
    stage.condition = larger / smaller;
    // |a·c| < |b|²: there is an eigenvalue of each sign, also where the smaller one underflows.
    const auto counts = [&](const R& size) { return zero == R(0) || size > zero; };
    f.rank += counts(larger) + counts(smaller);
    if constexpr (has_inertia) {
      const HermitianSpectrum<T> spectrum(block);
      f.inertia.positive += counts(spectrum.positive);
      f.inertia.negative += counts(-spectrum.negative);
    }
  }
  if (has_inertia) f.inertia.zero = std::ssize(f.diagonal) - f.rank;
}

/// Undoes the scaling by an even exponent. If D would underflow or overflow, the factors remain those of the scaled
/// matrix, which f.scaling states.
template <class T>
void undo_scaling(int exponent, LdltFactorization<T>& f) {
  using R = RealOf<T>;
  if (exponent == 0) return;
  const auto survives = [&](const T& x) { return times_power_of_two(times_power_of_two(x, -exponent), exponent) == x; };
  if (!std::ranges::all_of(f.diagonal, survives) || !std::ranges::all_of(f.subdiagonal, survives)) {
    f.scaling.assign(f.diagonal.size(), exponent / 2);
    return;
  }
  for (auto* part : {&f.diagonal, &f.subdiagonal})
    for (T& x : *part) x = times_power_of_two(x, -exponent);
  for (R* size : {&f.largest_element, &f.norm_inf, &f.tolerance, &f.remainder, &f.scaling_error})
    *size = times_power_of_two(*size, -exponent);
}

}  // namespace pivotlab::ldlt_detail
