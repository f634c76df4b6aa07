// A build without CUDA.
#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/device/inverse_sums.hpp"

#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::ldlt_device {

template <class T>
std::unique_ptr<DeviceFactorizer<T>> make_cuda_factorizer(const FactorizationPlan&, void*,
                                                          const std::optional<CallerStream>&) {
  throw NotSupported(
      "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}
template std::unique_ptr<DeviceFactorizer<double>> make_cuda_factorizer(const FactorizationPlan&, void*,
                                                                        const std::optional<CallerStream>&);
template std::unique_ptr<DeviceFactorizer<std::complex<double>>> make_cuda_factorizer(
    const FactorizationPlan&, void*, const std::optional<CallerStream>&);

template <class T>
std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const T>, const std::vector<double>&) {
  return std::nullopt;
}
template std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const double>, const std::vector<double>&);
template std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const std::complex<double>>,
                                                         const std::vector<double>&);

}  // namespace pivotlab::ldlt_device
