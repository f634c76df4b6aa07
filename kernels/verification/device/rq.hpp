// SPDX-License-Identifier: BSD-3-Clause
// The unitary factor of an RQ factorization on a device, in double.
#pragma once

#include "kernels/verification/device/measuring.hpp"

namespace pivotlab::experiments::device {

/// Computes Xᴴ with its columns in reverse order, rounded.
template <class T>
struct ReversedAdjoint {
  MatrixView<const Extended<T>> X;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = conjugate(round_to_double<T>(at(X, X.rows - 1 - j, i)));
  }
};

/// Multiplies column j of Q by r_jj/|r_jj|, so that Q·R remains unchanged if the diagonal of R becomes ≥ 0.
template <class T>
struct TurnColumns {
  MatrixView<const T> R;
  MatrixView<T> Q;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T r = at(R, j, j);
    const double size = modulus(r);
    if (size != 0) at(Q, i, j) = times(at(Q, i, j), times_real(r, 1 / size));
  }
};

/// Computes Q of X = R·Qᴴ, R upper triangular with a real diagonal ≥ 0, up to the order of its columns.
template <class T, class Machine>
extended::DeviceMatrix<T> rq_unitary_factor(Machine& machine, const extended::DeviceMatrix<Extended<T>>& X) {
  const Index n = X.cols();
  extended::DeviceMatrix<T> Q = machine.template matrix<T>(n, n);
  const extended::DeviceMatrix<T> R = machine.template matrix<T>(n, n);
  machine.for_each(n, n, ReversedAdjoint<T>{X, Q});
  machine.qr(Q.view(), R.view());
  machine.for_each(n, n, TurnColumns<T>{R, Q});
  return Q;
}

}  // namespace pivotlab::experiments::device
