// SPDX-License-Identifier: BSD-3-Clause
// All is plain loops here: no vector unit computes these scalars, and most are computed by functions, so that blocking
// gains nothing. Eigen's Schur form of them belongs to the eigendecomposition (eig_extended.cpp).
#include "kernels/numerics/dense_instances.hpp"
#include "kernels/numerics/householder.hpp"

#include <numeric>
#include <utility>

namespace pivotlab {

namespace {

/// Computes y := y + factor·x.
template <class T>
void add_multiple(const T& factor, std::span<const T> x, std::span<T> y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += detail::times(factor, x[i]);
}

/// Interchanges columns k and the one with the largest norm from row k on.
template <class T>
void bring_largest_column_to(Index k, QrFactors<T>& qr) {
  using R = RealOf<T>;
  Index largest = k;
  R most(-1);
  for (Index j = k; j < qr.packed.cols(); ++j) {
    R squares(0);
    for (const T& x : qr.packed.col(j).subspan(k)) squares += detail::squared_modulus(x);
    if (squares > most) most = squares, largest = j;
  }
  std::ranges::swap_ranges(qr.packed.col(k), qr.packed.col(largest));
  std::swap(qr.column[k], qr.column[largest]);
}

template <class T>
QrFactors<T> factors_of(MatrixView<const T> A, bool pivoting) {
  const Index steps = std::min(A.rows, A.cols);
  QrFactors<T> qr{matrix_of(Factor<T>(A)), std::vector<T>(steps), {}};
  if (pivoting) {
    qr.column.resize(A.cols);
    std::iota(qr.column.begin(), qr.column.end(), Index{0});
  }
  for (Index k = 0; k < steps; ++k) {
    if (pivoting) bring_largest_column_to(k, qr);
    const std::span<T> v = qr.packed.col(k).subspan(k);
    const detail::Reflector<T> reflector(v);
    if (reflector.tau == RealOf<T>(0)) continue;
    const T head = v[0];
    const RealOf<T> tau = reflector.tau * detail::squared_modulus(head);
    for (T& x : v) x /= head;
    for (Index j = k + 1; j < A.cols; ++j) detail::reflect<T>(v, tau, qr.packed.col(j).subspan(k));
    qr.tau[k] = T(tau);
    v[0] = reflector.image;
  }
  return qr;
}

}  // namespace

template <class T>
void detail::accumulate(MatrixView<T> C, const RealOf<T>& factor, const FactorOf<T>& A, const FactorOf<T>& B) {
  const Matrix<T> a = matrix_of(A), b = matrix_of(B);
  for (Index j = 0; j < C.cols; ++j)
    for (Index k = 0; k < a.cols(); ++k) add_multiple<T>(b(k, j) * factor, a.col(k), C.col(j));
}

template <class T>
void add_gram(MatrixView<T> C, const FactorOf<T>& A) {
  const Matrix<T> a = matrix_of(A);
  for (Index j = 0; j < C.cols; ++j)
    for (Index k = 0; k < a.cols(); ++k) {
      add_multiple<T>(conjugate(a(j, k)), a.col(k).subspan(j), C.col(j).subspan(j));
    }
}

template <class T>
void substitute_upper(MatrixView<const T> R, MatrixView<std::type_identity_t<T>> X) {
  for (Index j = 0; j < X.cols; ++j)
    for (Index k = R.cols - 1; k >= 0; --k) {
      X(k, j) /= R(k, k);
      add_multiple<T>(-X(k, j), R.col(k).first(k), X.col(j).first(k));
    }
}

template <class T>
void divide_by_upper(MatrixView<T> X, MatrixView<const std::type_identity_t<T>> R) {
  for (Index j = 0; j < X.cols; ++j) {
    for (Index k = 0; k < j; ++k) add_multiple<T>(-R(k, j), MatrixView<const T>(X).col(k), X.col(j));
    for (T& x : X.col(j)) x /= R(j, j);
  }
}

template <class T>
void substitute_unit_lower(Op op, MatrixView<const T> M, MatrixView<std::type_identity_t<T>> X) {
  const Matrix<T> m = matrix_of(Factor<T>(M, op));
  const Index n = m.cols();
  for (Index j = 0; j < X.cols; ++j)
    for (Index step = 0; step < n; ++step) {
      const Index k = op == Op::none ? step : n - 1 - step, first = op == Op::none ? k + 1 : 0;
      const auto from = static_cast<std::size_t>(first),
                 count = static_cast<std::size_t>(op == Op::none ? n - first : k);
      add_multiple<T>(-X(k, j), m.col(k).subspan(from, count), X.col(j).subspan(from, count));
    }
}

template <class T>
QrFactors<T> qr_factors(MatrixView<const T> A) {
  return factors_of(A, false);
}

template <class T>
QrFactors<T> pivoted_qr_factors(MatrixView<const T> A) {
  return factors_of(A, true);
}

template <class T>
void multiply_by_q(const QrFactors<T>& qr, MatrixView<std::type_identity_t<T>> X) {
  for (std::size_t k = qr.tau.size(); k-- > 0;) {
    const std::span<const T> reflection = qr.packed.col(static_cast<Index>(k)).subspan(k);
    std::vector<T> v(reflection.begin(), reflection.end());
    v[0] = T(1);
    for (Index j = 0; j < X.cols; ++j) detail::reflect<T>(v, real_part(qr.tau[k]), X.col(j).subspan(k));
  }
}

template <class T>
struct PartialLU<T>::Factors {
  Matrix<T> lu;
  std::vector<Index> row;  ///< row k was interchanged with row[k] in step k
};

template <class T>
PartialLU<T>::PartialLU(MatrixView<const T> A) {
  Matrix<T> lu = matrix_of(Factor<T>(A));
  std::vector<Index> row;
  for (Index k = 0; k < A.cols; ++k) {
    const auto below = static_cast<std::size_t>(k) + 1;
    const std::span<T> pivots = lu.col(k).subspan(below - 1);
    const auto largest = std::ranges::max_element(pivots, {}, [](const T& x) { return detail::squared_modulus(x); });
    row.push_back(k + (largest - pivots.begin()));
    for (Index j = 0; j < A.cols; ++j) std::swap(lu(k, j), lu(row.back(), j));
    for (T& x : lu.col(k).subspan(below)) x /= lu(k, k);
    for (Index j = k + 1; j < A.cols; ++j)
      add_multiple<T>(-lu(k, j), MatrixView<const T>(lu).col(k).subspan(below), lu.col(j).subspan(below));
  }
  factors_ = std::make_shared<const Factors>(Factors{std::move(lu), std::move(row)});
}

template <class T>
void PartialLU<T>::solve(MatrixView<T> X) const {
  for (std::size_t k = 0; k < factors_->row.size(); ++k)
    for (Index j = 0; j < X.cols; ++j) std::swap(X(static_cast<Index>(k), j), X(factors_->row[k], j));
  substitute_unit_lower<T>(Op::none, factors_->lu, X);
  substitute_upper<T>(factors_->lu, X);
}

#define PIVOTLAB_DENSE(T)   \
  PIVOTLAB_PRODUCTS(T)      \
  PIVOTLAB_SUBSTITUTIONS(T) \
  PIVOTLAB_FACTORIZATIONS(T)
PIVOTLAB_DENSE(long double)
PIVOTLAB_DENSE(Quad)
PIVOTLAB_DENSE(std::complex<long double>)
PIVOTLAB_DENSE(std::complex<Quad>)
template class PartialLU<std::complex<long double>>;
template class PartialLU<std::complex<Quad>>;

}  // namespace pivotlab
