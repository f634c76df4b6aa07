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

/// Calls xGGSVD3 with full U (m_F × m_F), V (m_G × m_G) and Q; returns the ranks in k and l, R in F.
inline lapack_int ggsvd3(Matrix<double>& F, Matrix<double>& G, lapack_int& k, lapack_int& l, double* alpha,
                         double* beta, Matrix<double>& U, Matrix<double>& V, Matrix<double>& Q) {
  std::vector<lapack_int> order(static_cast<std::size_t>(F.cols()));
  return checked("dggsvd3",
                 LAPACKE_dggsvd3(LAPACK_COL_MAJOR, 'U', 'V', 'Q', size(F.rows()), size(F.cols()), size(G.rows()), &k,
                                 &l, F.data(), size(F.rows()), G.data(), size(G.rows()), alpha, beta, U.data(),
                                 size(U.rows()), V.data(), size(V.rows()), Q.data(), size(Q.rows()), order.data()));
}
inline lapack_int ggsvd3(Matrix<Complex>& F, Matrix<Complex>& G, lapack_int& k, lapack_int& l, double* alpha,
                         double* beta, Matrix<Complex>& U, Matrix<Complex>& V, Matrix<Complex>& Q) {
  std::vector<lapack_int> order(static_cast<std::size_t>(F.cols()));
  return checked("zggsvd3",
                 LAPACKE_zggsvd3(LAPACK_COL_MAJOR, 'U', 'V', 'Q', size(F.rows()), size(F.cols()), size(G.rows()), &k,
                                 &l, F.data(), size(F.rows()), G.data(), size(G.rows()), alpha, beta, U.data(),
                                 size(U.rows()), V.data(), size(V.rows()), Q.data(), size(Q.rows()), order.data()));
}

/// Computes the upper triangle of the Gram matrix AᴴA.
inline void gram(const Matrix<double>& A, Matrix<double>& C) {
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, size(A.cols()), size(A.rows()), 1.0, A.data(), size(A.rows()), 0.0,
              C.data(), size(C.rows()));
}
inline void gram(const Matrix<Complex>& A, Matrix<Complex>& C) {
  cblas_zherk(CblasColMajor, CblasUpper, CblasConjTrans, size(A.cols()), size(A.rows()), 1.0, A.data(), size(A.rows()),
              0.0, C.data(), size(C.rows()));
}

/// Solves A·x = λ·B·x from the upper triangles; the eigenvectors overwrite A, xᴴBx = 1, λ ascends.
inline lapack_int hegvd(Matrix<double>& A, Matrix<double>& B, double* lambda) {
  return checked("dsygvd", LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', size(A.rows()), A.data(), size(A.rows()),
                                          B.data(), size(B.rows()), lambda));
}
inline lapack_int hegvd(Matrix<Complex>& A, Matrix<Complex>& B, double* lambda) {
  return checked("zhegvd", LAPACKE_zhegvd(LAPACK_COL_MAJOR, 1, 'V', 'U', size(A.rows()), A.data(), size(A.rows()),
                                          B.data(), size(B.rows()), lambda));
}

/// Computes eigenvalues, ascending, and eigenvectors, which overwrite A, from the upper triangle of a Hermitian A.
inline lapack_int heevd(Matrix<double>& A, double* lambda) {
  return checked("dsyevd",
                 LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', size(A.rows()), A.data(), size(A.rows()), lambda));
}
inline lapack_int heevd(Matrix<Complex>& A, double* lambda) {
  return checked("zheevd",
                 LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'U', size(A.rows()), A.data(), size(A.rows()), lambda));
}

/// Computes A = QR: R in the upper triangle, reflectors below.
inline void geqrf(Matrix<double>& A, double* tau) {
  checked("dgeqrf", LAPACKE_dgeqrf(LAPACK_COL_MAJOR, size(A.rows()), size(A.cols()), A.data(), size(A.rows()), tau));
}
inline void geqrf(Matrix<Complex>& A, Complex* tau) {
  checked("zgeqrf", LAPACKE_zgeqrf(LAPACK_COL_MAJOR, size(A.rows()), size(A.cols()), A.data(), size(A.rows()), tau));
}

/// Replaces the reflectors of geqrf by the columns of Q.
inline void ungqr(Matrix<double>& A, const double* tau) {
  checked("dorgqr", LAPACKE_dorgqr(LAPACK_COL_MAJOR, size(A.rows()), size(A.cols()), size(A.cols()), A.data(),
                                   size(A.rows()), tau));
}
inline void ungqr(Matrix<Complex>& A, const Complex* tau) {
  checked("zungqr", LAPACKE_zungqr(LAPACK_COL_MAJOR, size(A.rows()), size(A.cols()), size(A.cols()), A.data(),
                                   size(A.rows()), tau));
}

/// Computes A = U·diag(s)·Wᴴ, thin; A is overwritten.
inline lapack_int gesdd(Matrix<double>& A, double* s, Matrix<double>& U, Matrix<double>& WH) {
  return checked("dgesdd", LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', size(A.rows()), size(A.cols()), A.data(),
                                          size(A.rows()), s, U.data(), size(U.rows()), WH.data(), size(WH.rows())));
}
inline lapack_int gesdd(Matrix<Complex>& A, double* s, Matrix<Complex>& U, Matrix<Complex>& WH) {
  return checked("zgesdd", LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'S', size(A.rows()), size(A.cols()), A.data(),
                                          size(A.rows()), s, U.data(), size(U.rows()), WH.data(), size(WH.rows())));
}

/// Computes C = A·B.
template <class T>
void multiply(MatrixView<const T> A, const Matrix<T>& B, Matrix<T>& C) {
  const auto m = size(C.rows()), n = size(C.cols()), k = size(A.cols), lda = size(A.stride), ldb = size(B.rows());
  const T one = 1.0, zero = 0.0;
  if constexpr (is_complex<T>)
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, &one, A.data, lda, B.data(), ldb, &zero, C.data(),
                m);
  else
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, one, A.data, lda, B.data(), ldb, zero, C.data(), m);
}

/// Computes X := R⁻¹·X (side left) or X·R⁻¹ (side right), R upper triangular.
template <class T>
void solve_upper(CBLAS_SIDE side, MatrixView<const T> R, Matrix<T>& X) {
  const auto m = size(X.rows()), n = size(X.cols()), ldr = size(R.stride);
  const T one = 1.0;
  if constexpr (is_complex<T>)
    cblas_ztrsm(CblasColMajor, side, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, &one, R.data, ldr, X.data(), m);
  else
    cblas_dtrsm(CblasColMajor, side, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, one, R.data, ldr, X.data(), m);
}

/// Returns ‖x‖₂ without undue overflow or underflow.
inline double norm(std::span<const double> x) {
  return cblas_dnrm2(size(std::ssize(x)), x.data(), 1);
}
inline double norm(std::span<const Complex> x) {
  return cblas_dznrm2(size(std::ssize(x)), x.data(), 1);
}

}  // namespace pivotlab::lapack
