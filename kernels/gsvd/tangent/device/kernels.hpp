// SPDX-License-Identifier: BSD-3-Clause
// Own operations of the tangent path as kernels.
//
// ReduceColumns: a block of 256 threads per column; thread t combines rows t, t + 256, …, then the block combines its
// threads' values pairwise in shared memory, in a fixed order.
#pragma once

#include "kernels/exec/for_each.hpp"
#include "kernels/exec/portable.hpp"

#include <cstddef>
#include <pivotlab/matrix.hpp>
#include <type_traits>

namespace pivotlab::tangent {

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
    const int t = context.thread();
    Value value{};
    for (Index i = t; i < a.rows; i += threads) value = Combine()(value, a.f.term(i, j));
    const auto values = context.template shared<Value>(0, threads);
    values[t] = value;
    for (int half = threads / 2; half > 0; half /= 2) {
      context.sync();
      if (t < half) values[t] = Combine()(values[t], values[t + half]);
    }
    if (t == 0) a.f.store(j, values[0]);
  }
};

/// Launches them by an executor, which it does not own.
template <class Executor>
class Kernels {
 public:
  explicit Kernels(Executor& executor) : executor_(&executor) {}

  template <class F>
  void for_each(Index rows, Index cols, const F& f) const {
    using Body = ForEach<F>;
    const Index blocks = (rows * cols + Body::threads - 1) / Body::threads;
    if (blocks > 0) executor_->template launch<Body>(static_cast<int>(blocks), 0, {f, rows, cols});
  }
  template <class F>
  void reduce_columns(Index rows, Index cols, const F& f) const {
    using Body = ReduceColumns<F>;
    if (cols > 0) executor_->template launch<Body>(static_cast<int>(cols), Body::shared_bytes, {f, rows});
  }
  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) const {
    executor_->template launch<Body>(blocks, shared_bytes, arguments);
  }
  template <class X>
  void fill_zero(X* to, std::size_t count) const {
    executor_->template fill_zero<X>(to, count);
  }
  template <class X>
  void upload(X* to, const std::type_identity_t<X>* from, std::size_t count) const {
    executor_->template upload<X>(to, from, count);
  }
  template <class X>
  void download(X* to, const std::type_identity_t<X>* from, std::size_t count) const {
    executor_->template download<X>(to, from, count);
  }

 private:
  Executor* executor_;
};

}  // namespace pivotlab::tangent
