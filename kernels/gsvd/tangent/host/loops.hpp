// SPDX-License-Identifier: BSD-3-Clause
// Own operations of the tangent path in loops of the host. The bits do not depend on the number of threads.
#pragma once

#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <pivotlab/matrix.hpp>
#include <type_traits>

namespace pivotlab::tangent {

class Loops {
 public:
  explicit Loops(int threads) : threads_(thread_count(threads)) {}

  template <class F>
  void for_each(Index rows, Index cols, const F& f) const {
    if (cols < threads_) {  // a few long columns
#pragma omp parallel for num_threads(threads_)
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < cols; ++j) f(i, j);
      return;
    }
#pragma omp parallel for num_threads(threads_)
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i) f(i, j);
  }

  template <class F>
  void reduce_columns(Index rows, Index cols, const F& f) const {
#pragma omp parallel for num_threads(threads_)
    for (Index j = 0; j < cols; ++j) {
      typename F::Value value{};
      for (Index i = 0; i < rows; ++i) value = typename F::Combine()(value, f.term(i, j));
      f.store(j, value);
    }
  }

  template <class X>
  void upload(X* to, const std::type_identity_t<X>* from, std::size_t count) const {
    std::copy_n(from, count, to);
  }
  template <class X>
  void download(X* to, const std::type_identity_t<X>* from, std::size_t count) const {
    std::copy_n(from, count, to);
  }

 private:
  int threads_;
};

}  // namespace pivotlab::tangent
