// SPDX-License-Identifier: BSD-3-Clause
// The 2-norm of a matrix on a device, by Lanczos' method.
#pragma once

#include "kernels/verification/device/measuring.hpp"
#include "kernels/verification/lanczos.hpp"

namespace pivotlab::experiments::device {

template <class T>
struct Adjoint {
  MatrixView<const T> A;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(result, i, j) = conjugate(at(A, j, i)); }
};

/// Multiplies by columns of A and of Aᴴ: a library's product with one column is slow.
template <class T, class Machine>
double spectral_norm(Machine& machine, const extended::DeviceMatrix<T>& A) {
  const auto n = static_cast<std::size_t>(A.cols());
  const auto adjoint = machine.template matrix<T>(A.cols(), A.rows());
  machine.for_each(A.cols(), A.rows(), Adjoint<T>{A, adjoint});
  const Buffer<T> x = machine.executor.template allocate<T>(n);
  const Buffer<T> y = machine.executor.template allocate<T>(static_cast<std::size_t>(A.rows()));
  return largest_singular_value<T>(n, [&](const std::vector<T>& v) {
    machine.executor.upload(x.data(), v.data(), n);
    machine.reduce_columns(A.cols(), A.rows(), AdjointTimesVector<T>{adjoint, x.data(), y.data()});
    machine.reduce_columns(A.rows(), A.cols(), AdjointTimesVector<T>{A, y.data(), x.data()});
    return machine.download(x);
  });
}

}  // namespace pivotlab::experiments::device
