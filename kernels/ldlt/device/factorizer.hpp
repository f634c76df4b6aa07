// Makes the factorizer that a plan selects.
#pragma once

#include "kernels/ldlt/device/blocked_factorizer.hpp"
#include "kernels/ldlt/device/complete_factorizer.hpp"

#include <utility>

namespace pivotlab::ldlt_device {

template <class Executor, class T, bool hermitian, class... ExecutorArguments>
std::unique_ptr<DeviceFactorizer<T>> make_factorizer_for(const FactorizationPlan& plan,
                                                         ExecutorArguments&&... arguments) {
  if (plan.pivoting == Pivoting::complete)
    return std::make_unique<CompleteFactorizer<Executor, T, hermitian>>(plan,
                                                                        std::forward<ExecutorArguments>(arguments)...);
  return std::make_unique<BlockedFactorizer<Executor, T, hermitian>>(plan,
                                                                     std::forward<ExecutorArguments>(arguments)...);
}

template <class Executor, class T, class... ExecutorArguments>
std::unique_ptr<DeviceFactorizer<T>> make_factorizer(const FactorizationPlan& plan, ExecutorArguments&&... arguments) {
  if constexpr (is_complex<T>)
    if (!plan.hermitian)
      return make_factorizer_for<Executor, T, false>(plan, std::forward<ExecutorArguments>(arguments)...);
  return make_factorizer_for<Executor, T, true>(plan, std::forward<ExecutorArguments>(arguments)...);
}

}  // namespace pivotlab::ldlt_device
