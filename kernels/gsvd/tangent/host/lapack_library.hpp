// The routines of BLAS and LAPACK that the tangent path calls (shared/pipeline.hpp says what each does).
#pragma once

#include "kernels/gsvd/tangent/shared/outcome.hpp"
#include "kernels/libraries/lapack.hpp"

#include <stdexcept>
#include <vector>

namespace pivotlab::tangent {

class LapackLibrary {
  using Complex = std::complex<double>;

  static lapack_int size(Index n) { return lapack::size(n); }
  static void succeed(const char* routine, lapack_int info) {
    if (lapack::checked(routine, info) > 0) throw std::runtime_error(std::string(routine) + ": did not converge");
  }

 public:
  /// LAPACKE takes its work space itself.
  template <class T>
  std::size_t work_elements(const Shape&) const {
    return 0;
  }
  template <class T>
  void set_work(T*, Index, const Shape&) const {}
  template <class T>
  Index reflector_elements(Index n) const {
    return n;
  }

  void qr(MatrixView<double> A, double* tau) const {
    lapack::checked("dgeqrf",
                    LAPACKE_dgeqrf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, size(A.stride), tau));
  }
  void qr(MatrixView<Complex> A, Complex* tau) const {
    lapack::checked("zgeqrf",
                    LAPACKE_zgeqrf(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, size(A.stride), tau));
  }

  /// Returns the original place of each column.
  std::vector<int> qr_pivoted(MatrixView<double> A, double* tau) const {
    std::vector<lapack_int> places(static_cast<std::size_t>(A.cols));
    lapack::checked("dgeqp3", LAPACKE_dgeqp3(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, size(A.stride),
                                             places.data(), tau));
    return from_zero(places);
  }
  std::vector<int> qr_pivoted(MatrixView<Complex> A, Complex* tau) const {
    std::vector<lapack_int> places(static_cast<std::size_t>(A.cols));
    lapack::checked("zgeqp3", LAPACKE_zgeqp3(LAPACK_COL_MAJOR, size(A.rows), size(A.cols), A.data, size(A.stride),
                                             places.data(), tau));
    return from_zero(places);
  }

