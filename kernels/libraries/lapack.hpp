// SPDX-License-Identifier: BSD-3-Clause
// The routines of BLAS and LAPACK, overloaded on the scalar, double or complex double. Matrices are column-major.
// LAPACK's routines return info ≥ 0; workspace that does not fit throws std::bad_alloc.
#pragma once

#include <complex>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <cblas.h>
#include <lapacke.h>
#include <kernels/libraries/options.hpp>
#include <pivotlab/matrix.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace pivotlab::lapack {

using Complex = std::complex<double>;

inline lapack_int size(Index n) {
  if (n > std::numeric_limits<lapack_int>::max())
    throw std::length_error("a dimension does not fit into LAPACK's integers");
  return static_cast<lapack_int>(n);
}

/// Returns the leading dimension of a view.
template <class T>
lapack_int leading(MatrixView<T> A) {
  return size(std::max<Index>(1, A.stride));
}

inline lapack_int checked(const char* routine, lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  if (info < 0) throw std::logic_error(std::string(routine) + ": argument " + std::to_string(-info) + " is not valid");
  return info;
}

/// Calls the routine for T, of which names and functions are given, on column-major matrices.
template <class T, class RealRoutine, class ComplexRoutine, class... Arguments>
lapack_int call(const char* real_name, RealRoutine real, const char* complex_name, ComplexRoutine complex,
                Arguments... arguments) {
  return checked(pick<T>(real_name, complex_name), pick<T>(real, complex)(LAPACK_COL_MAJOR, arguments...));
}

// ---- BLAS ----

inline CBLAS_SIDE cblas(Side side) {
  return side == Side::left ? CblasLeft : CblasRight;
}
inline CBLAS_UPLO cblas(Triangle triangle) {
  return triangle == Triangle::upper ? CblasUpper : CblasLower;
}
template <class T>
CBLAS_TRANSPOSE cblas(Op op) {
  return op == Op::none ? CblasNoTrans : is_complex<T> && op == Op::adjoint ? CblasConjTrans : CblasTrans;
}
/// Complex factors are passed by address.
inline double factor(const double& x) {
  return x;
}
inline const void* factor(const Complex& x) {
  return &x;
}

/// Computes C := α·op(A)·B + β·C.
template <class T>
void gemm(Op op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) {
  if (C.rows == 0 || C.cols == 0) return;
  const T a = alpha, b = beta;
  pick<T>(cblas_dgemm, cblas_zgemm)(CblasColMajor, cblas<T>(op), CblasNoTrans, size(C.rows), size(C.cols), size(B.rows),
                                    factor(a), A.data, leading(A), B.data, leading(B), factor(b), C.data, leading(C));
}

/// Computes a triangle of C := AᴴA.
template <class T>
void gram(Triangle triangle, MatrixView<const T> A, MatrixView<T> C) {
  pick<T>(cblas_dsyrk, cblas_zherk)(CblasColMajor, cblas(triangle), cblas<T>(Op::adjoint), size(A.cols), size(A.rows),
                                    1.0, A.data, leading(A), 0.0, C.data, leading(C));
}

/// Computes X := op(R)⁻¹·X or X·op(R)⁻¹ for a triangular R on that side.
template <class T>
void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) {
  const T one = 1.0;
  pick<T>(cblas_dtrsm, cblas_ztrsm)(CblasColMajor, cblas(side), cblas(triangle), cblas<T>(op), CblasNonUnit,
                                    size(X.rows), size(X.cols), factor(one), R.data, leading(R), X.data, leading(X));
}

/// Computes Y := M·X or X·M for a triangular M on that side.
template <class T>
void trmm(Side side, Triangle triangle, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) {
  for (Index j = 0; j < X.cols; ++j) std::ranges::copy(X.col(j), Y.col(j).begin());
  const T one = 1.0;
  pick<T>(cblas_dtrmm, cblas_ztrmm)(CblasColMajor, cblas(side), cblas(triangle), CblasNoTrans, CblasNonUnit,
                                    size(Y.rows), size(Y.cols), factor(one), M.data, leading(M), Y.data, leading(Y));
}

/// Returns ‖x‖₂ without undue overflow or underflow.
template <class T>
double norm(std::span<const T> x) {
  return pick<T>(cblas_dnrm2, cblas_dznrm2)(size(std::ssize(x)), x.data(), 1);
}

// ---- Factorizations ----

inline char letter(Triangle triangle) {
  return triangle == Triangle::upper ? 'U' : 'L';
}

/// Computes A = LLᴴ in the lower triangle.
template <class T>
lapack_int potrf(MatrixView<T> A) {
  return call<T>("dpotrf", LAPACKE_dpotrf, "zpotrf", LAPACKE_zpotrf, 'L', size(A.cols), A.data, leading(A));
}

