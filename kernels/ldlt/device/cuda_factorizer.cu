#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"
#include "kernels/ldlt/device/factorizer.hpp"

namespace pivotlab::ldlt_device {

template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_cuda_factorizer(const FactorizationPlan& plan) {
  return make_factorizer<CudaExecutor, T>(plan);
}
template std::unique_ptr<DeviceFactorizer<double>> make_cuda_factorizer(const FactorizationPlan&);
template std::unique_ptr<DeviceFactorizer<std::complex<double>>> make_cuda_factorizer(const FactorizationPlan&);

}  // namespace pivotlab::ldlt_device
