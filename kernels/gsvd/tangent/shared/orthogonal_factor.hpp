// SPDX-License-Identifier: BSD-3-Clause
// Orthogonal matrices next to I + E, E anti-Hermitian, on a machine (run.hpp).
#pragma once

#include "kernels/gsvd/tangent/shared/elements.hpp"

#include <cmath>
#include <vector>

namespace pivotlab::tangent {

inline constexpr double tiny_norm = 1e-8;  ///< of E whose square is below the roundoff

/// Q := an orthogonal matrix next to I + factor·E, to the second order. A norm `size` up to `tiny_norm` or `small`
/// leaves an error of orthogonality below the roundoff to I + E (size²) or I + E + E²/2 (size⁴/4); a larger one has
/// Q = (I + factor·E)·L⁻ᴴ with L·Lᴴ = (I + factor·E)ᴴ(I + factor·E), which is orthogonal whatever E is. Overwrites C.
/// Returns false if (I + factor·E)ᴴ(I + factor·E) is not positive definite.
template <class T, class Machine>
bool make_orthogonal(Machine& machine, MatrixView<T> E, double factor, double size, MatrixView<T> C, MatrixView<T> Q) {
  using ConstView = MatrixView<const T>;
  constexpr double small = 1e-4;
  const Index k = E.rows;
  const double cubed = std::pow(static_cast<double>(k), 3) * (is_complex<T> ? 4 : 1);
  if (size > tiny_norm && size <= small) {
    machine.gram(ConstView(E), C);
    machine.for_each(k, k, SecondOrderExponential<T>{E, C, Q});
    machine.mark("Q of I + E", cubed);
    return true;
  }
  machine.for_each(k, k, IdentityPlus<T>{E, factor, Q});
  if (size <= tiny_norm) return true;
  machine.gram(ConstView(Q), C);
  if (!machine.cholesky(C)) return false;
  machine.solve_right_adjoint(ConstView(C), Q);
  machine.mark("Q of I + E", 7 * cubed / 3);
  return true;
}

/// Returns an estimate of ‖E‖₂ by eight steps of the power method, with a fifth of reserve. x, y, scale and norm are
/// work space in the machine's memory, x and y columns of E.rows elements.
template <class T, class Machine>
double estimated_norm(Machine& machine, MatrixView<const T> E, MatrixView<T> x, MatrixView<T> y, double* scale,
                      double* norm) {
  using ConstView = MatrixView<const T>;
  const std::vector<T> start(E.rows, T(1 / std::sqrt(static_cast<double>(E.rows))));
  machine.upload(x.data, start.data(), start.size());
  double size = 0;
  for (int step = 0; step < 8; ++step) {
    machine.multiply(E, ConstView(x), y);
    machine.reduce_columns(E.rows, 1, ColumnScale<T>{y, scale});
    machine.reduce_columns(E.rows, 1, ColumnNorm<T>{y, scale, norm});
    machine.download(&size, norm, 1);
    machine.for_each(E.rows, 1, Arrange<T>{.from = y, .to = x, .col_divisor = norm});
  }
  return 1.2 * size;
}

}  // namespace pivotlab::tangent
