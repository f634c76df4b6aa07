// SPDX-License-Identifier: BSD-3-Clause
// The point method on a matrix in device memory. All transformations of a round are computed from the same A; then
// every 2×2 tile of two pairs and the columns of E are transformed in place.
#pragma once

#include "kernels/eig/device/pair_lanes.hpp"
#include "kernels/eig/device/sums.hpp"

namespace pivotlab::eig_device {

/// The part of a transformation that one kernel computes: the form `steps` computes and applies shears before unitary
/// transformations.
enum class Part { shear, unitary, both };

/// Computes transformations. Grid: one block per pair.
template <Part part>
struct FindPairs {
  struct Arguments {
    Planes A;
    const Pair* round;
    int pairs;
    Rules rules;
    double* transformations;  ///< [8][pair]
    double* tau_squared;      ///< [pair], maximum so far
  };
  static constexpr int threads = part == Part::unitary ? 32 : line_threads;
  static constexpr int min_blocks = 2;
  static constexpr int shared_bytes = sum_bytes;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int k = context.block();
    const Pair pair = a.round[k];
    const Transformation block{a.A.element(pair.p, pair.p), a.A.element(pair.p, pair.q), a.A.element(pair.q, pair.p),
                               a.A.element(pair.q, pair.q)};
    const auto found = find(context, a, pair, block);
    if (context.thread() >= transformation_numbers) return;
    a.transformations[transformation_at(context.thread(), k, a.pairs)] = part_of(found.m, context.thread());
    if (context.thread() == 0 && a.tau_squared[k] < found.tau_squared) a.tau_squared[k] = found.tau_squared;
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static eig_detail::PairTransformation<C> find(Context& context, const Arguments& a, Pair pair,
                                                                const Transformation& block) {
    using namespace eig_detail;
    if constexpr (part == Part::unitary) {
      const C w = no_shear<C>();
      return shear_times_unitary(w, a.rules.unitary ? unitary_parameter(sheared(block, w)) : no_unitary<C>());
    } else {
      const PairSums sums = sums_of(context, a.A, pair);
      if constexpr (part == Part::both) {
        return transformation(block, sums.commutator, sums.squares, a.rules);
      } else {
        const C w =
            a.rules.shear ? shear_parameter(block, sums.commutator, sums.squares, a.rules.damping) : no_shear<C>();
        return shear_times_unitary(w, no_unitary<C>());
      }
    }
  }

  template <class Context>
  PIVOTLAB_DEVICE static PairSums sums_of(Context& context, const Planes& A, Pair pair) {
    const auto shared = context.template shared<double>(0, line_warps);
    const std::int64_t p = pair.p, q = pair.q;
    PairSums sums;
    for (std::int64_t j = context.thread(); j < A.order; j += threads)
      if (j != p && j != q) sums.add(A.element(p, j), A.element(q, j), A.element(j, p), A.element(j, q));
    const double re = sum_over_block(context, shared, sums.commutator.real());
    const double im = sum_over_block(context, shared, sums.commutator.imag());
    return {C(re, im), sum_over_block(context, shared, sums.squares)};
  }
};

/// Applies transformations. Grid: one thread per tile of A, or per two elements of a row of E or E⁻ᵀ.
struct ApplyPairs {
  struct Arguments {
    Planes A, E, inverse_transposed;  ///< null if not requested
    const Pair* round;
    int pairs;
    const double* transformations;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 2;

  static constexpr int blocks_of_a(std::int64_t pairs) {
    return static_cast<int>((pairs * pairs + threads - 1) / threads);
  }
  static constexpr int blocks_of_base(std::int64_t pairs, std::int64_t order) {
    return static_cast<int>((pairs * order + threads - 1) / threads);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int of_a = blocks_of_a(a.pairs), of_base = blocks_of_base(a.pairs, a.A.order);
    if (context.block() < of_a)
      transform_tile(context, a, std::int64_t(context.block()) * threads + context.thread());
    else {
      const int part = context.block() - of_a;
      const bool inverse = part >= of_base || a.E.re == nullptr;
      transform_row(context, a, inverse, std::int64_t(part % of_base) * threads + context.thread());
    }
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static void transform_tile(const Context& context, const Arguments& a, std::int64_t tile) {
    if (tile >= std::int64_t(a.pairs) * a.pairs) return;
    const auto k = static_cast<int>(tile % a.pairs), l = static_cast<int>(tile / a.pairs);
    const Pair rows = a.round[k], cols = a.round[l];
    const Transformation x{a.A.element(rows.p, cols.p), a.A.element(rows.p, cols.q), a.A.element(rows.q, cols.p),
                           a.A.element(rows.q, cols.q)};
    const Transformation y =
        product(pivotlab::eig_detail::inverse(load_transformation(context, a.transformations, k, a.pairs)), x,
                load_transformation(context, a.transformations, l, a.pairs));
    set(a.A, rows.p, cols.p, y.pp);
    set(a.A, rows.p, cols.q, y.pq);
    set(a.A, rows.q, cols.p, y.qp);
    set(a.A, rows.q, cols.q, y.qq);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void transform_row(const Context& context, const Arguments& a, bool inverse,
                                            std::int64_t item) {
    const std::int64_t row = item % a.A.order, l = item / a.A.order;
    if (l >= a.pairs) return;
    const Planes& X = inverse ? a.inverse_transposed : a.E;
    const Pair pair = a.round[l];
    Transformation m = load_transformation(context, a.transformations, static_cast<int>(l), a.pairs);
    if (inverse) m = transposed(eig_detail::inverse(m));
    const C x = X.element(row, pair.p), y = X.element(row, pair.q);
    set(X, row, pair.p, multiply_add(y, m.qp, multiply(x, m.pp)));
    set(X, row, pair.q, multiply_add(y, m.qq, multiply(x, m.pq)));
  }

  PIVOTLAB_DEVICE static void set(const Planes& X, std::int64_t row, std::int64_t col, const C& x) {
    X.re[X.at(row, col)] = x.real();
    X.im[X.at(row, col)] = x.imag();
  }
};

}  // namespace pivotlab::eig_device
