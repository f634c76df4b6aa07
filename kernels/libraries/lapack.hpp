// SPDX-License-Identifier: BSD-3-Clause
// The routines of BLAS and LAPACK, overloaded on the scalar, double or complex double. Matrices are column-major.
// LAPACK's routines return info ≥ 0; workspace that does not fit throws std::bad_alloc. The first call loads the
// library; without one it throws NotSupported.
#pragma once

#include <kernels/libraries/options.hpp>
#include <pivotlab/matrix.hpp>

#include <algorithm>
#include <complex>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pivotlab {

using lapack_int = int;

namespace lapack {

using Complex = std::complex<double>;

/// Returns whether a library with CBLAS and LAPACKE is found (lapack.cpp says where).
bool available();

/// Throws NotSupported, "WHAT needs LAPACK, and none was found; …", unless it is.
void require(std::string_view what);

/// Returns a function of the library; null if it, or the library, is missing.
Symbol find(const std::string& name);

/// Returns a function of the library; throws NotSupported if it, or the library, is missing.
Symbol find_required(const std::string& name);

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

enum Layout { column_major = 102 };  ///< CBLAS and LAPACKE

/// A routine of LAPACKE, by LAPACK's name, with the types of its arguments behind the layout.
template <class... Arguments>
class Routine {
 public:
  explicit Routine(std::string name) : name_(std::move(name)), function_(find_required("LAPACKE_" + name_)) {}

  lapack_int operator()(Arguments... arguments) const {
    const lapack_int info = function_(column_major, arguments...);
    if (info == -1010 || info == -1011) throw std::bad_alloc();  // LAPACKE has no memory
    if (info < 0) throw std::logic_error(name_ + ": argument " + std::to_string(-info) + " is not valid");
    return info;
  }

