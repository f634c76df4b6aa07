// SPDX-License-Identifier: BSD-3-Clause
// The pointwise one-sided Hari–Zimmermann algorithm on a pair of matrices with split parts: the inner level of the
// blocked algorithm, and, on whole matrices, the algorithm that tests use as reference. Novaković & Singer, sections
// 2.1, 2.2, 2.4, 2.5 and 3.5.3.
#pragma once

#include "kernels/gsvd/host/columns.hpp"
#include "kernels/gsvd/shared/pair_decision.hpp"

#include "variants/orderings/strategy.hpp"

#include <cstdint>
#include <vector>

namespace pivotlab {

struct PointwiseCounters {
  std::uint64_t transformations = 0, big = 0, swaps = 0;
  int sweeps = 0;
  bool identity() const { return transformations == 0 && swaps == 0; }
};

/// Orthogonalizes the columns of F and of G simultaneously and accumulates the transformations in Z: the initial F and
/// G times Z are the final F and G. The order of the strategy table is the number of columns. The object owns the
/// workspace of a step.
template <class T>
class PointwiseAlgorithm {
 public:
  using R = RealOf<T>;

  PointwiseAlgorithm(const StrategyTable& strategy, const GsvdVariant& variant)
      : strategy_(&strategy),
        variant_(variant),
        rules_(pair_rules<R>(strategy.order, variant.criterion == Criterion::C2)) {
    const auto pairs = static_cast<std::size_t>(strategy.order / 2);
    for (auto* v : {&a11_, &a22_, &a12_re_, &a12_im_, &b11_, &b22_, &b12_re_, &b12_im_, &z11_, &z22_, &z12_re_,
                    &z12_im_, &z21_re_, &z21_im_, &active_, &big_, &descending_})
      v->resize(pairs);
  }

  /// Does at most max_sweeps sweeps; ends after a sweep without transformations (swaps by sorting do not count). With
  /// `prescaled`, the columns of G are normalized once and then assumed to have unit norm; otherwise norms are
  /// recomputed in every step. The assumption holds only while B̂ is well-conditioned: the caller passes false for
  /// factors with nearly dependent columns.
  PointwiseCounters run(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z, int max_sweeps, bool prescaled) {
    if (variant_.enhanced_dots)
      return prescaled ? iterate<true, true>(F, G, Z, max_sweeps) : iterate<true, false>(F, G, Z, max_sweeps);
    return prescaled ? iterate<false, true>(F, G, Z, max_sweeps) : iterate<false, false>(F, G, Z, max_sweeps);
  }

 private:
  template <bool enhanced, bool prescaled>
  PointwiseCounters iterate(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z, int max_sweeps) {
    if constexpr (prescaled) prescale<enhanced>(F, G, Z);
    PointwiseCounters total;
    while (total.sweeps < max_sweeps) {
      std::uint64_t transformations = 0;
      for (Index s = 0; s < strategy_->steps; ++s) {
        const auto pairs = strategy_->step(s);
        form_pivots<enhanced, prescaled>(F, G, pairs);
        compute_transformations<prescaled>(static_cast<Index>(pairs.size()));
        for (std::size_t l = 0; l < pairs.size(); ++l) {
          const auto [p, q] = pairs[l];
          const bool swapped = active_[l] != R(0) ? transform<enhanced>(F, G, Z, p, q, l) : sort(F, G, Z, p, q, l);
          total.swaps += swapped;
          transformations += active_[l] != R(0);
          total.big += active_[l] != R(0) && big_[l] != R(0);
        }
      }
      ++total.sweeps;
      total.transformations += transformations;
      if (transformations == 0) break;
    }
    return total;
  }

  /// Scales the columns of F, G and Z by (Z₀)ⱼⱼ = 1/‖gⱼ‖ (section 3.3).
  template <bool enhanced>
  void prescale(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z) {
    for (Index j = 0; j < G.cols(); ++j) {
      const R squared = squared_norm<enhanced>(G, j);
      if (squared == R(1)) continue;
      const R factor = R(1) / square_root(squared);
      F.scale_column(j, factor);
      G.scale_column(j, factor);
      Z.scale_column(j, factor);
    }
  }

