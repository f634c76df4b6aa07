// SPDX-License-Identifier: BSD-3-Clause
// The spectrum of a 2×2 block of D. Algorithms 2–4 choose blocks with |a·c| < |b|²: the determinant does not cancel,
// and a Hermitian block has one positive and one negative eigenvalue.
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"

#include <array>
#include <utility>

namespace pivotlab::ldlt_detail {

/// Returns the singular values σ₁ ≥ σ₂ of a complex symmetric block with b ≠ 0.
template <class T>
std::pair<RealOf<T>, RealOf<T>> singular_values(const Block<T>& P) {
  using R = RealOf<T>;
  const R scale = absolute(P.b);
  const T a = P.a / scale, b = P.b / scale, c = P.c / scale;
  const R det = absolute(T(multiply(a, c) - multiply(b, b)));
  const R sum = squared_magnitude(a) + R(2) * squared_magnitude(b) + squared_magnitude(c);
  const R difference = std::max<R>(R(0), (sum - R(2) * det) * (sum + R(2) * det));  // square of the difference of σ₁²
                                                                                    // and σ₂²
  const R first = square_root<R>((sum + square_root<R>(difference)) / R(2));
  return {first * scale, det / first * scale};
}

/// A Hermitian block: P = Q·diag(positive, negative)·Qᴴ.
template <class T>
struct HermitianSpectrum {
  using R = RealOf<T>;
  R positive, negative;
  std::array<std::array<T, 2>, 2> Q;  ///< Q[i][j], row i, column j

  explicit HermitianSpectrum(const Block<T>& P) {
    const R size = absolute(P.b), a = real_part(P.a) / size, c = real_part(P.c) / size;
    const T phase = P.b / size;
    const R trace = a + c, half_difference = (c - a) / R(2);
    const R root = square_root<R>(half_difference * half_difference + R(1));  // of a block with |b| = 1
    const R larger = trace < R(0) ? trace / R(2) - root : trace / R(2) + root;
    const R smaller = fused(a, c, R(-1)) / larger;
    positive = (trace < R(0) ? smaller : larger) * size;
    negative = (trace < R(0) ? larger : smaller) * size;
    // This is the Jacobi rotation that diagonalizes [a, 1; 1, c]: its tangent t is the smaller root of t² +
    // 2·|(c−a)/2|·t = 1.
    const R magnitude = absolute(half_difference);
    const R t = R(1) / (magnitude + root);
    const R cosine = R(1) / square_root<R>(R(1) + t * t), sine = t * cosine;
    // (cosine, sine) belongs to the diagonal element that is nearer to the eigenvalue.
    const R along = half_difference < R(0) ? cosine : sine, beside = half_difference < R(0) ? sine : cosine;
    Q = {{{T(along), T(-beside)}, {T(phase * beside), T(phase * along)}}};
  }
};

/// Returns the larger and the smaller of |λ₁|, |λ₂| of a Hermitian block, the singular values of a symmetric one.
template <bool hermitian, class T>
std::pair<RealOf<T>, RealOf<T>> sizes_of(const Block<T>& P) {
  if constexpr (!hermitian) return singular_values(P);
  const HermitianSpectrum<T> spectrum(P);
  const RealOf<T> positive = spectrum.positive, negative = -spectrum.negative;
  return {std::max(positive, negative), std::min(positive, negative)};
}

}  // namespace pivotlab::ldlt_detail
