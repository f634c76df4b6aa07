// SPDX-License-Identifier: BSD-3-Clause
// Kernels that call functions of elements of a matrix, and kernels that combine its columns.
#pragma once

#include "kernels/exec/portable.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

#include <cstddef>
#include <pivotlab/matrix.hpp>

namespace pivotlab {

/// Returns an element of a view, on the device.
template <class T>
PIVOTLAB_DEVICE inline T& at(const MatrixView<T>& A, Index i, Index j) {
  return A.data[i + j * A.stride];
}

/// Calls f(i, j) for 0 ≤ i < rows, 0 ≤ j < cols: a thread per element, 256 threads a block, columns one after the
/// other; no shared memory.
template <class F>
struct ForEach {
  struct Arguments {
    F f;
    Index rows, cols;
  };
  static constexpr int threads = 256, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index e = Index(context.block()) * threads + context.thread();
    if (e < a.rows * a.cols) a.f(e % a.rows, e / a.rows);
  }
};
template <class Executor, class F>
void for_each(Executor& executor, Index rows, Index cols, const F& f) {
  using Body = ForEach<F>;
  const Index blocks = (rows * cols + Body::threads - 1) / Body::threads;
  if (blocks > 0) executor.template launch<Body>(static_cast<int>(blocks), 0, {f, rows, cols});
}

/// Uploads a matrix to contiguous columns: by one copy, or one per column.
template <class Executor, class T>
void upload_matrix(Executor& executor, MatrixView<const T> from, T* to) {
  const bool contiguous = from.stride == from.rows;
  const Index copies = contiguous ? 1 : from.cols, length = contiguous ? from.rows * from.cols : from.rows;
  for (Index j = 0; j < copies; ++j)
    executor.upload(to + j * from.rows, from.data + j * from.stride, static_cast<std::size_t>(length));
}

/// Combines the values of all threads in a fixed order; the first thread gets the result. Uses `threads` elements of
/// shared memory.
template <class Context, class T, class Combine>
PIVOTLAB_DEVICE T reduce_to_first(Context& context, const T& value, Combine combine) {
  const auto values = context.template shared<T>(0, context.threads());
  const int t = context.thread();
  values[t] = value;
  for (int half = context.threads() / 2; half > 0; half /= 2) {
    context.sync();
    if (t < half) values[t] = combine(values[t], values[t + half]);
  }
  return values[t];
}
/// Does the same; every thread gets the result.
template <class Context, class T, class Combine>
PIVOTLAB_DEVICE T reduce_block(Context& context, const T& value, Combine combine) {
  reduce_to_first(context, value, combine);
  context.sync();
  const T result = context.template shared<T>(0, context.threads())[0];
  context.sync();
  return result;
}

/// Calls f.store(j, combined f.term(i, j) over 0 ≤ i < rows) for 0 ≤ j < cols. One block of 256 threads per column;
/// thread t combines rows t, t + 256, …
template <class F>
struct ReduceColumns {
  using Value = typename F::Value;
  using Combine = typename F::Combine;
  struct Arguments {
    F f;
    Index rows;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Value));

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index j = context.block();
    Value value{};
    for (Index i = context.thread(); i < a.rows; i += threads) value = Combine()(value, a.f.term(i, j));
    value = reduce_to_first(context, value, Combine());
    if (context.thread() == 0) a.f.store(j, value);
  }
};
template <class Executor, class F>
void reduce_columns(Executor& executor, Index rows, Index cols, const F& f) {
  using Body = ReduceColumns<F>;
  if (cols > 0) executor.template launch<Body>(static_cast<int>(cols), Body::shared_bytes, {f, rows});
}

// ---- Functions that combine, and functions of elements ----

struct Largest {
  template <class T>
  PIVOTLAB_DEVICE T operator()(T x, T y) const {
    return larger_or_nan(x, y);
  }
};
struct Sum {
  template <class T>
  PIVOTLAB_DEVICE T operator()(T x, T y) const {
    return x + y;
  }
};

template <class T>
struct SetZero {
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(A, i, j) = T(0.0); }
};
template <class T>
struct SetIdentity {
  MatrixView<T> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(A, i, j) = T(i == j ? 1.0 : 0.0); }
};

}  // namespace pivotlab
