// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <kernels/verification/device/gsvd_judge.hpp>
#include <kernels/verification/device/ldlt_judge.hpp>
#include <kernels/verification/device/proved_errors.hpp>

namespace pivotlab::experiments {

using Complex = std::complex<double>;

template <class T>
std::unique_ptr<DeviceJudge<T>> make_device_judge(int) {
  return nullptr;
}

template std::unique_ptr<DeviceJudge<double>> make_device_judge(int);
template std::unique_ptr<DeviceJudge<std::complex<double>>> make_device_judge(int);

template <class T>
std::unique_ptr<LdltDeviceJudge<T>> make_ldlt_device_judge() {
  return nullptr;
}

template <class T>
std::unique_ptr<LdltProvedJudge<T>> make_ldlt_proved_judge() {
  return nullptr;
}

template std::unique_ptr<LdltDeviceJudge<double>> make_ldlt_device_judge();
template std::unique_ptr<LdltDeviceJudge<std::complex<double>>> make_ldlt_device_judge();
template std::unique_ptr<LdltProvedJudge<double>> make_ldlt_proved_judge();
template std::unique_ptr<LdltProvedJudge<std::complex<double>>> make_ldlt_proved_judge();

template <class T>
std::optional<ProvedColumns> residual_on_gpu(const Matrix<T>&, bool, const Matrix<T>&, const Matrix<T>&,
                                             const std::vector<T>&) {
  return std::nullopt;
}

template std::optional<ProvedColumns> residual_on_gpu(const Matrix<double>&, bool, const Matrix<double>&,
                                                      const Matrix<double>&, const std::vector<double>&);
template std::optional<ProvedColumns> residual_on_gpu(const Matrix<Complex>&, bool, const Matrix<Complex>&,
                                                      const Matrix<Complex>&, const std::vector<Complex>&);

template <class T>
std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<T>&, const std::vector<int>&, const Matrix<T>&,
                                                    const Matrix<T>&, const std::vector<double>&) {
  return std::nullopt;
}

template std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<double>&, const std::vector<int>&,
                                                             const Matrix<double>&, const Matrix<double>&,
                                                             const std::vector<double>&);
template std::optional<ProvedColumns> pencil_residual_on_gpu(const Matrix<Complex>&, const std::vector<int>&,
                                                             const Matrix<Complex>&, const Matrix<Complex>&,
                                                             const std::vector<double>&);

std::optional<EigErrors> eig_errors_on_gpu(const Matrix<Complex>&, const EigMatrices&) {
  return std::nullopt;
}

template <class T>
std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<T>&, const std::vector<int>&, const std::vector<int>&) {
  return std::nullopt;
}

template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<double>&, const std::vector<int>&,
                                                           const std::vector<int>&);
template std::optional<Orthogonality> orthogonality_on_gpu(const Matrix<Complex>&, const std::vector<int>&,
                                                           const std::vector<int>&);

}  // namespace pivotlab::experiments
