// SPDX-License-Identifier: BSD-3-Clause
// Launches the kernels on an executor.
#pragma once

#include "kernels/batch/eig_small.hpp"
#include "kernels/batch/eigh_small.hpp"
#include "kernels/batch/gsvd_small.hpp"
#include "kernels/batch/jacobi_small.hpp"
#include "kernels/batch/run.hpp"
#include "kernels/batch/solve_small.hpp"

#include <type_traits>

namespace pivotlab::batch {

/// Calls f with the least of the orders 16, 32, 64, 128, 256 that is not below n, as a constant.
template <class Function>
auto with_largest(int n, const Function& f) {
  if (n <= 16) return f(std::integral_constant<int, 16>());
  if (n <= 32) return f(std::integral_constant<int, 32>());
  if (n <= 64) return f(std::integral_constant<int, 64>());
  if (n <= 128) return f(std::integral_constant<int, 128>());
  return f(std::integral_constant<int, 256>());
}

template <class Executor, class T>
void launch(Executor& executor, const FactorArguments<T>& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    using Body = FactorSmall<T, largest>;
    executor.template launch<Body>(count, Body::shared_bytes(a.n), a);
  });
}

template <class Executor, class T>
void launch(Executor& executor, const SolveArguments<T>& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    using Body = SolveSmall < T, largest<32 ? 32 : largest>;
    executor.template launch<Body>(count, Body::shared_bytes(a.n), a);
  });
}

template <class Executor, class T>
void launch(Executor& executor, const SignedFactorArguments<T>& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    executor.template launch < SignedFactorSmall<T, largest<32 ? 32 : largest>>(count, 0, a);
  });
}

template <class Executor, class T>
void launch(Executor& executor, const JacobiArguments<T>& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    using Body = JacobiSmall<T, largest>;
    executor.template launch<Body>(count, Body::shared_bytes(a.m, a.n, a.V.data != nullptr), a);
  });
}

template <class Executor, class T>
void launch(Executor& executor, const GsvdArguments<T>& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    executor.template launch<GsvdSmall<T, largest>>(count, GsvdSmall<T, largest>::shared_bytes(a), a);
  });
}

template <class Executor>
void launch(Executor& executor, const EigArguments& a, int count) {
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) {
    using Body = EigSmall<largest>;
    executor.template launch<Body>(count, Body::shared_bytes(a.n), a);
  });
}

template <class Executor, class T>
void launch(Executor& executor, const EighArguments<T>& a, int count) {
  EighSmall<T, Executor> solver(executor, a, count);
  with_largest(a.n, [&]<int largest>(std::integral_constant<int, largest>) { solver.template run<largest>(); });
}

}  // namespace pivotlab::batch
