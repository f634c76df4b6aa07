// SPDX-License-Identifier: BSD-3-Clause
// QR and RQ factorizations by LAPACK, and products with their unitary factors. An empty matrix is left as it is.
#pragma once

#include "kernels/libraries/lapack.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pivotlab::lapack {

/// A factorization A = Q·R or A·P = Q·R (reflectors below the diagonal, R above), or A = R·Q (R in the last columns).
template <class T>
struct Reflectors {
  Reflectors() = default;
  explicit Reflectors(MatrixView<const T> given)
      : A(given), tau(static_cast<std::size_t>(std::min(given.rows, given.cols))) {}

  Matrix<T> A;
  std::vector<T> tau;
  std::vector<lapack_int> order;  ///< column j of A·P is column order[j] − 1 of A; only with pivoting

  Index count() const { return static_cast<Index>(tau.size()); }
};

/// Computes A·P = Q·R with |r_jj| not ascending.
template <class T>
Reflectors<T> pivoted_qr(MatrixView<const T> A) {
  Reflectors<T> qr(A);
  qr.order.resize(A.cols);
  if (A.rows == 0) std::iota(qr.order.begin(), qr.order.end(), 1);
  if (qr.count() > 0) geqp3<T>(qr.A, qr.order.data(), qr.tau.data());
  return qr;
}

/// Computes A = Q·R.
template <class T>
Reflectors<T> qr(MatrixView<const T> A) {
  Reflectors<T> result(A);
  if (result.count() > 0) geqrf<T>(result.A, result.tau.data());
  return result;
}

/// Computes A = R·Q.
template <class T>
Reflectors<T> rq(MatrixView<const T> A) {
  Reflectors<T> result(A);
  if (result.count() > 0) gerqf<T>(result.A, result.tau.data());
  return result;
}

/// Computes C := Q·C, or Qᴴ·C, for Q of a QR factorization.
template <class T>
void multiply_by_q(const Reflectors<T>& qr, bool adjoint, MatrixView<T> C) {
  if (qr.count() > 0 && C.cols > 0) unmqr<T>(adjoint, qr.A.view().cols_range(0, qr.count()), qr.tau.data(), C);
}

/// Computes C := C·Qᴴ for Q of an RQ factorization.
template <class T>
void multiply_by_adjoint(MatrixView<T> C, const Reflectors<T>& rq) {
  if (rq.count() > 0 && C.rows > 0) unmrq<T>(rq.A, rq.count(), rq.tau.data(), C);
}

}  // namespace pivotlab::lapack
