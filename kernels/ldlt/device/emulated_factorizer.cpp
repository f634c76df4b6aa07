// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"
#include "kernels/ldlt/device/factorizer.hpp"

namespace pivotlab::ldlt_device {

template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_emulated_factorizer(const FactorizationPlan& plan, LaneOrder order,
                                                              void* workspace) {
  return make_factorizer<HostExecutor, T>(plan, workspace, order);
}
template decltype(make_emulated_factorizer<double>) make_emulated_factorizer<double>;
template decltype(make_emulated_factorizer<std::complex<double>>) make_emulated_factorizer<std::complex<double>>;

template <class T>
std::size_t workspace_bytes(const FactorizationPlan& plan) {
  return with_factorizer<SizeExecutor, T>(plan, [&]<class Factorizer>(std::type_identity<Factorizer>) {
    return Factorizer(plan, Arena(nullptr)).workspace_bytes();
  });
}
template std::size_t workspace_bytes<double>(const FactorizationPlan&);
template std::size_t workspace_bytes<std::complex<double>>(const FactorizationPlan&);

}  // namespace pivotlab::ldlt_device