  void apply_q(MatrixView<const double> A, const double* tau, MatrixView<double> C) const {
    lapack::checked("dormqr", LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'N', size(C.rows), size(C.cols), size(A.cols),
                                             A.data, size(A.stride), tau, C.data, size(C.stride)));
  }
  void apply_q(MatrixView<const Complex> A, const Complex* tau, MatrixView<Complex> C) const {
    lapack::checked("zunmqr", LAPACKE_zunmqr(LAPACK_COL_MAJOR, 'L', 'N', size(C.rows), size(C.cols), size(A.cols),
                                             A.data, size(A.stride), tau, C.data, size(C.stride)));
  }

  void gram(MatrixView<const double> A, MatrixView<double> C) const {
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, size(A.cols), size(A.rows), 1, A.data, size(A.stride), 0, C.data,
                size(C.stride));
  }
  void gram(MatrixView<const Complex> A, MatrixView<Complex> C) const {
    cblas_zherk(CblasColMajor, CblasLower, CblasConjTrans, size(A.cols), size(A.rows), 1, A.data, size(A.stride), 0,
                C.data, size(C.stride));
  }

  void eigenvectors(MatrixView<double> C, double* lambda) const {
    succeed("dsyevd", LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', size(C.cols), C.data, size(C.stride), lambda));
  }
  void eigenvectors(MatrixView<Complex> C, double* lambda) const {
    succeed("zheevd", LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'L', size(C.cols), C.data, size(C.stride), lambda));
  }

  bool cholesky(MatrixView<double> C) const {
    return lapack::checked("dpotrf", LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', size(C.cols), C.data, size(C.stride))) == 0;
  }
  bool cholesky(MatrixView<Complex> C) const {
    return lapack::checked("zpotrf", LAPACKE_zpotrf(LAPACK_COL_MAJOR, 'L', size(C.cols), C.data, size(C.stride))) == 0;
  }

  template <class T>
  void solve_right_adjoint(MatrixView<const T> L, MatrixView<T> X) const {
    solve(CblasRight, CblasLower, CblasConjTrans, L, X);
  }
  template <class T>
  void solve_left_upper(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CblasLeft, CblasUpper, CblasNoTrans, R, X);
  }
  template <class T>
  void solve_left_upper_adjoint(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CblasLeft, CblasUpper, CblasConjTrans, R, X);
  }
  template <class T>
  void solve_right_upper(MatrixView<const T> R, MatrixView<T> X) const {
    solve(CblasRight, CblasUpper, CblasNoTrans, R, X);
  }

  template <class T>
  void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(CblasNoTrans, 1, A, B, 0, C);
  }
  template <class T>
  void multiply_adjoint(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(CblasConjTrans, 1, A, B, 0, C);
  }
  template <class T>
  void subtract_product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) const {
    product(CblasNoTrans, -1, A, B, 1, C);
  }

  template <class T>
  void multiply_left(bool upper, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) const {
    multiply_triangular(CblasLeft, upper ? CblasUpper : CblasLower, M, X, Y);
  }
  template <class T>
  void multiply_right_upper(MatrixView<const T> X, MatrixView<const T> R, MatrixView<T> Y) const {
    multiply_triangular(CblasRight, CblasUpper, R, X, Y);
  }

 private:
  static std::vector<int> from_zero(const std::vector<lapack_int>& places) {
    std::vector<int> order;
    for (const lapack_int place : places) order.push_back(static_cast<int>(place) - 1);
    return order;
  }

  /// C := alpha·op(A)·B + beta·C
  template <class T>
  static void product(CBLAS_TRANSPOSE op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta,
                      MatrixView<T> C) {
    const auto m = size(C.rows), n = size(C.cols), k = size(B.rows), lda = size(A.stride), ldb = size(B.stride),
               ldc = size(C.stride);
    if constexpr (is_complex<T>) {
      const T a = alpha, b = beta;
      cblas_zgemm(CblasColMajor, op, CblasNoTrans, m, n, k, &a, A.data, lda, B.data, ldb, &b, C.data, ldc);
    } else {
      cblas_dgemm(CblasColMajor, op, CblasNoTrans, m, n, k, alpha, A.data, lda, B.data, ldb, beta, C.data, ldc);
    }
  }

  template <class T>
  static void solve(CBLAS_SIDE side, CBLAS_UPLO triangle, CBLAS_TRANSPOSE transpose, MatrixView<const T> R,
                    MatrixView<T> X) {
    const auto m = size(X.rows), n = size(X.cols), ldr = size(R.stride), ldx = size(X.stride);
    const T one = 1.0;
    if constexpr (is_complex<T>)
      cblas_ztrsm(CblasColMajor, side, triangle, transpose, CblasNonUnit, m, n, &one, R.data, ldr, X.data, ldx);
    else
      cblas_dtrsm(CblasColMajor, side, triangle, transpose, CblasNonUnit, m, n, one, R.data, ldr, X.data, ldx);
  }

  template <class T>
  static void multiply_triangular(CBLAS_SIDE side, CBLAS_UPLO triangle, MatrixView<const T> M, MatrixView<const T> X,
                                  MatrixView<T> Y) {
    for (Index j = 0; j < X.cols; ++j) std::copy_n(X.data + j * X.stride, X.rows, Y.data + j * Y.stride);
    const auto m = size(Y.rows), n = size(Y.cols), ldm = size(M.stride), ldy = size(Y.stride);
    const T one = 1.0;
    if constexpr (is_complex<T>)
      cblas_ztrmm(CblasColMajor, side, triangle, CblasNoTrans, CblasNonUnit, m, n, &one, M.data, ldm, Y.data, ldy);
    else
      cblas_dtrmm(CblasColMajor, side, triangle, CblasNoTrans, CblasNonUnit, m, n, one, M.data, ldm, Y.data, ldy);
  }
};

}  // namespace pivotlab::tangent
