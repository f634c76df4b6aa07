// SPDX-License-Identifier: BSD-3-Clause
// LU with complete pivoting and the inverse, in double-double on a device.
//
// The factorization has the bits of numerics/lu_complete. A step has two kernels: one block chooses the pivot, then one
// block per column eliminates. It moves 2·16·n³/3 bytes (twice that for complex numbers), which takes seconds at n =
// 10⁴ with the bandwidth of a GPU's memory, so a less careful method is not needed.
#pragma once

#include "kernels/extended/triangular.hpp"
#include "kernels/numerics/pivot_size.hpp"

namespace pivotlab::extended {

template <class E>
struct DeviceLU {
  DeviceMatrix<E> LU;  ///< n × n: unit lower triangular L below the diagonal, U on it and above
  Buffer<int> rows;    ///< row i of P·A is row rows[i] of A
  Buffer<int> cols;    ///< column j of A·Q is column cols[j] of A
  Index rank = 0;
};

namespace detail {

struct LuState {
  int row, rank, done;
};

template <class E>
struct LuArguments {
  MatrixView<E> A;
  double* column_max;  ///< of the remaining columns, below the step's row
  int *rows, *cols;
  LuState* state;
  Index step;
};

struct StartLu {
  int *rows, *cols;
  LuState* state;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    rows[i] = cols[i] = static_cast<int>(i);
    if (i == 0) *state = {0, 0, 0};
  }
};

template <class E>
struct ColumnMaxima {
  using Value = double;
  struct Combine {  // as in lu_complete, where NaN is never the larger one
    PIVOTLAB_DEVICE double operator()(double x, double y) const { return y > x ? y : x; }
  };
  MatrixView<const E> A;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return pivotlab::detail::pivot_size(at(A, i, j)); }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

/// A candidate for the pivot; the larger one is chosen, among equal ones the first.
struct Candidate {
  double size;
  Index index;
  struct Better {
    PIVOTLAB_DEVICE Candidate operator()(const Candidate& x, const Candidate& y) const {
      return y.size > x.size || (y.size == x.size && y.index < x.index) ? y : x;
    }
  };
};

/// Chooses the pivot of a step, moves its column to the front and divides it.
template <class E>
struct ChoosePivot {
  using Arguments = LuArguments<E>;
  static constexpr int threads = 1024, min_blocks = 1;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Candidate));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index n = a.A.rows, k = a.step;
    const int t = context.thread();
    if (a.state->done != 0) return;  // set by an earlier step, so all threads read the same value
    Candidate best{0, n};
    for (Index j = k + t; j < n; j += threads) best = Candidate::Better()(best, {a.column_max[j], j});
    best = reduce_block(context, best, Candidate::Better());
    if (!(best.size > 0)) {
      if (t == 0) a.state->done = 1;
      return;
    }
    const Index col = best.index;
    Candidate first{0, n - 1};
    for (Index i = k + t; i < n; i += threads)
      if (pivotlab::detail::pivot_size(at(a.A, i, col)) == best.size) first = Candidate::Better()(first, {1, i});
    const Index row = reduce_block(context, first, Candidate::Better()).index;

    if (col != k)
      for (Index i = t; i < n; i += threads) swap(at(a.A, i, k), at(a.A, i, col));
    context.sync();
    if (t == 0) {
      swap(a.column_max[k], a.column_max[col]);
      swap(a.cols[k], a.cols[col]);
      swap(a.rows[k], a.rows[row]);
      swap(at(a.A, k, k), at(a.A, row, k));
      a.state->row = static_cast<int>(row);
      a.state->rank = static_cast<int>(k + 1);
    }
    context.sync();
    const E pivot = at(a.A, k, k);
    for (Index i = k + 1 + t; i < n; i += threads) at(a.A, i, k) /= pivot;
  }

 private:
  template <class T>
  PIVOTLAB_DEVICE static void swap(T& x, T& y) {
    const T z = x;
    x = y;
    y = z;
  }
};