 private:
  std::string name_;
  lapack_int (*function_)(int, Arguments...);
};

// ---- BLAS ----

/// Constants of CBLAS.
inline int cblas(Side side) {
  return side == Side::left ? 141 : 142;
}
inline int cblas(Triangle triangle) {
  return triangle == Triangle::upper ? 121 : 122;
}
template <class T>
int cblas(Op op) {
  return op == Op::none ? 111 : is_complex<T> && op == Op::adjoint ? 113 : 112;
}
constexpr int not_transposed = 111, not_unit_triangular = 131;

/// Complex factors are passed by address.
template <class T>
using Factor = std::conditional_t<is_complex<T>, const T*, double>;
inline double factor(const double& x) {
  return x;
}
inline const Complex* factor(const Complex& x) {
  return &x;
}

/// Computes C := α·op(A)·op(B) + β·C.
template <class T>
void gemm(Op op_a, Op op_b, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) {
  using Function = void(int, int, int, lapack_int, lapack_int, lapack_int, Factor<T>, const T*, lapack_int, const T*,
                        lapack_int, Factor<T>, T*, lapack_int);
  static Function* const routine = find_required(pick<T>("cblas_dgemm", "cblas_zgemm"));
  if (C.rows == 0 || C.cols == 0) return;
  const T a = alpha, b = beta;
  routine(column_major, cblas<T>(op_a), cblas<T>(op_b), size(C.rows), size(C.cols),
          size(op_b == Op::none ? B.rows : B.cols), factor(a), A.data, leading(A), B.data, leading(B), factor(b),
          C.data, leading(C));
}
/// Computes C := α·op(A)·B + β·C.
template <class T>
void gemm(Op op, double alpha, MatrixView<const T> A, MatrixView<const T> B, double beta, MatrixView<T> C) {
  gemm(op, Op::none, alpha, A, B, beta, C);
}

/// Computes C := A·B of float or complex float.
template <class S>
void multiply(MatrixView<const S> A, MatrixView<const S> B, MatrixView<S> C) {
  using Factor = std::conditional_t<is_complex<S>, const S*, float>;
  using Function = void(int, int, int, lapack_int, lapack_int, lapack_int, Factor, const S*, lapack_int, const S*,
                        lapack_int, Factor, S*, lapack_int);
  static Function* const routine = find_required(pick<S>("cblas_sgemm", "cblas_cgemm"));
  if (C.rows == 0 || C.cols == 0) return;
  const auto factor = [](const S& x) {
    if constexpr (is_complex<S>)
      return &x;
    else
      return x;
  };
  const S one = 1, zero = 0;
  routine(column_major, not_transposed, not_transposed, size(C.rows), size(C.cols), size(A.cols), factor(one), A.data,
          leading(A), B.data, leading(B), factor(zero), C.data, leading(C));
}

/// Computes a triangle of C := AᴴA.
template <class T>
void gram(Triangle triangle, MatrixView<const T> A, MatrixView<T> C) {
  using Function = void(int, int, int, lapack_int, lapack_int, double, const T*, lapack_int, double, T*, lapack_int);
  static Function* const routine = find_required(pick<T>("cblas_dsyrk", "cblas_zherk"));
  routine(column_major, cblas(triangle), cblas<T>(Op::adjoint), size(A.cols), size(A.rows), 1.0, A.data, leading(A),
          0.0, C.data, leading(C));
}

/// xTRSM and xTRMM.
template <class T>
using Triangular = void(int, int, int, int, int, lapack_int, lapack_int, Factor<T>, const T*, lapack_int, T*,
                        lapack_int);

/// Computes X := op(R)⁻¹·X or X·op(R)⁻¹ for a triangular R on that side.
template <class T>
void trsm(Side side, Triangle triangle, Op op, MatrixView<const T> R, MatrixView<T> X) {
  static Triangular<T>* const routine = find_required(pick<T>("cblas_dtrsm", "cblas_ztrsm"));
  const T one = 1.0;
  routine(column_major, cblas(side), cblas(triangle), cblas<T>(op), not_unit_triangular, size(X.rows), size(X.cols),
          factor(one), R.data, leading(R), X.data, leading(X));
}

/// Computes Y := M·X or X·M for a triangular M on that side.
template <class T>
void trmm(Side side, Triangle triangle, MatrixView<const T> M, MatrixView<const T> X, MatrixView<T> Y) {
  static Triangular<T>* const routine = find_required(pick<T>("cblas_dtrmm", "cblas_ztrmm"));
  for (Index j = 0; j < X.cols; ++j) std::ranges::copy(X.col(j), Y.col(j).begin());
  const T one = 1.0;
  routine(column_major, cblas(side), cblas(triangle), not_transposed, not_unit_triangular, size(Y.rows), size(Y.cols),
          factor(one), M.data, leading(M), Y.data, leading(Y));
}

/// Returns ‖x‖₂ without undue overflow or underflow.
template <class T>
double norm(std::span<const T> x) {
  static double (*const routine)(lapack_int, const T*, lapack_int) =
      find_required(pick<T>("cblas_dnrm2", "cblas_dznrm2"));
  return routine(size(std::ssize(x)), x.data(), 1);
}

// ---- Factorizations ----

inline char letter(Triangle triangle) {
  return triangle == Triangle::upper ? 'U' : 'L';
}

/// Computes A = LLᴴ in the lower triangle.
template <class T>
lapack_int potrf(MatrixView<T> A) {
  static const Routine<char, lapack_int, T*, lapack_int> routine(pick<T>("dpotrf", "zpotrf"));
  return routine('L', size(A.cols), A.data, leading(A));
}

/// xGEQRF and xGERQF.
template <class T>
using Reflect = Routine<lapack_int, lapack_int, T*, lapack_int, T*>;

/// Computes A = QR: R in the upper triangle, reflectors below.
template <class T>
lapack_int geqrf(MatrixView<T> A, T* tau) {
  static const Reflect<T> routine(pick<T>("dgeqrf", "zgeqrf"));
  return routine(size(A.rows), size(A.cols), A.data, leading(A), tau);
}

/// Computes A·P = QR; column j of A·P is column order[j] − 1 of A. `order` is 0 before.
template <class T>
lapack_int geqp3(MatrixView<T> A, lapack_int* order, T* tau) {
  static const Routine<lapack_int, lapack_int, T*, lapack_int, lapack_int*, T*> routine(pick<T>("dgeqp3", "zgeqp3"));
  return routine(size(A.rows), size(A.cols), A.data, leading(A), order, tau);
}

/// Computes A = RQ: R in the last columns, reflectors before.
template <class T>
lapack_int gerqf(MatrixView<T> A, T* tau) {
  static const Reflect<T> routine(pick<T>("dgerqf", "zgerqf"));
  return routine(size(A.rows), size(A.cols), A.data, leading(A), tau);
}

/// Replaces the reflectors of geqrf by the columns of Q.
template <class T>
lapack_int ungqr(MatrixView<T> A, const T* tau) {
  static const Routine<lapack_int, lapack_int, lapack_int, T*, lapack_int, const T*> routine(
      pick<T>("dorgqr", "zungqr"));
  return routine(size(A.rows), size(A.cols), size(A.cols), A.data, leading(A), tau);
}

/// Computes C := Q·C, or Qᴴ·C, for the reflectors in all columns of A.
template <class T>
lapack_int unmqr(bool adjoint, MatrixView<const T> A, const T* tau, MatrixView<T> C) {
  static const Routine<char, char, lapack_int, lapack_int, lapack_int, const T*, lapack_int, const T*, T*, lapack_int>
      routine(pick<T>("dormqr", "zunmqr"));
  return routine('L', adjoint ? pick<T>('T', 'C') : 'N', size(C.rows), size(C.cols), size(A.cols), A.data, leading(A),
                 tau, C.data, leading(C));
}

/// Computes C := C·Qᴴ for `count` reflectors of gerqf. LAPACKE's check for NaN, which LAPACKE_xORMRQ includes, reads
/// beyond the reflectors where C has more rows than columns.
template <class T>
lapack_int unmrq(MatrixView<const T> A, Index count, const T* tau, MatrixView<T> C) {
  static const Routine<char, char, lapack_int, lapack_int, lapack_int, const T*, lapack_int, const T*, T*, lapack_int,
                       T*, lapack_int>
      routine(pick<T>("dormrq_work", "zunmrq_work"));
  const auto apply = [&](T* work, lapack_int length) {
    return routine('R', pick<T>('T', 'C'), size(C.rows), size(C.cols), size(count), A.data, leading(A), tau, C.data,
                   leading(C), work, length);
  };
  T length(0);
  apply(&length, -1);
  std::vector<T> work(std::real(length));
  return apply(work.data(), static_cast<lapack_int>(work.size()));
}

// ---- Eigenvalues and singular values ----

/// xSYEVD and xSYEV_2STAGE.
template <class T>
using Eigenvalues = Routine<char, char, lapack_int, T*, lapack_int, double*>;

/// Computes eigenvalues, ascending, and eigenvectors, which overwrite A, from a triangle of a Hermitian A.
template <class T>
lapack_int heevd(Triangle triangle, MatrixView<T> A, double* lambda) {
  static const Eigenvalues<T> routine(pick<T>("dsyevd", "zheevd"));
  return routine('V', letter(triangle), size(A.rows), A.data, leading(A), lambda);
}

/// Computes eigenvalues, ascending, which overwrite the diagonal d, and eigenvectors of a real symmetric tridiagonal
/// matrix by divide and conquer; e is overwritten.
inline lapack_int stedc(double* d, double* e, MatrixView<double> Z) {
  static const Routine<char, lapack_int, double*, double*, double*, lapack_int> routine("dstedc");
  return routine('I', size(Z.rows), d, e, Z.data, leading(Z));
}

/// Computes them from the upper triangle by relatively robust representations; A is overwritten.
template <class T>
lapack_int heevr(MatrixView<T> A, double* lambda, MatrixView<T> U) {
  static const Routine<char, char, char, lapack_int, T*, lapack_int, double, double, lapack_int, lapack_int, double,
                       lapack_int*, double*, T*, lapack_int, lapack_int*>
      routine(pick<T>("dsyevr", "zheevr"));
  lapack_int found = 0;
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(A.rows));
  return routine('V', 'A', 'U', size(A.rows), A.data, leading(A), 0, 0, 0, 0, 0, &found, lambda, U.data, leading(U),
                 support.data());
}

