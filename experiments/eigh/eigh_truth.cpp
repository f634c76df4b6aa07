// SPDX-License-Identifier: BSD-3-Clause
// True eigenvalues of a Hermitian matrix, by what shares no algorithm with the solver: reduction to tridiagonal form by
// Householder reflections and the implicit QR algorithm (of the library Eigen), in as many bits as they need. A complex
// matrix B + i·C becomes the real one [B −C; C B], which has every eigenvalue twice.
//
// The errors of this method are at most p(n)·u·‖A‖ with a polynomial p of low degree (Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., section 19.3; Weyl's theorem), whatever the size of the eigenvalues. Here
// p(n) = 32·n, with the Frobenius norm.
#include <experiments/eigh/eigh_metrics.hpp>
#include <kernels/numerics/eigen.hpp>
#include <kernels/numerics/long_numbers.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pivotlab::experiments {
namespace {

template <unsigned bits>
using Bits = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<bits, boost::multiprecision::digit_base_2, void, std::int32_t>,
    boost::multiprecision::et_off>;

}  // namespace
}  // namespace pivotlab::experiments

template <unsigned bits>
struct Eigen::NumTraits<pivotlab::experiments::Bits<bits>> : GenericNumTraits<pivotlab::experiments::Bits<bits>> {
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 16,
    MulCost = 64
  };
};

namespace pivotlab::experiments {
namespace {

template <class R>
Quad rounded(const R& x) {
  if constexpr (std::is_same_v<R, Quad> || std::is_same_v<R, double>)
    return Quad(x);
  else
    return to_quad(x);
}

/// Returns 2^−exponent·A as a real matrix of order n or 2·n.
template <class R, class T>
EigenMatrix<R> embedded(const Matrix<T>& A, int exponent) {
  using std::ldexp;
  const Index n = A.rows();
  EigenMatrix<R> X(is_complex<T> ? 2 * n : n, is_complex<T> ? 2 * n : n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      X(i, j) = R(ldexp(R(std::real(A(i, j))), -exponent));
      if constexpr (is_complex<T>) {
        X(n + i, n + j) = X(i, j);
        X(n + i, j) = R(ldexp(R(std::imag(A(i, j))), -exponent));
        X(i, n + j) = -X(n + i, j);
      }
    }
  return X;
}

template <class R>
struct Tridiagonal {
  Eigen::Vector<R, Eigen::Dynamic> diagonal, subdiagonal;
};

/// Reduces A, of which the lower triangle is read, to an orthogonally similar tridiagonal matrix. Source: Golub and Van
/// Loan, Matrix Computations, algorithm 8.3.1. Eigen's reduction would take the compiler 5 s for each scalar.
template <class R>
Tridiagonal<R> tridiagonal(EigenMatrix<R> A) {
  using std::sqrt;
  const Index n = A.rows();
  Tridiagonal<R> result{A.diagonal(), Eigen::Vector<R, Eigen::Dynamic>::Zero(n - 1)};
  std::vector<R> v(n), w(v);
  const auto at = [](std::vector<R>& x, Index i) -> R& { return x[i]; };
  for (Index k = 0; k < n; ++k) {
    result.diagonal(k) = A(k, k);
    R squares(0);
    for (Index i = k + 1; i < n; ++i) squares += A(i, k) * A(i, k);
    // The terms of so small a sum may have underflowed. A changes by far less than one roundoff without its column.
    if (squares <= std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon()) continue;
    const R norm = A(k + 1, k) > R(0) ? R(-sqrt(squares)) : R(sqrt(squares));
    result.subdiagonal(k) = norm;
    // The reflection I − β·v·vᵀ maps the column below the diagonal to norm·e₁.
    for (Index i = k + 1; i < n; ++i) at(v, i) = A(i, k), at(w, i) = R(0);
    at(v, k + 1) -= norm;
    const R beta = R(1) / (squares - norm * A(k + 1, k));
    for (Index j = k + 1; j < n; ++j) {
      at(w, j) += A(j, j) * at(v, j);
      for (Index i = j + 1; i < n; ++i) at(w, i) += A(i, j) * at(v, j), at(w, j) += A(i, j) * at(v, i);
    }
    R product(0);
    for (Index i = k + 1; i < n; ++i) at(w, i) *= beta, product += at(v, i) * at(w, i);
    for (Index i = k + 1; i < n; ++i) at(w, i) -= product * beta * at(v, i) / R(2);
    for (Index j = k + 1; j < n; ++j)
      for (Index i = j; i < n; ++i) A(i, j) -= at(v, i) * at(w, j) + at(w, i) * at(v, j);
  }
  return result;
}

/// Returns them in R; nothing if the iteration does not converge.
template <class R, class T>
EighTruth truth_in(const Matrix<T>& A, int exponent) {
  const EigenMatrix<R> X = embedded<R>(A, exponent);
  const Tridiagonal<R> reduced = tridiagonal(X);
  Eigen::SelfAdjointEigenSolver<EigenMatrix<R>> solver;
  solver.computeFromTridiagonal(reduced.diagonal, reduced.subdiagonal, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return {};
  EighTruth truth;
  for (Index j = A.rows(); j-- > 0;)
    truth.eigenvalues.push_back(ldexp(rounded(R(solver.eigenvalues()[is_complex<T> ? 2 * j + 1 : j])), exponent));
  const Quad size = rounded(R(X.norm())), unit = rounded(R(std::numeric_limits<R>::epsilon()));
  const Quad error = ldexp(Quad(32) * Quad(static_cast<double>(X.rows())) * unit * size, exponent);
  truth.errors.assign(truth.eigenvalues.size(), error);
  for (const Quad& value : truth.eigenvalues) truth.determined.push_back(error <= Quad(1e-20) * abs(value));
  return truth;
}

bool determines_all(const EighTruth& truth) {
  return std::ranges::find(truth.determined, false) == truth.determined.end();
}

}  // namespace

template <class T>
EighTruth eigh_truth(const Matrix<T>& A) {
  const Index order = is_complex<T> ? 2 * A.rows() : A.rows();
  double largest = 0;
  for (Index i = 0; i < A.size(); ++i)
    largest = std::max({largest, std::abs(std::real(A.data()[i])), std::abs(std::imag(A.data()[i]))});
  if (A.rows() > eigh_truth_order || A.rows() == 0 || !std::isfinite(largest)) return {};
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  EighTruth truth = truth_in<Quad>(A, exponent);
  if (!determines_all(truth) && order <= 128) truth = truth_in<Bits<512>>(A, exponent);
  // The quotient of two doubles has a modulus of at least 2⁻²⁰⁹⁸.
  if (!determines_all(truth) && order <= 64) truth = truth_in<Bits<2304>>(A, exponent);
  return truth;
}

template <class T>
EighTruth eigh_truth_in_double(const Matrix<T>& A, int exponent) {
  if (A.rows() == 0) return {};
  return truth_in<double>(A, exponent);
}

using Complex = std::complex<double>;
template EighTruth eigh_truth(const Matrix<double>&);
template EighTruth eigh_truth(const Matrix<Complex>&);
template EighTruth eigh_truth_in_double(const Matrix<double>&, int);
template EighTruth eigh_truth_in_double(const Matrix<Complex>&, int);

}  // namespace pivotlab::experiments
