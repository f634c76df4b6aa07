// SPDX-License-Identifier: BSD-3-Clause
// The input of the generalized hyperbolic SVD: checks, and scaling by powers of two, which rounds nothing.
#pragma once

#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/jacobi/shared/ghsvd_values.hpp"
#include "kernels/jacobi/shared/problem.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <pivotlab/ghsvd.hpp>
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

/// Throws InputError for (F, G; J) that cannot be decomposed. Returns the largest parts of the columns of F and G.
template <class T>
std::array<std::vector<RealOf<T>>, 2> checked_parts(MatrixView<const T> F, MatrixView<const T> G,
                                                    const std::vector<int>& J, int threads) {
  require_pair(F, G, J);
  std::array parts{detail::largest_parts(F, 'F', threads), detail::largest_parts(G, 'G', threads)};
  find_scaling(parts[0], parts[1]);
  return parts;
}

/// (2^exponent·F·S, G·S) with S = diag(2^columns[j]): the largest elements of all columns of G and of F are about 1.
template <class T>
struct ScaledPair {
  Matrix<T> F, G;
  PairScaling scaling;

  /// Checks (F, G; J).
  ScaledPair(MatrixView<const T> F_given, MatrixView<const T> G_given, const std::vector<int>& J, int threads)
      : F(F_given), G(G_given) {
    const auto [f, g] = checked_parts(F_given, G_given, J, threads);
    int largest = std::numeric_limits<int>::min();
    for (std::size_t j = 0; j < g.size(); ++j) {
      scaling.columns.push_back(-exponent_of(g[j]));
      if (f[j] > RealOf<T>(0)) largest = std::max(largest, exponent_of(f[j]) - exponent_of(g[j]));
    }
    if (largest > std::numeric_limits<int>::min()) scaling.f = -largest;
    apply_scaling<T>(scaling, F, G);
  }
};

/// Returns whether a column of V = G·Z consists of rounding errors only.
template <class T>
bool is_deficient(const ScaledPair<T>& pair, const Matrix<T>& V, const Matrix<T>& Z, int threads) {
  const std::vector<RealOf<T>> ones(Z.cols(), RealOf<T>(1));
  return count_deficient<T>(RoundingNoise<T>(pair.G.view(), threads), V.view(), Z.view(), ones, threads) > 0;
}

/// The same for V = Q·X from a factorization G = Q·R by Householder reflectors with sorted rows. The errors of an
/// element are relative to the largest elements of its row and its column of G, and not to the elements between (Cox &
/// Higham, "Stability of Householder QR factorization for weighted least squares problems", 1998).
template <class T>
bool is_deficient_after_qr(const ScaledPair<T>& pair, const Matrix<T>& V, const Matrix<T>& Z) {
  const RoundingNoise<T> noise(pair.G.view());
  for (Index j = 0; j < V.cols(); ++j)
    if (noise.may_contain(V.col(j), RealOf<T>(1), Z.col(j))) return true;
  return false;
}

/// Returns the result for a G of n columns that are dependent.
template <class T>
GhsvdResult<T> deficient(Index n) {
  return {values_of_deficient<RealOf<T>>(n), {}, {}, {}};
}

}  // namespace pivotlab::jacobi
