// The routines of BLAS and LAPACK that the baselines need, overloaded on the scalar. Matrices are column-major. The
// routines return LAPACK's info > 0; workspace that does not fit throws std::bad_alloc.
#pragma once

#include <complex>
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <cblas.h>
#include <lapacke.h>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <algorithm>
#include <limits>
#include <new>
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

inline lapack_int checked(const char* routine, lapack_int info) {
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) throw std::bad_alloc();
  if (info < 0) throw std::logic_error(std::string(routine) + ": argument " + std::to_string(-info) + " is not valid");
  return info;
}

/// Returns the leading dimension of a view.
template <class T>
lapack_int leading(MatrixView<T> A) {
  return size(std::max<Index>(1, A.stride));
}

/// Calls xGGSVD3 with full U (m_F × m_F), V (m_G × m_G) and Q; returns the ranks in k and l, R in F.
inline lapack_int ggsvd3(MatrixView<double> F, MatrixView<double> G, lapack_int& k, lapack_int& l, double* alpha,
                         double* beta, MatrixView<double> U, MatrixView<double> V, MatrixView<double> Q) {
  std::vector<lapack_int> order(static_cast<std::size_t>(F.cols));
  return checked("dggsvd3", LAPACKE_dggsvd3(LAPACK_COL_MAJOR, 'U', 'V', 'Q', size(F.rows), size(F.cols), size(G.rows),
                                            &k, &l, F.data, leading(F), G.data, leading(G), alpha, beta, U.data,
                                            leading(U), V.data, leading(V), Q.data, leading(Q), order.data()));
}
inline lapack_int ggsvd3(MatrixView<Complex> F, MatrixView<Complex> G, lapack_int& k, lapack_int& l, double* alpha,
                         double* beta, MatrixView<Complex> U, MatrixView<Complex> V, MatrixView<Complex> Q) {
  std::vector<lapack_int> order(static_cast<std::size_t>(F.cols));
  return checked("zggsvd3", LAPACKE_zggsvd3(LAPACK_COL_MAJOR, 'U', 'V', 'Q', size(F.rows), size(F.cols), size(G.rows),
                                            &k, &l, F.data, leading(F), G.data, leading(G), alpha, beta, U.data,
                                            leading(U), V.data, leading(V), Q.data, leading(Q), order.data()));
}

/// Computes the upper triangle of the Gram matrix AᴴA.
inline void gram(MatrixView<const double> A, MatrixView<double> C) {
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, size(A.cols), size(A.rows), 1.0, A.data, leading(A), 0.0, C.data,
              leading(C));
}
inline void gram(MatrixView<const Complex> A, MatrixView<Complex> C) {
  cblas_zherk(CblasColMajor, CblasUpper, CblasConjTrans, size(A.cols), size(A.rows), 1.0, A.data, leading(A), 0.0,
              C.data, leading(C));
}

/// Solves A·x = λ·B·x from the upper triangles; the eigenvectors overwrite A, xᴴBx = 1, λ ascends.
inline lapack_int hegvd(MatrixView<double> A, MatrixView<double> B, double* lambda) {
  return checked("dsygvd", LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', size(A.rows), A.data, leading(A), B.data,
                                          leading(B), lambda));
}
inline lapack_int hegvd(MatrixView<Complex> A, MatrixView<Complex> B, double* lambda) {
  return checked("zhegvd", LAPACKE_zhegvd(LAPACK_COL_MAJOR, 1, 'V', 'U', size(A.rows), A.data, leading(A), B.data,
                                          leading(B), lambda));
}

/// Computes eigenvalues, ascending, and eigenvectors, which overwrite A, from the upper triangle of a Hermitian A.
inline lapack_int heevd(MatrixView<double> A, double* lambda) {
  return checked("dsyevd", LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', size(A.rows), A.data, leading(A), lambda));
}
inline lapack_int heevd(MatrixView<Complex> A, double* lambda) {
  return checked("zheevd", LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'U', size(A.rows), A.data, leading(A), lambda));
}

/// Computes A = QR: R in the upper triangle, reflectors below.
inline void geqrf(MatrixView<double> A, double* tau) {
  checked("dgeqrf", LAPACKE_dgeqrf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), tau));
}
inline void geqrf(MatrixView<Complex> A, Complex* tau) {
  checked("zgeqrf", LAPACKE_zgeqrf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, leading(A), tau));
}

/// Replaces the reflectors of geqrf by the columns of Q.
inline void ungqr(MatrixView<double> A, const double* tau) {
  checked("dorgqr",
          LAPACKE_dorgqr(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), size(A.cols), A.data, leading(A), tau));
}
inline void ungqr(MatrixView<Complex> A, const Complex* tau) {
  checked("zungqr",
          LAPACKE_zungqr(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), size(A.cols), A.data, leading(A), tau));
}

/// Computes A = U·diag(s)·Wᴴ, thin; A is overwritten.
inline lapack_int gesdd(MatrixView<double> A, double* s, MatrixView<double> U, MatrixView<double> WH) {
  return checked("dgesdd", LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', size(A.rows), size(A.cols), A.data, leading(A), s,
                                          U.data, leading(U), WH.data, leading(WH)));
}
inline lapack_int gesdd(MatrixView<Complex> A, double* s, MatrixView<Complex> U, MatrixView<Complex> WH) {
  return checked("zgesdd", LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'S', size(A.rows), size(A.cols), A.data, leading(A), s,
                                          U.data, leading(U), WH.data, leading(WH)));
}

/// Computes C = A·B.
template <class T>
void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  const auto m = size(C.rows), n = size(C.cols), k = size(A.cols), lda = leading(A), ldb = leading(B), ldc = leading(C);
  const T one = 1.0, zero = 0.0;
  if constexpr (is_complex<T>)
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, A.data, lda, B.data, ldb, &zero, C.data, ldc);
  else
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, one, A.data, lda, B.data, ldb, zero, C.data, ldc);
}

/// Computes X := R⁻¹·X (side left) or X·R⁻¹ (side right), R upper triangular.
template <class T>
void solve_upper(CBLAS_SIDE side, MatrixView<const T> R, MatrixView<T> X) {
  const auto m = size(X.rows), n = size(X.cols), ldr = leading(R), ldx = leading(X);
  const T one = 1.0;
  if constexpr (is_complex<T>)
    cblas_ztrsm(CblasColMajor, side, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, &one, R.data, ldr, X.data, ldx);
  else
    cblas_dtrsm(CblasColMajor, side, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, one, R.data, ldr, X.data, ldx);
}

/// Returns ‖x‖₂ without undue overflow or underflow.
inline double norm(std::span<const double> x) {
  return cblas_dnrm2(size(std::ssize(x)), x.data(), 1);
}
inline double norm(std::span<const Complex> x) {
  return cblas_dznrm2(size(std::ssize(x)), x.data(), 1);
}

}  // namespace pivotlab::lapack
