// The input of the generalized hyperbolic SVD: checks, and scaling by powers of two, which rounds nothing.
#pragma once

#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/rank.hpp"
#include "kernels/jacobi/shared/problem.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <pivotlab/ghsvd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::jacobi {

/// Throws InputError for options out of range.
inline HsvdOptions checked_sweep_options(const GhsvdOptions& options) {
  pivotlab::require_valid(options.variant);
  HsvdOptions sweeps{.variant = options.variant.sweeps,
                     .backend = options.backend,
                     .compute_v = true,
                     .max_sweeps = options.max_sweeps,
                     .max_inner_sweeps = options.max_inner_sweeps,
                     .threads = options.threads};
  require_valid(sweeps);
  return sweeps;
}

/// (2^exponent·F·S, G·S) with S = diag(2^columns[j]): the largest elements of all columns of G and of F are about 1.
template <class T>
struct ScaledPair {
  Matrix<T> F, G;
  PairScaling scaling;

  /// Checks (F, G; J).
  ScaledPair(MatrixView<const T> F_given, MatrixView<const T> G_given, const std::vector<int>& J, int threads)
      : F(F_given), G(G_given) {
    require_pair(F_given, G_given, J);
    const auto f = detail::largest_parts(F_given, 'F', threads), g = detail::largest_parts(G_given, 'G', threads);
    find_scaling(f, g);
    int largest = std::numeric_limits<int>::min();
    for (std::size_t j = 0; j < g.size(); ++j) {
      scaling.columns.push_back(-exponent_of(g[j]));
      if (f[j] > RealOf<T>(0)) largest = std::max(largest, exponent_of(f[j]) - exponent_of(g[j]));
    }
    if (largest > std::numeric_limits<int>::min()) scaling.f = -largest;
    apply_scaling<T>(scaling, F, G);
  }
};

/// Stores eigenvalue, singular values and judgement of the next column, with σ = ‖F·z‖_J of the scaled pair and sign 0
/// for σ = 0, and returns the factor that makes the column of Z for σ_G = 1 that for σ_F² + σ_G² = 1.
template <class T>
RealOf<T> store_value(int sign, const RealOf<T>& scaled_sigma, const RealOf<T>& estimate, int exponent,
                      GhsvdResult<T>& result) {
  using R = RealOf<T>;
  const R sigma = sign == 0 ? R(0) : times_power_of_two(scaled_sigma, -exponent), lambda = R(sign) * sigma * sigma;
  const R length = detail::hypotenuse(sigma < R(1) ? sigma : R(1), sigma < R(1) ? R(1) : sigma);
  (sign > 0 ? result.inertia.positive : sign < 0 ? result.inertia.negative : result.inertia.zero) += 1;
  result.eigenvalues.push_back(lambda);
  result.J.push_back(sign);
  result.sigma_f.push_back(sigma / length);
  result.sigma_g.push_back(R(1) / length);
  result.estimate.push_back(sign == 0 ? R(1) : std::min(R(1), estimate));
  result.noise.push_back(R(10) * result.estimate.back() >= R(1));
  return result.sigma_g.back();
}

/// Returns whether a column of V = G·Z consists of rounding errors only.
template <class T>
bool is_deficient(const ScaledPair<T>& pair, const Matrix<T>& V, const Matrix<T>& Z) {
  const std::vector<RealOf<T>> ones(static_cast<std::size_t>(Z.cols()), RealOf<T>(1));
  return count_deficient<T>(RoundingNoise<T>(pair.G.view()), V.view(), Z.view(), ones) > 0;
}

/// Returns the result for a G of n columns that are dependent.
template <class T>
GhsvdResult<T> deficient(Index n) {
  GhsvdResult<T> result;
  result.message = describe_deficiency(n);
  return result;
}

/// Returns 0, 1, … in ascending order of keys.
template <class R>
std::vector<Index> ascending(const std::vector<R>& keys) {
  std::vector<Index> order(keys.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::stable_sort(order, {}, [&](Index j) { return keys[static_cast<std::size_t>(j)]; });
  return order;
}

}  // namespace pivotlab::jacobi
