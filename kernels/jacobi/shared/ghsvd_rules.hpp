// SPDX-License-Identifier: BSD-3-Clause
// Rules of the generalized hyperbolic SVD by tangent reduction that host and device follow. This header is plain C++,
// which a device compiler also reads.
#pragma once

#include "kernels/numerics/complex_arithmetic.hpp"

#include <limits>
#include <pivotlab/matrix.hpp>

namespace pivotlab::jacobi {

/// Returns whether an element of X = G_T·W·Σ⁻¹ is taken from G_T⁻*·J'·W·J'·Σ, which is the same matrix: its errors are
/// about ε in the first form and ε·σ/‖row of G_T‖ in the second one. Otherwise B·x = u·σ would not hold where columns
/// of B are much longer than σ.
template <class R>
PIVOTLAB_DEVICE inline bool is_more_accurate_by_inverse(const R& row_norm, const R& sigma) {
  constexpr int much_longer = 256;
  return R(row_norm / R(much_longer)) > sigma && sigma > R(0);
}

/// Returns element (i, j) of the C for which U − U·C is J-orthogonal: one step of the Gram–Schmidt process from the
/// largest σ to the smallest. `product` is element (i, j) of U*JU and `sign` that of J' for row i; errors up to `noise`
/// are those of the product. Columns of small σ take the corrections: they do not harm F·z = u·σ_F, because |F|·|z| is
/// much larger than σ_F there.
template <class T>
PIVOTLAB_DEVICE inline T orthogonality_correction(const T& product, Index i, Index j, const RealOf<T>& sign,
                                                  const RealOf<T>& sigma_i, const RealOf<T>& sigma_j,
                                                  const RealOf<T>& noise) {
  using R = RealOf<T>;
  const bool is_before = sigma_i > sigma_j || (!(sigma_i < sigma_j) && i < j);
  if (i != j && !is_before) return T(R(0));
  T error = multiply(product, T(sign));
  if (i == j) error = multiply(sum(error, T(R(-1))), T(R(0.5)));
  bool is_error = absolute(real_part(error)) > noise;
  if constexpr (is_complex<T>) is_error |= absolute(R(error.imag())) > noise;
  return is_error ? error : T(R(0));
}

/// Returns the errors of products u_i*·J·u_j relative to ‖u_i‖·‖u_j‖, for m rows.
template <class R>
R product_noise(Index m) {
  return R(4) * std::numeric_limits<R>::epsilon() * square_root(R(static_cast<double>(m)));
}

}  // namespace pivotlab::jacobi
