// SPDX-License-Identifier: BSD-3-Clause
// Own operations of the tangent path as kernels.
#pragma once

#include "kernels/numerics/elements.hpp"

#include <cstddef>
#include <pivotlab/matrix.hpp>
#include <type_traits>

namespace pivotlab::tangent {

/// Launches kernels by an executor, which it does not own.
template <class Executor>
class Kernels {
 public:
  explicit Kernels(Executor& executor) : executor_(&executor) {}

  template <class F>
  void for_each(Index rows, Index cols, const F& f) const {
    pivotlab::for_each(*executor_, rows, cols, f);
  }
  template <class F>
  void reduce_columns(Index rows, Index cols, const F& f) const {
    pivotlab::reduce_columns(*executor_, rows, cols, f);
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