/// Computes A = QR: R in the upper triangle, reflectors below.
template <class T>
lapack_int geqrf(MatrixView<T> A, T* tau) {
  return call<T>("dgeqrf", LAPACKE_dgeqrf, "zgeqrf", LAPACKE_zgeqrf, size(A.rows), size(A.cols), A.data, leading(A),
                 tau);
}

/// Computes A·P = QR; column j of A·P is column order[j] − 1 of A. `order` is 0 before.
template <class T>
lapack_int geqp3(MatrixView<T> A, lapack_int* order, T* tau) {
  return call<T>("dgeqp3", LAPACKE_dgeqp3, "zgeqp3", LAPACKE_zgeqp3, size(A.rows), size(A.cols), A.data, leading(A),
                 order, tau);
}

/// Computes A = RQ: R in the last columns, reflectors before.
template <class T>
lapack_int gerqf(MatrixView<T> A, T* tau) {
  return call<T>("dgerqf", LAPACKE_dgerqf, "zgerqf", LAPACKE_zgerqf, size(A.rows), size(A.cols), A.data, leading(A),
                 tau);
}

/// Replaces the reflectors of geqrf by the columns of Q.
template <class T>
lapack_int ungqr(MatrixView<T> A, const T* tau) {
  return call<T>("dorgqr", LAPACKE_dorgqr, "zungqr", LAPACKE_zungqr, size(A.rows), size(A.cols), size(A.cols), A.data,
                 leading(A), tau);
}

/// Computes C := Q·C, or Qᴴ·C, for the reflectors in all columns of A.
template <class T>
lapack_int unmqr(bool adjoint, MatrixView<const T> A, const T* tau, MatrixView<T> C) {
  return call<T>("dormqr", LAPACKE_dormqr, "zunmqr", LAPACKE_zunmqr, 'L', adjoint ? pick<T>('T', 'C') : 'N',
                 size(C.rows), size(C.cols), size(A.cols), A.data, leading(A), tau, C.data, leading(C));
}

/// Computes C := C·Qᴴ for `count` reflectors of gerqf. LAPACKE's check for NaN, which LAPACKE_xORMRQ includes, reads
/// beyond the reflectors where C has more rows than columns.
template <class T>
lapack_int unmrq(MatrixView<const T> A, Index count, const T* tau, MatrixView<T> C) {
  const auto apply = [&](T* work, lapack_int length) {
    return call<T>("dormrq", LAPACKE_dormrq_work, "zunmrq", LAPACKE_zunmrq_work, 'R', pick<T>('T', 'C'), size(C.rows),
                   size(C.cols), size(count), A.data, leading(A), tau, C.data, leading(C), work, length);
  };
  T length(0);
  apply(&length, -1);
  std::vector<T> work(static_cast<std::size_t>(std::real(length)));
  return apply(work.data(), static_cast<lapack_int>(work.size()));
}

// ---- Eigenvalues and singular values ----

/// Computes eigenvalues, ascending, and eigenvectors, which overwrite A, from a triangle of a Hermitian A.
template <class T>
lapack_int heevd(Triangle triangle, MatrixView<T> A, double* lambda) {
  return call<T>("dsyevd", LAPACKE_dsyevd, "zheevd", LAPACKE_zheevd, 'V', letter(triangle), size(A.rows), A.data,
                 leading(A), lambda);
}

/// Computes them from the upper triangle by relatively robust representations; A is overwritten.
template <class T>
lapack_int heevr(MatrixView<T> A, double* lambda, MatrixView<T> U) {
  lapack_int found = 0;
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(A.rows));
  return call<T>("dsyevr", LAPACKE_dsyevr, "zheevr", LAPACKE_zheevr, 'V', 'A', 'U', size(A.rows), A.data, leading(A), 0,
                 0, 0, 0, 0, &found, lambda, U.data, leading(U), support.data());
}

/// Computes the eigenvalues alone, by a band matrix; A is overwritten.
template <class T>
lapack_int heev_2stage(MatrixView<T> A, double* lambda) {
  return call<T>("dsyev_2stage", LAPACKE_dsyev_2stage, "zheev_2stage", LAPACKE_zheev_2stage, 'N', 'U', size(A.rows),
                 A.data, leading(A), lambda);
}

/// Solves A·x = λ·B·x from the upper triangles; the eigenvectors overwrite A, xᴴBx = 1, λ ascends.
template <class T>
lapack_int hegvd(MatrixView<T> A, MatrixView<T> B, double* lambda) {
  return call<T>("dsygvd", LAPACKE_dsygvd, "zhegvd", LAPACKE_zhegvd, 1, 'V', 'U', size(A.rows), A.data, leading(A),
                 B.data, leading(B), lambda);
}

