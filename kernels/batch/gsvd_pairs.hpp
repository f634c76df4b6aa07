// SPDX-License-Identifier: BSD-3-Clause
// The transformations of pairs of columns of F, G and Z by several adjacent threads each, wherever the columns are.
#pragma once

#include "kernels/batch/jacobi_pairs.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/gsvd/shared/pair_decision.hpp"

namespace pivotlab::batch {

/// Records what a thread has done in a sweep.
struct SeenInPairs {
  bool transformed = false, big = false, exchanged = false;
};

/// Returns the products of two columns, if they exist, to all of their threads. All threads of the block call it.
template <class T, int lanes, class Context, class Column>
PIVOTLAB_DEVICE inline PivotMatrix<double> products_of_pair(Context& context, const Column& x, const Column& y,
                                                            int rows, int lane, bool exist) {
  PivotMatrix<double> sum;
  if (exist) sum = products_of<T>(x, y, rows, lane, lanes);
  sum.xx = sum_of_lanes<lanes>(context, sum.xx), sum.yy = sum_of_lanes<lanes>(context, sum.yy);
  sum.xy_re = sum_of_lanes<lanes>(context, sum.xy_re);
  if constexpr (is_complex<T>) sum.xy_im = sum_of_lanes<lanes>(context, sum.xy_im);
  return sum;
}

/// Transforms pairs of columns, so that the larger one of F comes first.
template <class T, int lanes, class Context>
class HariZimmermannSteps {
 public:
  SeenInPairs seen;

  PIVOTLAB_DEVICE HariZimmermannSteps(Context& context, int m_f, int m_g, int n, const PairRules<double>& rules)
      : context_(context), m_f_(m_f), m_g_(m_g), n_(n), lane_(context.thread() % lanes), rules_(rules) {}

  /// Transforms columns p and q, if they exist; f(j), g(j), z(j) give columns. All threads of the block call it.
  template <class F, class G, class Z>
  PIVOTLAB_DEVICE void operator()(const F& f, const G& g, const Z& z, int p, int q, bool exist) {
    const int one = exist ? p : 0, other = exist ? q : 0;
    const auto A = products_of_pair<T, lanes>(context_, f(one), f(other), m_f_, lane_, exist),
               B = products_of_pair<T, lanes>(context_, g(one), g(other), m_g_, lane_, exist);
    if (!exist) return;
    constexpr bool complex = is_complex<T>;
    const auto pair = decide<complex>(unit_pivots<complex, false>(A, B, rules_), rules_);
    PairTransformation<double> t = pair.z;
    bool descending = pair.descending != 0;
    if (pair.active == 0) {
      if (descending) return;
      t = {1, 0, 0, 0, 0, 1};
    } else {
      const double first = fused(t.z11 * t.z11, A.xx,
                                 fused(2 * t.z11, fused(t.z21_re, A.xy_re, -(t.z21_im * A.xy_im)),
                                       fused(t.z21_re, t.z21_re, t.z21_im * t.z21_im) * A.yy));
      const double second = fused(t.z22 * t.z22, A.yy,
                                  fused(2 * t.z22, fused(t.z12_re, A.xy_re, t.z12_im * A.xy_im),
                                        fused(t.z12_re, t.z12_re, t.z12_im * t.z12_im) * A.xx));
      descending = !(first < second);
    }
    transform(f(p), f(q), m_f_, t, !descending);
    transform(g(p), g(q), m_g_, t, !descending);
    transform(z(p), z(q), n_, t, !descending);
    seen.transformed |= pair.active != 0;
    seen.big |= pair.active != 0 && pair.big != 0;
    seen.exchanged |= !descending;
  }

 private:
  template <class Column>
  PIVOTLAB_DEVICE void transform(const Column& x, const Column& y, int m, const PairTransformation<double>& t,
                                 bool exchanged) const {
    const T z12 = of_parts(t.z12_re, t.z12_im), z21 = of_parts(t.z21_re, t.z21_im);
#pragma unroll 4
    for (int i = lane_; i < m; i += lanes) {
      const T a = x[i], b = y[i];
      const T first = multiply_add(b, z21, times_real(a, t.z11)), second = multiply_add(a, z12, times_real(b, t.z22));
      x[i] = exchanged ? second : first, y[i] = exchanged ? first : second;
    }
  }
  PIVOTLAB_DEVICE static T of_parts(double re, [[maybe_unused]] double im) {
    if constexpr (is_complex<T>)
      return T(re, im);
    else
      return re;
  }

  Context& context_;
  const int m_f_, m_g_, n_, lane_;
  const PairRules<double> rules_;
};

}  // namespace pivotlab::batch
