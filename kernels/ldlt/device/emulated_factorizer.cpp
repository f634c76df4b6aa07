#include "kernels/exec/host_executor.hpp"
#include "kernels/ldlt/device/factorizer.hpp"

namespace pivotlab::ldlt_device {

template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_emulated_factorizer(const FactorizationPlan& plan, LaneOrder order) {
  return make_factorizer<HostExecutor, T>(plan, order);
}
template std::unique_ptr<DeviceFactorizer<double>> make_emulated_factorizer(const FactorizationPlan&, LaneOrder);
template std::unique_ptr<DeviceFactorizer<std::complex<double>>> make_emulated_factorizer(const FactorizationPlan&,
                                                                                          LaneOrder);

}  // namespace pivotlab::ldlt_device
