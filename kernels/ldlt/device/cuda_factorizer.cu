// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"
#include "kernels/ldlt/device/factorizer.hpp"

namespace pivotlab::ldlt_device {

template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_cuda_factorizer(const FactorizationPlan& plan, void* workspace,
                                                          const std::optional<CallerStream>& stream) {
  return make_factorizer<CudaExecutor, T>(plan, workspace, stream);
}
template std::unique_ptr<DeviceFactorizer<double>> make_cuda_factorizer(const FactorizationPlan&, void*,
                                                                        const std::optional<CallerStream>&);
template std::unique_ptr<DeviceFactorizer<std::complex<double>>> make_cuda_factorizer(
    const FactorizationPlan&, void*, const std::optional<CallerStream>&);

}  // namespace pivotlab::ldlt_device
