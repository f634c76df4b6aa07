// SPDX-License-Identifier: BSD-3-Clause
// The column operations of the pointwise algorithm on matrices with split parts (section 3.1.1). The order of each
// summation is fixed at compile time: the same bits in every run.
#pragma once

#include "kernels/gsvd/shared/pair_decision.hpp"
#include "kernels/numerics/arithmetic.hpp"
#include "kernels/numerics/downward_product.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab {

/// Computes the dot product x·y of real vectors: ordinary, or enhanced as in Appendix A.
template <bool enhanced, class R>
inline R dot(const R* __restrict x, const R* __restrict y, Index n) {
  R sum(0), errors(0);
  if constexpr (enhanced) {
#pragma omp simd reduction(+ : sum, errors)
    for (Index i = 0; i < n; ++i) {
      const DownwardProduct<R> product(x[i], y[i]);
      sum += product.c;
      errors += product.d;
    }
    return sum + errors;
  } else {
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < n; ++i) sum = fused(x[i], y[i], sum);
    return sum;
  }
}

/// Computes ‖x‖² of a complex vector with parts re and im, element i at re[i·step], im[i·step]. The enhanced form is
/// the simpler procedure of Appendix A.
template <bool enhanced, class R>
inline R squared_norm(const R* re, const R* im, Index n, Index step) {
  R sum(0);
  if constexpr (enhanced) {
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < n; ++i) {
      const DownwardProduct<R> r(re[i * step], re[i * step]), s(im[i * step], im[i * step]);
      const R errors = r.d + s.d;
      const R smaller = r.c <= s.c ? r.c : s.c;
      const R larger = r.c <= s.c ? s.c : r.c;
      sum += (errors + smaller) + larger;
    }
  } else {
#pragma omp simd reduction(+ : sum)
    for (Index i = 0; i < n; ++i) sum += fused(re[i * step], re[i * step], R(im[i * step] * im[i * step]));
  }
  return sum;
}

template <bool enhanced, class T>
inline RealOf<T> squared_norm(const SplitMatrix<T>& A, Index j) {
  if constexpr (is_complex<T>)
    return squared_norm<enhanced>(A.re(j), A.im(j), A.rows(), 1);
  else
    return dot<enhanced>(A.re(j), A.re(j), A.rows());
}

/// Computes ‖x‖² of a column of an ordinary matrix.
template <bool enhanced, class T>
inline RealOf<T> squared_norm(MatrixView<const T> A, Index j) {
  const T* x = A.data + j * A.stride;
  if constexpr (is_complex<T>) {
    const auto* parts = reinterpret_cast<const RealOf<T>*>(x);  // std::complex is an array of two by the standard
    return squared_norm<enhanced>(parts, parts + 1, A.rows, 2);
  } else {
    return dot<enhanced>(x, x, A.rows);
  }
}

/// Computes the pivot matrix of columns p and q of A. Odd IDs enhance all products of the real algorithm but only the
/// norms of the complex one. With norms = false the diagonal is assumed to be one and only the off-diagonal element is
/// computed.
template <bool enhanced, bool norms, class T>
inline PivotMatrix<RealOf<T>> pivot_matrix(const SplitMatrix<T>& A, Index p, Index q) {
  using R = RealOf<T>;
  const Index n = A.rows();
  const R* __restrict x = A.re(p);
  const R* __restrict y = A.re(q);
  PivotMatrix<R> m{R(1), R(1), R(0), R(0)};
  if constexpr (!is_complex<T>) {
    if constexpr (enhanced || !norms) {
      if constexpr (norms) m.xx = dot<enhanced>(x, x, n), m.yy = dot<enhanced>(y, y, n);
      m.xy_re = dot<enhanced>(x, y, n);
    } else {
      R xx(0), yy(0), xy(0);
#pragma omp simd reduction(+ : xx, yy, xy)
      for (Index i = 0; i < n; ++i) {
        xx = fused(x[i], x[i], xx);
        yy = fused(y[i], y[i], yy);
        xy = fused(x[i], y[i], xy);
      }
      m = {xx, yy, xy, R(0)};
    }
  } else {
    if constexpr (norms) m.xx = squared_norm<enhanced>(A, p), m.yy = squared_norm<enhanced>(A, q);
    const R* __restrict xi = A.im(p);
    const R* __restrict yi = A.im(q);
    R re(0), im(0);
#pragma omp simd reduction(+ : re, im)
    for (Index i = 0; i < n; ++i) {  // conj(x)·y
      re += fused(x[i], y[i], R(xi[i] * yi[i]));
      im += fused(x[i], yi[i], R(-xi[i] * y[i]));
    }
    m.xy_re = re;
    m.xy_im = im;
  }
  return m;
}

template <class T>
inline void transform_columns(SplitMatrix<T>& A, Index p, Index q, const PairTransformation<RealOf<T>>& z) {
  using R = RealOf<T>;
  const Index n = A.rows();
  R* __restrict x = A.re(p);
  R* __restrict y = A.re(q);
  if constexpr (!is_complex<T>) {
#pragma omp simd
    for (Index i = 0; i < n; ++i) {
      const R a = x[i], b = y[i];
      x[i] = fused(b, z.z21_re, R(a * z.z11));
      y[i] = fused(a, z.z12_re, R(b * z.z22));
    }
  } else {
    R* __restrict xi = A.im(p);
    R* __restrict yi = A.im(q);
#pragma omp simd
    for (Index i = 0; i < n; ++i) {
      const R a = x[i], ai = xi[i], b = y[i], bi = yi[i];
      x[i] = fused(b, z.z21_re, fused(R(-bi), z.z21_im, R(a * z.z11)));
      xi[i] = fused(b, z.z21_im, fused(bi, z.z21_re, R(ai * z.z11)));
      y[i] = fused(a, z.z12_re, fused(R(-ai), z.z12_im, R(b * z.z22)));
      yi[i] = fused(a, z.z12_im, fused(ai, z.z12_re, R(bi * z.z22)));
    }
  }
}

}  // namespace pivotlab