/// Computes the eigenvalues alone, by a band matrix; A is overwritten.
template <class T>
lapack_int heev_2stage(MatrixView<T> A, double* lambda) {
  static const Eigenvalues<T> routine(pick<T>("dsyev_2stage", "zheev_2stage"));
  return routine('N', 'U', size(A.rows), A.data, leading(A), lambda);
}

/// Solves A·x = λ·B·x from the upper triangles; the eigenvectors overwrite A, xᴴBx = 1, λ ascends.
template <class T>
lapack_int hegvd(MatrixView<T> A, MatrixView<T> B, double* lambda) {
  static const Routine<lapack_int, char, char, lapack_int, T*, lapack_int, T*, lapack_int, double*> routine(
      pick<T>("dsygvd", "zhegvd"));
  return routine(1, 'V', 'U', size(A.rows), A.data, leading(A), B.data, leading(B), lambda);
}

/// Computes A = U·diag(s)·Wᴴ, thin; A is overwritten.
template <class T>
lapack_int gesdd(MatrixView<T> A, double* s, MatrixView<T> U, MatrixView<T> WH) {
  static const Routine<char, lapack_int, lapack_int, T*, lapack_int, double*, T*, lapack_int, T*, lapack_int> routine(
      pick<T>("dgesdd", "zgesdd"));
  return routine('S', size(A.rows), size(A.cols), A.data, leading(A), s, U.data, leading(U), WH.data, leading(WH));
}

