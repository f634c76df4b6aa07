// SPDX-License-Identifier: BSD-3-Clause
// Steps 4 and 5 of the specification, and the way back: B·P·Q₂ = Q₁·M by one or two QR factorizations, after which the
// rows of M are graded and, divided by their norms, well conditioned.
#pragma once

#include "kernels/gsvd/tangent/shared/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab::tangent {

template <class T, class Machine>
class CoreFactor {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  explicit CoreFactor(Run<T, Machine>& run) : run_(run) {}

  /// Computes M = 2^−exponent()·Q₁ᴴ·B·P·Q₂. Returns false, and the run has the reason, if B or a diagonal is not
  /// finite.
  bool factor(ConstView B) {
    const Reals b = run_.column_norms(B);
    if (!all_finite(b)) return run_.fail(Breakdown::no_reduction, "B = F/R overflows");
    const double most = *std::max_element(b.begin(), b.end());
    exponent_ = most > 0 ? std::ilogb(most) : 0;
    columns_ = descending(b);
    rows_ = descending(run_.row_magnitudes(B, nullptr));
    run_.upload(run_.columns, columns_);
    run_.upload(run_.row_order, rows_);
    run_.machine.for_each(
        run_.shape.m_f, run_.n,
        Arrange<T>{.from = B, .to = run_.qr_f, .rows = run_.row_order, .cols = run_.columns, .shift = -exponent_});
    run_.machine.mark("order B", 0);
    factor_ordered(run_, run_.qr_f, run_.tau_f, columns_);
    run_.machine.mark("QR of B", run_.qr_flops(run_.shape.m_f));

    const Reals d = run_.diagonal(run_.qr_f);
    if (!all_finite(d)) return run_.fail(Breakdown::no_reduction, "QR of B: the diagonal of the factor is not finite");
    const auto [smallest_d, largest_d] = std::minmax_element(d.begin(), d.end());
    constexpr double widest = 1e7;
    TangentReport& report = run_.out.report;
    report.diagonal_span = *smallest_d > 0 ? *largest_d / *smallest_d : std::numeric_limits<double>::infinity();
    report.path = run_.variant.path != TangentPath::automatic ? run_.variant.path
                  : report.diagonal_span < widest             ? TangentPath::r1
                                                              : TangentPath::l;
    two_qrs_ = report.path == TangentPath::l;
    if (two_qrs_) {
      run_.machine.for_each(run_.n, run_.n, AdjointOfUpper<T>{top(run_.qr_f, run_.n), run_.qr_2});
      run_.machine.qr(run_.qr_2, run_.tau_2);
      run_.machine.mark("QR of the adjoint factor", run_.qr_flops(run_.n));
      run_.machine.for_each(run_.n, run_.n, AdjointOfUpper<T>{run_.qr_2, run_.M});
    } else {
      run_.machine.for_each(run_.n, run_.n, UpperTriangle<T>{top(run_.qr_f, run_.n), run_.M});
    }
    return true;
  }

  int exponent() const { return exponent_; }
  /// Says whether M is the adjoint factor of a second QR factorization.
  bool two_qrs() const { return two_qrs_; }

  /// Sets U = Q₁·A·diag(1/s), s = norms of the run.
  void set_u(ConstView A, View U) {
    const View tall{run_.tall.data, run_.shape.m_f, run_.n, run_.shape.m_f};
    run_.machine.for_each(run_.shape.m_f, run_.n, Arrange<T>{.from = A, .to = tall, .col_divisor = run_.norms});
    run_.machine.apply_q(ConstView(run_.qr_f), run_.tau_f, tall);
    run_.machine.mark("U = Q₁·(A/s)", 4 * run_.volume(run_.shape.m_f) - 2 * run_.cube());
    run_.rows_back(tall, rows_, U);
    run_.machine.mark("rows of U", 0);
  }

  /// Sets W = P·Q₂·V, V n × n, which it overwrites.
  void set_w(View V, View W) {
    if (two_qrs_) {
      run_.machine.apply_q(ConstView(run_.qr_2), run_.tau_2, V);
      run_.machine.mark("W = Q₂·V", 2 * run_.cube());
    }
    run_.rows_back(V, columns_, W);
  }

 private:
  Run<T, Machine>& run_;
  int exponent_ = 0;
  Order columns_, rows_;
  bool two_qrs_ = false;
};

}  // namespace pivotlab::tangent