  template <bool enhanced, bool prescaled>
  void form_pivots(const SplitMatrix<T>& F, const SplitMatrix<T>& G, std::span<const PivotPair> pairs) {
    for (std::size_t l = 0; l < pairs.size(); ++l) {
      const auto [p, q] = pairs[l];
      const auto a = pivot_matrix<enhanced, true>(F, p, q);
      const auto b = pivot_matrix<enhanced, !prescaled>(G, p, q);
      a11_[l] = a.xx, a22_[l] = a.yy, a12_re_[l] = a.xy_re, a12_im_[l] = a.xy_im;
      b11_[l] = b.xx, b22_[l] = b.yy, b12_re_[l] = b.xy_re, b12_im_[l] = b.xy_im;
    }
  }

  /// Computes for all pivot pairs of a step Ẑ, whether it is needed (section 2.1), whether it is big (C1, C2 of section
  /// 2.5), and whether the columns stay in descending order of ‖f‖. Flattened, because a loop with a call does not
  /// vectorize.
  template <bool prescaled>
  [[gnu::flatten]] void compute_transformations(Index pairs) {
    const PairRules<R> rules = rules_;
#pragma omp simd
    for (Index l = 0; l < pairs; ++l) {
      const PivotMatrix<R> A{a11_[l], a22_[l], a12_re_[l], a12_im_[l]}, B{b11_[l], b22_[l], b12_re_[l], b12_im_[l]};
      const PairDecision<R> pair = decide<is_complex<T>>(unit_pivots<is_complex<T>, prescaled>(A, B, rules), rules);
      active_[l] = pair.active, big_[l] = pair.big, descending_[l] = pair.descending;
      z11_[l] = pair.z.z11, z12_re_[l] = pair.z.z12_re, z12_im_[l] = pair.z.z12_im;
      z22_[l] = pair.z.z22, z21_re_[l] = pair.z.z21_re, z21_im_[l] = pair.z.z21_im;
    }
  }

  /// Applies Ẑ of pair l. Returns whether the columns were also swapped.
  template <bool enhanced>
  bool transform(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z, Index p, Index q, std::size_t l) {
    PairTransformation<R> z{z11_[l], z12_re_[l], z12_im_[l], z21_re_[l], z21_im_[l], z22_[l]};
    if constexpr (!is_complex<T>) {
      const bool swap = variant_.sorting && descending_[l] == R(0);
      if (swap) z = {z.z12_re, z.z11, R(0), z.z22, R(0), z.z21_re};
      transform_columns(F, p, q, z);
      transform_columns(G, p, q, z);
      transform_columns(Z, p, q, z);
      return swap;
    } else {
      transform_columns(F, p, q, z);
      transform_columns(G, p, q, z);
      transform_columns(Z, p, q, z);
      if (!variant_.sorting || !(squared_norm<enhanced>(F, p) < squared_norm<enhanced>(F, q))) return false;
      swap_pair(F, G, Z, p, q);
      return true;
    }
  }

  /// Sorts a pair that needs no transformation. Returns whether its columns were swapped.
  bool sort(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z, Index p, Index q, std::size_t l) {
    if (!variant_.sorting || descending_[l] != R(0)) return false;
    swap_pair(F, G, Z, p, q);
    return true;
  }

  static void swap_pair(SplitMatrix<T>& F, SplitMatrix<T>& G, SplitMatrix<T>& Z, Index p, Index q) {
    F.swap_columns(p, q);
    G.swap_columns(p, q);
    Z.swap_columns(p, q);
  }

  const StrategyTable* strategy_;
  GsvdVariant variant_;
  PairRules<R> rules_;

  // These vectors have one entry per pivot pair of the current step.
  std::vector<R> a11_, a22_, a12_re_, a12_im_, b11_, b22_, b12_re_, b12_im_;
  std::vector<R> z11_, z22_, z12_re_, z12_im_, z21_re_, z21_im_;
  std::vector<R> active_, big_, descending_;  // 0 or 1
};

}  // namespace pivotlab