/// Computes A = U·diag(s)·Vᴴ by one-sided Jacobi; U overwrites A.
template <class T>
lapack_int gesvj(MatrixView<T> A, double* s, MatrixView<T> V) {
  static const Routine<char, char, char, lapack_int, lapack_int, T*, lapack_int, double*, lapack_int, T*, lapack_int,
                       double*>
      routine(pick<T>("dgesvj", "zgesvj"));
  double stat[6] = {};
  const lapack_int info =
      routine('G', 'U', 'V', size(A.rows), size(A.cols), A.data, leading(A), s, 0, V.data, leading(V), stat);
  for (Index j = 0; j < A.cols; ++j) s[j] *= stat[0];
  return info;
}

template <class T, class... Rest>
using Jacobi = Routine<char, char, char, char, char, char, lapack_int, lapack_int, T*, lapack_int, double*, T*,
                       lapack_int, T*, lapack_int, Rest...>;

/// Computes A = U·diag(s)·Vᴴ by QR with column pivoting, then one-sided Jacobi; A is overwritten. LAPACKE_zgejsv has
/// too little work space for matrices of many more rows than columns.
template <class T>
lapack_int gejsv(MatrixView<T> A, double* s, MatrixView<T> U, MatrixView<T> V) {
  const auto call = [&](const auto& routine, auto... rest) {
    return routine('C', 'U', 'V', 'N', 'N', 'N', size(A.rows), size(A.cols), A.data, leading(A), s, U.data, leading(U),
                   V.data, leading(V), rest...);
  };
  std::vector<double> stat(7);
  std::vector<lapack_int> counts(4);
  lapack_int info = 0;
  if constexpr (is_complex<T>) {
    static const Jacobi<T, T*, lapack_int, double*, lapack_int, lapack_int*> routine("zgejsv_work");
    std::vector<T> work(2);
    call(routine, work.data(), -1, stat.data(), -1, counts.data());
    const auto length = std::max(static_cast<lapack_int>(work[0].real()), size(A.rows + A.cols));
    work.resize(length), stat.resize(std::max<std::size_t>(7, stat[0]));
    counts.resize(std::max<std::size_t>(4, counts[0]));
    info = call(routine, work.data(), length, stat.data(), size(std::ssize(stat)), counts.data());
  } else {
    static const Jacobi<T, double*, lapack_int*> routine("dgejsv");
    info = call(routine, stat.data(), counts.data());
  }
  for (Index j = 0; j < A.cols; ++j) s[j] *= stat[0] / stat[1];
  return info;
}

