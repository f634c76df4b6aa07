// QR and RQ factorizations by LAPACK, and products with their unitary factors. An empty matrix is left as it is.
#pragma once

#include "kernels/libraries/lapack.hpp"

#include <algorithm>
#include <vector>

namespace pivotlab::lapack {

/// A factorization A = Q·R or A·P = Q·R (reflectors below the diagonal, R above), or A = R·Q (R in the last columns).
template <class T>
struct Reflectors {
  Matrix<T> A;
  std::vector<T> tau;
  std::vector<lapack_int> order;  ///< column j of A·P is column order[j] − 1 of A; only with pivoting

  Index count() const { return static_cast<Index>(tau.size()); }
};

namespace detail {

template <class T>
Reflectors<T> with_room(MatrixView<const T> A) {
  return {Matrix<T>(A), std::vector<T>(static_cast<std::size_t>(std::min(A.rows, A.cols))), {}};
}

}  // namespace detail

/// Computes A·P = Q·R with |r_jj| not ascending.
template <class T>
Reflectors<T> pivoted_qr(MatrixView<const T> view) {
  Reflectors<T> qr = detail::with_room(view);
  qr.order.assign(static_cast<std::size_t>(view.cols), 0);
  const MatrixView<T> A = qr.A;
  if (A.rows == 0)
    for (std::size_t j = 0; j < qr.order.size(); ++j) qr.order[j] = static_cast<lapack_int>(j) + 1;
  if (qr.count() == 0) return qr;
  if constexpr (is_complex<T>)
    checked("zgeqp3", LAPACKE_zgeqp3(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), qr.order.data(),
                                     qr.tau.data()));
  else
    checked("dgeqp3", LAPACKE_dgeqp3(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), qr.order.data(),
                                     qr.tau.data()));
  return qr;
}

/// Computes A = Q·R.
template <class T>
Reflectors<T> qr(MatrixView<const T> view) {
  Reflectors<T> result = detail::with_room(view);
  if (result.count() > 0) geqrf(result.A, result.tau.data());
  return result;
}

/// Computes A = R·Q.
template <class T>
Reflectors<T> rq(MatrixView<const T> view) {
  Reflectors<T> result = detail::with_room(view);
  const MatrixView<T> A = result.A;
  if (result.count() == 0) return result;
  if constexpr (is_complex<T>)
    checked("zgerqf",
            LAPACKE_zgerqf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), result.tau.data()));
  else
    checked("dgerqf",
            LAPACKE_dgerqf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), result.tau.data()));
  return result;
}

/// Computes C := Q·C, or Qᴴ·C, for Q of a QR factorization.
template <class T>
void multiply_by_q(const Reflectors<T>& qr, bool adjoint, MatrixView<T> C) {
  if (qr.count() == 0 || C.cols == 0) return;
  const MatrixView<const T> A = qr.A;
  if constexpr (is_complex<T>)
    checked("zunmqr", LAPACKE_zunmqr(LAPACK_COL_MAJOR, 'L', adjoint ? 'C' : 'N', size(C.rows), size(C.cols),
                                     size(qr.count()), A.data, leading(A), qr.tau.data(), C.data, leading(C)));
  else
    checked("dormqr", LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', adjoint ? 'T' : 'N', size(C.rows), size(C.cols),
                                     size(qr.count()), A.data, leading(A), qr.tau.data(), C.data, leading(C)));
}

/// Computes C := C·Qᴴ for Q of an RQ factorization. LAPACKE's check for NaN, which LAPACKE_xORMRQ includes, reads
/// beyond the reflectors where C has more rows than columns.
template <class T>
void multiply_by_adjoint(MatrixView<T> C, const Reflectors<T>& rq) {
  if (rq.count() == 0 || C.rows == 0) return;
  const MatrixView<const T> A = rq.A;
  const auto apply = [&](T* work, lapack_int length) {
    if constexpr (is_complex<T>)
      checked("zunmrq", LAPACKE_zunmrq_work(LAPACK_COL_MAJOR, 'R', 'C', size(C.rows), size(C.cols), size(rq.count()),
                                            A.data, leading(A), rq.tau.data(), C.data, leading(C), work, length));
    else
      checked("dormrq", LAPACKE_dormrq_work(LAPACK_COL_MAJOR, 'R', 'T', size(C.rows), size(C.cols), size(rq.count()),
                                            A.data, leading(A), rq.tau.data(), C.data, leading(C), work, length));
  };
  T length(0);
  apply(&length, -1);
  std::vector<T> work(static_cast<std::size_t>(std::real(length)));
  apply(work.data(), static_cast<lapack_int>(work.size()));
}

/// Computes C := α·op(A)·B + β·C, op the adjoint or none.
template <class T>
void gemm(bool adjoint, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) {
  if (C.rows == 0 || C.cols == 0) return;
  const Index inner = B.rows;
  const auto op = adjoint ? CblasConjTrans : CblasNoTrans;
  if constexpr (is_complex<T>) {
    const T a = alpha, b = beta;
    cblas_zgemm(CblasColMajor, op, CblasNoTrans, size(C.rows), size(C.cols), size(inner), &a, A.data, leading(A),
                B.data, leading(B), &b, C.data, leading(C));
  } else {
    cblas_dgemm(CblasColMajor, op, CblasNoTrans, size(C.rows), size(C.cols), size(inner), alpha, A.data, leading(A),
                B.data, leading(B), beta, C.data, leading(C));
  }
}

}  // namespace pivotlab::lapack
