// SPDX-License-Identifier: BSD-3-Clause
// The 2-norm of a matrix on a device, by Lanczos' method.
#pragma once

#include "kernels/verification/device/measuring.hpp"
#include "kernels/verification/lanczos.hpp"

namespace pivotlab::experiments::device {

template <class T, class Machine>
double spectral_norm(Machine& machine, const extended::DeviceMatrix<T>& A) {
  const auto n = static_cast<std::size_t>(A.cols());
  const Buffer<T> x = machine.executor.template allocate<T>(n);
  const Buffer<T> y = machine.executor.template allocate<T>(static_cast<std::size_t>(A.rows()));
  const auto column = [](const Buffer<T>& v) {
    const auto length = static_cast<Index>(v.size());
    return MatrixView<T>{v.data(), length, 1, length};
  };
  return largest_singular_value<T>(n, [&](const std::vector<T>& v) {
    machine.executor.upload(x.data(), v.data(), n);
    machine.gemm(false, A, false, column(x), column(y));
    machine.reduce_columns(A.rows(), A.cols(), AdjointTimesVector<T>{A, y.data(), x.data()});
    return machine.download(x);
  });
}

}  // namespace pivotlab::experiments::device
