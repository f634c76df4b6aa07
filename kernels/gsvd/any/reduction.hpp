// SPDX-License-Identifier: BSD-3-Clause
// Reduction of a pair to its core pair, and the way back. It needs LAPACK.
#pragma once

#include "kernels/gsvd/shared/pair.hpp"

#include <cmath>
#include <pivotlab/gsvd_any.hpp>

#include <memory>

namespace pivotlab::any {

/// With W = S·[N P₁], S a diagonal scaling of columns by powers of two, G·S·N = 0, P₁ l columns of a permutation:
///
///   2^f·Uᴴ·F·W = [0 A₁₂ A₁₃; 0 0 A₂₃; 0 0 0],   2^g·Vᴴ·G·W = [0 0 B₁₃; 0 0 0],
///
/// A₁₂ (k × k) and B₁₃ (l × l) upper triangular and nonsingular, A₂₃ q × l, q ≤ min(m_F − k, l). Zero σ for which the
/// rank of F accounts are left out of A₂₃ by its number of rows.
template <class T>
class Reduction {
 public:
  virtual ~Reduction() = default;
  virtual MatrixView<const T> a23() const = 0;
  virtual MatrixView<const T> b13() const = 0;
  /// Sets k, l, r, tolerances, pivots.
  virtual void describe(AnyGsvdResult<T>& result) const = 0;
  /// Replaces the factors of the core pair, U (q × l), V, Z (l × l) and its l values, by those of the pair, and sets R
  /// and Q. Columns of U and V of zero values are zero.
  virtual void expand(AnyGsvdResult<T>& result) const = 0;
};

/// Reduces a finite pair.
template <class T>
std::unique_ptr<Reduction<T>> reduce(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options);

/// factor·2^exponent
struct ScaledFactor {
  double factor = 1;
  int exponent = 0;
};

/// Replaces σ, σ_F, σ_G of the pair (2^f·F, 2^g·G) by those of (F, G), and returns what its column z is multiplied by.
/// Throws InputError if σ leaves the range of normal numbers.
inline ScaledFactor unscale(int f, int g, double& sigma, double& sigma_f, double& sigma_g) {
  if (sigma_g == 0) return {1, f};
  if (f == g || sigma_f == 0) return {1, g};
  const double scaled_f = sigma_f, scaled_g = sigma_g;
  sigma = std::ldexp(sigma, g - f);
  if (!std::isnormal(sigma)) throw sigma_beyond_range();
  const double hypotenuse = std::hypot(1.0, sigma);
  sigma_f = sigma / hypotenuse;
  sigma_g = 1 / hypotenuse;
  return scaled_g >= scaled_f ? ScaledFactor{sigma_g / scaled_g, g} : ScaledFactor{sigma_f / scaled_f, f};
}

/// Sets R and Q with X = [0 R]·Qᴴ, r × n; leaves them empty in a build without LAPACK.
template <class T>
void set_r_and_q(MatrixView<const T> X, AnyGsvdResult<T>& result);

}  // namespace pivotlab::any