/// Swaps the rows of a step and subtracts multiples of the pivot column from the other columns.
template <class E>
struct Eliminate {
  using Arguments = LuArguments<E>;
  static constexpr int threads = 256, min_blocks = 2;
  static constexpr int shared_bytes = threads * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    if (a.state->done != 0) return;
    const Index n = a.A.rows, k = a.step, row = a.state->row;
    for (Index j = context.block(); j < n; j += context.blocks()) {
      if (j == k) continue;
      const E upper = at(a.A, row, j), lower = at(a.A, k, j);
      context.sync();  // all threads have read before any writes
      if (context.thread() == 0) at(a.A, k, j) = upper;
      if (j < k) {
        if (context.thread() == 0) at(a.A, row, j) = lower;
        continue;
      }
      double largest = 0;
      for (Index i = k + 1 + context.thread(); i < n; i += threads) {
        const E x = (i == row ? lower : at(a.A, i, j)) - upper * at(a.A, i, k);
        at(a.A, i, j) = x;
        const double size = pivotlab::detail::pivot_size(x);
        largest = size > largest ? size : largest;
      }
      largest = reduce_block(context, largest, typename ColumnMaxima<E>::Combine());
      if (context.thread() == 0) a.column_max[j] = largest;
    }
  }
};

/// Computes to := Q·from·P for P·A·Q = L·U.
template <class E>
struct Permute {
  const int *rows, *cols;
  MatrixView<const E> from;
  MatrixView<E> to;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(to, cols[i], rows[j]) = at(from, i, j); }
};

}  // namespace detail

/// Factors a square A in place.
template <class Machine, class E>
DeviceLU<E> lu_complete(Machine& machine, DeviceMatrix<E> A) {
  using Choose = detail::ChoosePivot<E>;
  using Eliminate = detail::Eliminate<E>;
  const Index n = A.rows();
  if (A.cols() != n) throw std::invalid_argument("lu_complete: the matrix is not square");
  auto& executor = machine.executor;
  const auto count = static_cast<std::size_t>(n);
  DeviceLU<E> lu{std::move(A), executor.template allocate<int>(count), executor.template allocate<int>(count), 0};
  if (n == 0) return lu;
  const Buffer<double> column_max = executor.template allocate<double>(count);
  const Buffer<detail::LuState> state = executor.template allocate<detail::LuState>(1);
  machine.for_each(n, 1, detail::StartLu{lu.rows.data(), lu.cols.data(), state.data()});
  machine.reduce_columns(n, n, detail::ColumnMaxima<E>{lu.LU.view(), column_max.data()});
  constexpr Index most_blocks = 4096;
  for (Index k = 0; k < n; ++k) {
    const detail::LuArguments<E> arguments{lu.LU.view(),   column_max.data(), lu.rows.data(),
                                           lu.cols.data(), state.data(),      k};
    executor.template launch<Choose>(1, Choose::shared_bytes, arguments);
    executor.template launch<Eliminate>(static_cast<int>(std::min(n, most_blocks)), Eliminate::shared_bytes, arguments);
  }
  detail::LuState last;
  executor.download(&last, state.data(), 1);
  lu.rank = last.rank;
  return lu;
}

/// Computes A⁻¹ = Q·U⁻¹·L⁻¹·P. Throws std::domain_error if A is singular.
template <class Machine, class E>
DeviceMatrix<E> inverse(ExtendedProduct<Machine>& product, const DeviceLU<E>& lu) {
  Machine& machine = product.machine();
  const Index n = lu.LU.rows();
  if (lu.rank < n) throw std::domain_error("inverse: the matrix is singular");
  const DeviceMatrix<E> B = machine.template matrix<E>(n, n);
  machine.for_each(n, n, SetIdentity<E>{B});
  const MatrixView<const E> factors = lu.LU.view();
  solve_triangular<Triangle::lower, Diagonal::unit>(product, factors, B.view(), Sides::lower);
  solve_triangular<Triangle::upper, Diagonal::general>(product, factors, B.view());
  DeviceMatrix<E> X = machine.template matrix<E>(n, n);
  machine.for_each(n, n, detail::Permute<E>{lu.rows.data(), lu.cols.data(), B, X});
  return X;
}

}  // namespace pivotlab::extended
