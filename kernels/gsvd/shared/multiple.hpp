// SPDX-License-Identifier: BSD-3-Clause
// Pairs with FᴴF = c²·GᴴG, as F = c·G: all σ are equal. Then the pivot pairs of the Hari–Zimmermann method do not
// determine their transformations, rounding errors do, and columns of G become orthogonal only linearly. Rows of F with
// different weights D separate the σ:
//
//   D·F·Z₁ = U₁·S₁,  G·Z₁ = V₁·T₁;   the pair (D⁻¹·U₁·S₁·T₁⁻¹, V₁) = (F, G)·Z₁·T₁⁻¹ needs only rotations within equal
//   σ.
#pragma once

#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/transformation.hpp"
#include "kernels/gsvd/shared/weights.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <pivotlab/gsvd.hpp>
#include <type_traits>
#include <utility>

namespace pivotlab {
namespace gsvd_detail {

/// Computes x_iᴴx_j, for doubles in long double, whose range suffices for every product.
template <class T>
auto inner_product(MatrixView<const T> X, Index i, Index j) {
  using R = std::conditional_t<std::is_same_v<RealOf<T>, double>, long double, RealOf<T>>;
  R re(0), im(0);
  for (Index k = 0; k < X.rows; ++k) {
    const R ar(real_part(X(k, i))), br(real_part(X(k, j)));
    re += ar * br;
    if constexpr (is_complex<T>) {
      const R ai(X(k, i).imag()), bi(X(k, j).imag());
      re += ai * bi, im += ar * bi - ai * br;
    }
  }
  return std::pair{re, im};
}

/// Returns whether the norms of columns of F, and the inner products of neighbours, are those of G times one number up
/// to rounding errors. Orthogonal neighbours alone do not count: such pairs converge at once.
template <class T>
bool is_multiple(MatrixView<const T> F, MatrixView<const T> G) {
  using std::sqrt;
  const Index n = G.cols;
  if (n < 2 || F.cols != n || F.rows < n || G.rows < n) return false;
  const auto f0 = inner_product(F, 0, 0).first, g0 = inner_product(G, 0, 0).first;
  using R = std::decay_t<decltype(g0)>;
  const R tolerance = R(static_cast<double>(F.rows + G.rows)) * R(std::numeric_limits<RealOf<T>>::epsilon());
  const auto agrees = [&](Index i, Index j, const R& size) {
    const auto [f_re, f_im] = inner_product(F, i, j);
    const auto [g_re, g_im] = inner_product(G, i, j);
    const R limit = tolerance * f0 * size;
    return absolute(R(f_re * g0 - g_re * f0)) <= limit && absolute(R(f_im * g0 - g_im * f0)) <= limit;
  };
  const auto is_positive = [](const R& x) { return x > R(0) && x <= std::numeric_limits<R>::max(); };
  if (!is_positive(f0) || !is_positive(g0)) return false;
  R before = g0;
  bool orthogonal = true;
  for (Index j = 1; j < n; ++j) {
    const R size = inner_product(G, j, j).first;
    const R product = R(sqrt(before) * sqrt(size));
    if (!agrees(j, j, size) || !agrees(j - 1, j, product)) return false;
    const auto [re, im] = inner_product(G, j - 1, j);
    orthogonal = orthogonal && absolute(re) + absolute(im) <= tolerance * product;
    before = size;
  }
  return !orthogonal;
}

}  // namespace gsvd_detail

/// Computes the GSVD of a pair with is_multiple(F, G). `solve` computes that of a pair by an iteration.
template <class T, class Solve>
GsvdResult<T> gsvd_of_multiple(MatrixView<const T> F, MatrixView<const T> G, GsvdOptions options, const Solve& solve) {
  using R = RealOf<T>;
  const bool compute_x = std::exchange(options.compute_x, false);
  const Index n = G.cols;
  const int threads = thread_count(options.threads);
  const int of_f = exponent_of(std::ranges::max(detail::largest_parts<T>(F, 'F', threads))),
            of_g = exponent_of(std::ranges::max(detail::largest_parts<T>(G, 'G', threads)));
  // F becomes large or small, too, if G is, so that the first σ do not leave the range.
  constexpr int extreme = std::numeric_limits<R>::max_exponent / 4;
  const int exponent = std::abs(of_g) > extreme ? of_f - std::clamp(of_g, -2 * extreme, 2 * extreme) : of_f;
  Matrix<T> weighted(F);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < F.rows; ++i)
      weighted(i, j) = times_power_of_two(weighted(i, j), -exponent) * gsvd_detail::weight<R>(i);
  GsvdResult<T> first = solve(weighted.view(), G, options);

  // The first σ is a common factor, which may be near the end of the range.
  const R largest = first.sigma[0], common = times_power_of_two(largest, exponent);
  if (!(common > R(0) && common <= std::numeric_limits<R>::max())) throw sigma_beyond_range();
  for (Index j = 0; j < n; ++j) {
    const R ratio = first.sigma[j] / largest;
    for (Index i = 0; i < F.rows; ++i) first.U(i, j) = first.U(i, j) * R(ratio / gsvd_detail::weight<R>(i));
    for (T& z : first.Z.col(j)) z *= R(1) / first.sigma_g[j];
  }
  GsvdResult<T> result = solve(first.U.view(), first.V.view(), options);
  const Matrix<T> Z2 = std::move(result.Z);
  result.Z = Matrix<T>(n, n);
  multiply(result.Z.view(), first.Z, Z2);
  for (Index j = 0; j < n; ++j) {
    result.sigma[j] *= common;
    const R theta = R(1) / detail::hypotenuse(R(result.sigma_f[j] * common), result.sigma_g[j]);
    result.sigma_f[j] *= common * theta, result.sigma_g[j] *= theta;
    for (T& z : result.Z.col(j)) z *= theta;
  }
  result.compute_seconds += first.compute_seconds;
  result.sweeps.insert(result.sweeps.begin(), first.sweeps.begin(), first.sweeps.end());
  // Rotations of columns that are orthogonal up to rounding errors need not end.
  const auto [least, most] = std::ranges::minmax(result.sigma);
  const bool are_equal = most - least <= square_root(std::numeric_limits<R>::epsilon()) * most;
  const bool converged = first.status == Status::passed && (result.status == Status::passed || are_equal);
  judge_convergence(converged, options, result);
  if (converged) result.message.clear();
  if (compute_x) result.X = inverse_of_z<T>(F, G, result.U, result.V, result);
  return result;
}

}  // namespace pivotlab