/// Calls xGGSVD3: UᴴFQ = D₁·[0 R], VᴴGQ = D₂·[0 R] with full U (m_F × m_F), V (m_G × m_G) and Q; returns the ranks in k
/// and l, R in F and, if m_F < k + l, the rest in G.
template <class T>
lapack_int ggsvd3(MatrixView<T> F, MatrixView<T> G, lapack_int& k, lapack_int& l, double* alpha, double* beta,
                  MatrixView<T> U, MatrixView<T> V, MatrixView<T> Q) {
  static const Routine<char, char, char, lapack_int, lapack_int, lapack_int, lapack_int*, lapack_int*, T*, lapack_int,
                       T*, lapack_int, double*, double*, T*, lapack_int, T*, lapack_int, T*, lapack_int, lapack_int*>
      routine(pick<T>("dggsvd3", "zggsvd3"));
  std::vector<lapack_int> order(F.cols);
  return routine('U', 'V', 'Q', size(F.rows), size(F.cols), size(G.rows), &k, &l, F.data, leading(F), G.data,
                 leading(G), alpha, beta, U.data, leading(U), V.data, leading(V), Q.data, leading(Q), order.data());
}

/// Computes the eigenvalues w (of a real A: real and imaginary parts), right eigenvectors V and, if W has columns, left
/// ones; A is overwritten.
template <class T, class... Values>
lapack_int geev(MatrixView<T> A, MatrixView<T> W, MatrixView<T> V, Values*... w) {
  static const Routine<char, char, lapack_int, T*, lapack_int, Values*..., T*, lapack_int, T*, lapack_int> routine(
      pick<T>("dgeev", "zgeev"));
  return routine(W.cols > 0 ? 'V' : 'N', 'V', size(A.rows), A.data, leading(A), w..., W.data, leading(W), V.data,
                 leading(V));
}

/// Computes the same by xGEEVX without balancing and condition numbers.
template <class T, class... Values>
lapack_int geevx(MatrixView<T> A, MatrixView<T> W, MatrixView<T> V, Values*... w) {
  static const Routine<char, char, char, char, lapack_int, T*, lapack_int, Values*..., T*, lapack_int, T*, lapack_int,
                       lapack_int*, lapack_int*, double*, double*, double*, double*>
      routine(pick<T>("dgeevx", "zgeevx"));
  std::vector<double> scale(A.rows);
  lapack_int low = 0, high = 0;
  double norm = 0;
  return routine('N', W.cols > 0 ? 'V' : 'N', 'V', 'N', size(A.rows), A.data, leading(A), w..., W.data, leading(W),
                 V.data, leading(V), &low, &high, scale.data(), &norm, nullptr, nullptr);
}

/// Computes the eigenvalues α/β of the pencil A − λ·B, right eigenvectors V and, if W has columns, left ones; A and B
/// are overwritten.
inline lapack_int ggev(MatrixView<Complex> A, MatrixView<Complex> B, MatrixView<Complex> W, MatrixView<Complex> V,
                       Complex* alpha, Complex* beta) {
  static const Routine<char, char, lapack_int, Complex*, lapack_int, Complex*, lapack_int, Complex*, Complex*, Complex*,
                       lapack_int, Complex*, lapack_int>
      routine("zggev3");
  return routine(W.cols > 0 ? 'V' : 'N', 'V', size(A.rows), A.data, leading(A), B.data, leading(B), alpha, beta, W.data,
                 leading(W), V.data, leading(V));
}

}  // namespace lapack
}  // namespace pivotlab
