// SPDX-License-Identifier: BSD-3-Clause
// Makes the factorizer that a plan selects.
#pragma once

#include "kernels/ldlt/device/blocked_factorizer.hpp"
#include "kernels/ldlt/device/complete_factorizer.hpp"

#include <type_traits>
#include <utility>

namespace pivotlab::ldlt_device {

/// Calls work with the type of the factorizer that a plan selects.
template <class Executor, class T, bool hermitian, class Work>
auto with_pivoting(const FactorizationPlan& plan, const Work& work) {
  if (plan.pivoting != Pivoting::complete) return work(std::type_identity<BlockedFactorizer<Executor, T, hermitian>>());
  if constexpr (!is_complex<T>)
    if (plan.design.steered.value_or(worth_steering(plan.order)))
      return work(std::type_identity<CompleteFactorizer<Executor, T, hermitian, true>>());
  return work(std::type_identity<CompleteFactorizer<Executor, T, hermitian, false>>());
}
template <class Executor, class T, class Work>
auto with_factorizer(const FactorizationPlan& plan, const Work& work) {
  if constexpr (is_complex<T>)
    if (!plan.hermitian) return with_pivoting<Executor, T, false>(plan, work);
  return with_pivoting<Executor, T, true>(plan, work);
}

template <class Executor, class T, class... ExecutorArguments>
std::unique_ptr<DeviceFactorizer<T>> make_factorizer(const FactorizationPlan& plan, void* workspace,
                                                     ExecutorArguments&&... arguments) {
  return with_factorizer<Executor, T>(
      plan, [&]<class Factorizer>(std::type_identity<Factorizer>) -> std::unique_ptr<DeviceFactorizer<T>> {
        return std::make_unique<Factorizer>(plan, arena_of(workspace), std::forward<ExecutorArguments>(arguments)...);
      });
}

}  // namespace pivotlab::ldlt_device