/// Computes A = U·diag(s)·Wᴴ, thin; A is overwritten.
template <class T>
lapack_int gesdd(MatrixView<T> A, double* s, MatrixView<T> U, MatrixView<T> WH) {
  return call<T>("dgesdd", LAPACKE_dgesdd, "zgesdd", LAPACKE_zgesdd, 'S', size(A.rows), size(A.cols), A.data,
                 leading(A), s, U.data, leading(U), WH.data, leading(WH));
}

/// Computes A = U·diag(s)·Vᴴ by one-sided Jacobi; U overwrites A.
template <class T>
lapack_int gesvj(MatrixView<T> A, double* s, MatrixView<T> V) {
  double stat[6] = {};
  const lapack_int info = call<T>("dgesvj", LAPACKE_dgesvj, "zgesvj", LAPACKE_zgesvj, 'G', 'U', 'V', size(A.rows),
                                  size(A.cols), A.data, leading(A), s, 0, V.data, leading(V), stat);
  for (Index j = 0; j < A.cols; ++j) s[j] *= stat[0];
  return info;
}

/// Computes A = U·diag(s)·Vᴴ by QR with column pivoting, then one-sided Jacobi; A is overwritten.
template <class T>
lapack_int gejsv(MatrixView<T> A, double* s, MatrixView<T> U, MatrixView<T> V) {
  double stat[7] = {};
  lapack_int counts[4] = {};
  const lapack_int info =
      call<T>("dgejsv", LAPACKE_dgejsv, "zgejsv", LAPACKE_zgejsv, 'C', 'U', 'V', 'N', 'N', 'N', size(A.rows),
              size(A.cols), A.data, leading(A), s, U.data, leading(U), V.data, leading(V), stat, counts);
  for (Index j = 0; j < A.cols; ++j) s[j] *= stat[0] / stat[1];
  return info;
}

/// Calls xGGSVD3: UᴴFQ = D₁·[0 R], VᴴGQ = D₂·[0 R] with full U (m_F × m_F), V (m_G × m_G) and Q; returns the ranks in k
/// and l, R in F and, if m_F < k + l, the rest in G.
template <class T>
lapack_int ggsvd3(MatrixView<T> F, MatrixView<T> G, lapack_int& k, lapack_int& l, double* alpha, double* beta,
                  MatrixView<T> U, MatrixView<T> V, MatrixView<T> Q) {
  std::vector<lapack_int> order(static_cast<std::size_t>(F.cols));
  return call<T>("dggsvd3", LAPACKE_dggsvd3, "zggsvd3", LAPACKE_zggsvd3, 'U', 'V', 'Q', size(F.rows), size(F.cols),
                 size(G.rows), &k, &l, F.data, leading(F), G.data, leading(G), alpha, beta, U.data, leading(U), V.data,
                 leading(V), Q.data, leading(Q), order.data());
}

/// Computes the eigenvalues w (of a real A: real and imaginary parts), right eigenvectors V and, if W has columns, left
/// ones; A is overwritten.
template <class T, class... Values>
lapack_int geev(MatrixView<T> A, MatrixView<T> W, MatrixView<T> V, Values*... w) {
  return call<T>("dgeev", LAPACKE_dgeev, "zgeev", LAPACKE_zgeev, W.cols > 0 ? 'V' : 'N', 'V', size(A.rows), A.data,
                 leading(A), w..., W.data, leading(W), V.data, leading(V));
}

/// Computes the same by xGEEVX without balancing and condition numbers.
template <class T, class... Values>
lapack_int geevx(MatrixView<T> A, MatrixView<T> W, MatrixView<T> V, Values*... w) {
  std::vector<double> scale(static_cast<std::size_t>(A.rows));
  lapack_int low = 0, high = 0;
  double norm = 0;
  return call<T>("dgeevx", LAPACKE_dgeevx, "zgeevx", LAPACKE_zgeevx, 'N', W.cols > 0 ? 'V' : 'N', 'V', 'N',
                 size(A.rows), A.data, leading(A), w..., W.data, leading(W), V.data, leading(V), &low, &high,
                 scale.data(), &norm, nullptr, nullptr);
}

/// Computes the eigenvalues α/β of the pencil A − λ·B, right eigenvectors V and, if W has columns, left ones; A and B
/// are overwritten.
inline lapack_int ggev(MatrixView<Complex> A, MatrixView<Complex> B, MatrixView<Complex> W, MatrixView<Complex> V,
                       Complex* alpha, Complex* beta) {
  return checked("zggev3",
                 LAPACKE_zggev3(LAPACK_COL_MAJOR, W.cols > 0 ? 'V' : 'N', 'V', size(A.rows), A.data, leading(A), B.data,
                                leading(B), alpha, beta, W.data, leading(W), V.data, leading(V)));
}

}  // namespace pivotlab::lapack
