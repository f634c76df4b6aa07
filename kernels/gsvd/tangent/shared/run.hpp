// SPDX-License-Identifier: BSD-3-Clause
// The steps of the tangent path share this in one run: the machine, its memory, the report, and small operations.
//
// A machine has the matrices, and offers
//
//   for_each(rows, cols, f)             f(i, j) of elements.hpp for all elements
//   reduce_columns(rows, cols, f)       f.store(j, combined f.term(i, j)) for all columns
//   upload(to, from, count), download(to, from, count)   between arrays of the host and its memory
//   mark(step, flops)                   names the step that was enqueued last, for measurements of time
//   least_order_of_two_passes           from there on, eigenvectors of a second pass of groups take less time than the
//                                       Newton steps that they save
//
// and routines of a library, for T = double and std::complex<double> (products of doubles too), lower triangles:
//
//   work_elements<T>(shape)             elements of work space that the routines want, given by
//                                       set_work<T>(p, count, shape)
//   reflector_elements<T>(n)            elements of tau for n reflectors
//   qr(A, tau), apply_q(A, tau, C)      A = Q·R as reflectors, with scalars or triangles in tau, and R; C := Q·C
//   qr_pivoted(A, tau)                  the same of A·P, returns the original place of each column
//   gram(A, C)                          C := AᴴA
//   eigenvectors(C, lambda)             C := eigenvectors of the Hermitian C
//   cholesky(C)                         C = L·Lᴴ, returns false if a pivot is not positive
//   solve_right_adjoint(L, X)           X := X·L⁻ᴴ
//   solve_left_upper(R, X), solve_right_upper(R, X)      X := R⁻¹·X, X·R⁻¹
//   multiply(A, B, C)                   C := A·B
//   multiply_roughly(A, B, C)           C := A·B of float or complex float, to three digits of sums of |a_ik|·|b_kj|
//   multiply_left(upper, M, X, scratch), multiply_right_upper(X, R, scratch)   scratch := M·X, X·R with a triangular M,
//   R
//
// Plain: a device compiler reads it, too.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/gsvd/tangent/shared/orders.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::tangent {

/// The first rows of A.
template <class T>
MatrixView<T> top(MatrixView<T> A, Index rows) {
  return A.block(0, 0, rows, A.cols);
}

inline std::vector<int> negated(std::vector<int> values) {
  for (int& value : values) value = -value;
  return values;
}

/// Returns a matrix of single precision in the place of A.
template <class T>
MatrixView<float> floats_in(MatrixView<T> A) {
  return {reinterpret_cast<float*>(A.data), A.rows, A.cols, A.rows};
}

/// All of the machine's memory is one workspace.
template <class T, class Machine>
class Run {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  Run(Machine& machine_, const Shape& shape_, const TangentVariant& variant_)
      : machine(machine_), shape(shape_), n(shape_.n), variant(variant_) {
    library_elements_ = static_cast<Index>(machine.template work_elements<T>(shape));
    Arena counting(nullptr);
    lay_out(counting);
    bytes = counting.used();
  }

  /// Takes a workspace of `bytes`, aligned to 256, and begins a run.
  void begin(void* workspace) {
    Arena arena(workspace);
    lay_out(arena);
    machine.template set_work<T>(library_work_, library_elements_, shape);
    out = {};
  }

  template <class X>
  void upload(X* to, const std::vector<X>& from) {
    machine.upload(to, from.data(), from.size());
  }
  template <class X>
  std::vector<X> download(const X* from, Index count) {
    std::vector<X> to(count);
    machine.download(to.data(), from, to.size());
    return to;
  }

  double cube() const {
    const auto order = static_cast<double>(n);
    return order * order * order * (is_complex<T> ? 4 : 1);
  }
  double volume(Index rows) const {
    return static_cast<double>(rows) * static_cast<double>(n) * static_cast<double>(n) * (is_complex<T> ? 4 : 1);
  }
  /// Counts the flops of the QR factorization of a rows × n matrix.
  double qr_flops(Index rows) const { return 2 * volume(rows) - 2 * cube() / 3; }

