// SPDX-License-Identifier: BSD-3-Clause
// Steps 1 to 3 of the specification, and the way back: the columns of the pair are scaled by powers of two and ordered,
// D and P, the rows of G sorted; G·D⁻¹·P = Q_G·R and B = F·D⁻¹·P·R⁻¹.
#pragma once

#include "kernels/gsvd/tangent/shared/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace pivotlab::tangent {

template <class T, class Machine>
class PairReduction {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  explicit PairReduction(Run<T, Machine>& run) : run_(run) {}

  /// Sets B = 2^−exponent()·F·D⁻¹·P·R⁻¹. Returns false, and the run has the reason, if R is singular, or a norm or an
  /// element of R is not finite.
  bool reduce(ConstView F, ConstView G, View B) {
    const Reals g = run_.column_norms(G), f = run_.column_norms(F);
    for (std::size_t j = 0; j < g.size(); ++j)
      if (!(g[j] > 0) || !std::isfinite(g[j]))
        return run_.fail(Breakdown::no_reduction,
                         "G: column " + std::to_string(j + 1) + " has the norm " + (g[j] == 0 ? "0" : "infinity"));
    if (!all_finite(f)) return run_.fail(Breakdown::no_reduction, "F: a column norm is not finite");
    scale_and_order(f, g);

    // G·D⁻¹·2^−exponent_of_g with sorted rows, D = diag 2^exponents, columns in the order of the ratios.
    run_.upload(run_.shift, negated(exponents_));
    rows_of_g_ = descending(run_.row_magnitudes(G, run_.shift));
    run_.upload(run_.shift, negated(permuted(exponents_, order_)));
    run_.upload(run_.columns, order_);
    run_.upload(run_.row_order, rows_of_g_);
    run_.machine.for_each(run_.shape.m_g, run_.n,
                          Arrange<T>{.from = G,
                                     .to = run_.qr_g,
                                     .rows = run_.row_order,
                                     .cols = run_.columns,
                                     .col_shift = run_.shift,
                                     .shift = -exponent_of_g_});
    run_.machine.mark("scale and order", 0);
    factor_ordered(run_, run_.qr_g, run_.tau_g, order_);
    run_.machine.mark("QR of G", run_.qr_flops(run_.shape.m_g));
    const Reals pivots = run_.diagonal(run_.qr_g);
    for (std::size_t j = 0; j < pivots.size(); ++j)
      if (!(pivots[j] > 0) || !std::isfinite(pivots[j]))
        return run_.fail(Breakdown::no_reduction, "QR of G: diagonal element " + std::to_string(j + 1) + " of R is " +
                                                      (pivots[j] == 0 ? "0" : "not finite"));

    // F·D⁻¹·2^−exponent_of_f·R⁻¹
    run_.upload(run_.shift, negated(permuted(exponents_, order_)));
    run_.upload(run_.columns, order_);
    run_.machine.for_each(
        run_.shape.m_f, run_.n,
        Arrange<T>{.from = F, .to = B, .cols = run_.columns, .col_shift = run_.shift, .shift = -exponent_of_f_});
    run_.machine.solve_right_upper(r(), B);
    run_.machine.mark("B = F/R", run_.volume(run_.shape.m_f));
    return true;
  }

  int exponent() const { return exponent_of_f_ - exponent_of_g_; }

  /// Sets V = Q_G·W, W n × n.
  void set_v(ConstView W, View V) {
    const View tall_g{run_.tall.data, run_.shape.m_g, run_.n, run_.shape.m_g};
    run_.machine.for_each(run_.shape.m_g, run_.n, Arrange<T>{.from = W, .to = tall_g});
    run_.machine.apply_q(ConstView(run_.qr_g), run_.tau_g, tall_g);
    run_.machine.mark("V = Q_G·W", 4 * run_.volume(run_.shape.m_g) - 2 * run_.cube());
    run_.rows_back(tall_g, rows_of_g_, V);
    run_.machine.mark("rows of V", 0);
  }

  /// Sets X = diag(h)·Wᴴ·R·Pᵀ·D, W n × n.
  void set_x(ConstView W, const Reals& h, View X) {
    place(h);
    run_.machine.for_each(run_.n, run_.n, Adjoint<T>{W, run_.scratch});
    run_.machine.multiply_right_upper(ConstView(run_.scratch), r(), run_.C);
    run_.upload(run_.shift, exponents_);
    run_.machine.for_each(run_.n, run_.n,
                          Arrange<T>{.from = run_.C,
                                     .to = X,
                                     .cols = run_.columns,
                                     .col_shift = run_.shift,
                                     .row_factor = run_.norms,
                                     .shift = exponent_of_g_});
    run_.machine.mark("X", run_.cube());
  }

  /// Sets Z = D⁻¹·P·R⁻¹·W·diag(1/h), W n × n, which it overwrites.
  void set_z(View W, const Reals& h, View Z) {
    place(h);
    run_.machine.solve_left_upper(r(), W);
    run_.upload(run_.shift, negated(exponents_));
    run_.machine.for_each(run_.n, run_.n,
                          Arrange<T>{.from = W,
                                     .to = Z,
                                     .rows = run_.columns,
                                     .row_shift = run_.shift,
                                     .col_divisor = run_.norms,
                                     .shift = -exponent_of_g_});
    run_.machine.mark("Z", run_.cube());
  }

 private:
  ConstView r() const { return top(run_.qr_g, run_.n); }

  void place(const Reals& h) {
    run_.upload(run_.columns, inverse(order_));
    run_.upload(run_.norms, h);
  }

  /// Chooses the powers of two that scale the columns of the pair, and orders the columns by ‖f_j‖/‖g_j‖, ascending.
  /// With pivoting, the columns of F get norms next to 1, so that the norms of G's columns decide as the ratios do.
  void scale_and_order(const Reals& f, const Reals& g) {
    const bool by_f = run_.variant.qr == TangentQr::pivoted;
    constexpr int none = std::numeric_limits<int>::min();
    Reals ratio(g.size());  // in logarithms, whose range holds all quotients
    int largest = none, least = std::numeric_limits<int>::max();
    for (std::size_t j = 0; j < g.size(); ++j) {
      ratio[j] = std::log2(f[j]) - std::log2(g[j]);
      if (f[j] == 0) continue;
      const int exponent = std::ilogb(f[j]) - std::ilogb(g[j]);
      largest = std::max(largest, exponent), least = std::min(least, exponent);
    }
    order_ = ascending(ratio);
    if (largest == none) largest = least = 0;  // F = 0
    least -= 64;                               // so that pivoting takes zero columns first
    exponents_.clear();
    for (std::size_t j = 0; j < g.size(); ++j)
      exponents_.push_back(!by_f ? std::ilogb(g[j]) : f[j] == 0 ? std::ilogb(g[j]) + least : std::ilogb(f[j]));
    exponent_of_f_ = by_f ? 0 : largest;
    exponent_of_g_ = by_f ? -least : 0;
  }

  Run<T, Machine>& run_;
  std::vector<int> exponents_;                 ///< of D
  int exponent_of_f_ = 0, exponent_of_g_ = 0;  ///< of the powers of two that scale F and G
  Order order_, rows_of_g_;
};

}  // namespace pivotlab::tangent