  /// Computes the norms of the columns of X, which stay on the machine in `norms`, too.
  Reals column_norms(ConstView X) {
    machine.reduce_columns(X.rows, X.cols, ColumnScale<T>{X, scale});
    machine.reduce_columns(X.rows, X.cols, ColumnNorm<T>{X, scale, norms});
    return download(norms, X.cols);
  }

  /// Computes the largest part of each row of X, whose columns are scaled by powers of two if there are exponents.
  Reals row_magnitudes(ConstView X, const int* exponents) {
    const MatrixView<double> partial{partial_.data, X.rows, row_parts, X.rows};
    machine.for_each(X.rows, row_parts, PartialRowLargest<T>{X, exponents, partial});
    machine.for_each(X.rows, 1, RowLargest{partial, rows_});
    return download(rows_, X.rows);
  }

  /// Computes |x_jj| of a matrix of at least n rows.
  Reals diagonal(ConstView X) {
    machine.for_each(n, 1, DiagonalMagnitude<T>{X, vector});
    return download(vector, n);
  }

  /// Sets row order[i] of `to` to row i of `from`.
  void rows_back(ConstView from, const Order& order, View to) {
    upload(row_order, inverse(order));
    machine.for_each(to.rows, n, Arrange<T>{.from = from, .to = to, .rows = row_order});
  }

  /// Returns false.
  bool fail(Breakdown breakdown, std::string reason) {
    out.breakdown = breakdown;
    out.reason = std::move(reason);
    return false;
  }

  Machine& machine;
  Shape shape;
  Index n;
  TangentVariant variant;
  std::size_t bytes = 0;  ///< of the workspace
  Outcome out;

  // In the machine's memory.
  View qr_g, qr_f, qr_2;        ///< reflectors of G, B, R₁ᴴ
  View M, A, V;                 ///< A = M·V
  View tall, C, E, Q, scratch;  ///< n columns; tall has max(m_f, m_g) rows, the others n
  T *tau_g = nullptr, *tau_f = nullptr, *tau_2 = nullptr;
  double *scale = nullptr, *norms = nullptr, *vector = nullptr, *divisor = nullptr;
  int *columns = nullptr, *shift = nullptr, *row_order = nullptr;
  PairStatistics* statistics = nullptr;

 private:
  void lay_out(Arena& arena) {
    const Index m_f = shape.m_f, m_g = shape.m_g, tallest = std::max(m_f, m_g);
    const auto matrix = [&](Index rows) { return View{arena.take<T>(rows * n), rows, n, rows}; };
    qr_g = matrix(m_g), qr_f = matrix(m_f), tall = matrix(tallest);
    for (View* square : {&qr_2, &M, &A, &V, &C, &E, &Q, &scratch}) *square = matrix(n);
    for (T** tau : {&tau_g, &tau_f, &tau_2}) *tau = arena.take<T>(machine.template reflector_elements<T>(n));
    for (double** reals : {&scale, &norms, &vector, &divisor}) *reals = arena.take<double>(n);
    rows_ = arena.take<double>(tallest);
    partial_ = {arena.take<double>(tallest * row_parts), tallest, row_parts, tallest};
    for (int** integers : {&columns, &shift}) *integers = arena.take<int>(n);
    row_order = arena.take<int>(tallest);
    statistics = arena.take<PairStatistics>(n);
    library_work_ = arena.take<T>(library_elements_);
  }

  static constexpr Index row_parts = 32;

  Index library_elements_ = 0;
  T* library_work_ = nullptr;
  double* rows_ = nullptr;
  MatrixView<double> partial_;
};

/// Computes the QR factorization of A, whose columns are in an order that pivoting changes.
template <class T, class Machine>
void factor_ordered(Run<T, Machine>& run, MatrixView<T> A, T* tau, Order& order) {
  if (run.variant.qr == TangentQr::pivoted)
    order = permuted(order, run.machine.qr_pivoted(A, tau));
  else
    run.machine.qr(A, tau);
}

}  // namespace pivotlab::tangent
