// SPDX-License-Identifier: BSD-3-Clause
// Small pairs for the tests of the solver, and checks of results.
#pragma once

#include "tests/dense.hpp"

#include <pivotlab/gsvd.hpp>

#include <random>
#include <string>

namespace pivotlab::test {

template <class T>
T random_scalar(std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  if constexpr (is_complex<T>) {
    const RealOf<T> re(normal(generator)), im(normal(generator));
    return T(re, im);
  } else {
    return T(normal(generator));
  }
}

template <class T>
struct TestPair {
  Matrix<T> F, G;
};

/// Normal elements plus a multiple of the identity: well-conditioned.
template <class T>
TestPair<T> random_pair(Index m_f, Index m_g, Index n, unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  TestPair<T> pair{Matrix<T>(m_f, n), Matrix<T>(m_g, n)};
  for (auto* A : {&pair.F, &pair.G}) {
    for (Index i = 0; i < A->size(); ++i) A->data()[i] = random_scalar<T>(generator);
    for (Index j = 0; j < n; ++j) (*A)(j, j) += T(3);
  }
  return pair;
}

/// Small integers; columns of F depend on others but for elements near 2^-exponent, to which they collapse.
template <class T>
TestPair<T> collapsing_pair(int exponent, unsigned seed) {
  std::mt19937_64 generator(seed);
  const auto below = [&](unsigned count) { return static_cast<Index>(generator() % count); };
  const Index n = 2 + below(5), m = n + below(3);
  TestPair<T> pair{Matrix<T>(m, n), Matrix<T>::identity(n)};
  for (Index i = 0; i < pair.F.size(); ++i) pair.F.data()[i] = T(static_cast<double>(below(3) - 1));
  for (Index j = 0; j < n; ++j) pair.F(0, j) = T(1);
  for (Index repeated = 1 + below(2); repeated > 0; --repeated) {
    const Index j = below(static_cast<unsigned>(n)), like = (j + 1) % n;
    const int least = exponent + static_cast<int>(below(4));
    for (Index i = 0; i < m; ++i) {
      pair.F(i, j) = pair.F(i, like);
      if (pair.F(i, j) == T(0)) pair.F(i, j) = T(std::ldexp(static_cast<double>(below(7) - 3), -least));
    }
  }
  return pair;
}

/// F of rank `rank`, either a dense product or with zero rows below; G as above.
template <class T>
TestPair<T> rank_deficient_pair(Index n, Index rank, bool zero_rows) {
  TestPair<T> pair = random_pair<T>(n, n, n, 2);
  const MatrixView<T> F = pair.F.view();
  if (zero_rows)
    as_eigen(F).bottomRows(n - rank).setZero();
  else
    pair.F = product_of<T>(F.cols_range(0, rank), F.block(0, 0, rank, n));
  return pair;
}

template <class To, class From>
Matrix<To> convert(const Matrix<From>& A) {
  Matrix<To> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) {
    if constexpr (is_complex<To>)
      result.data()[i] = To(RealOf<To>(A.data()[i].real()), RealOf<To>(A.data()[i].imag()));
    else
      result.data()[i] = To(A.data()[i]);
  }
  return result;
}

/// ‖Y·Z − W·diag(sigma)‖_F / (‖Y‖_F·‖Z‖_F)
template <class T>
double residual(const Matrix<T>& Y, const Matrix<T>& Z, const Matrix<T>& W, const std::vector<RealOf<T>>& sigma) {
  EigenMatrix<T> difference = dense_product<T>(Y, Z);
  for (Index j = 0; j < W.cols(); ++j) difference.col(j) -= as_eigen(W.view()).col(j) * T(sigma[j]);
  return static_cast<double>(RealOf<T>(difference.norm() / as_eigen(Y.view()).norm() / as_eigen(Z.view()).norm()));
}

/// ‖WᴴW − I‖_F
template <class T>
double orthogonality(const Matrix<T>& W) {
  EigenMatrix<T> gram = dense_product<T>(adjoint(W), W);
  gram.diagonal().array() -= T(1);
  return static_cast<double>(RealOf<T>(gram.norm()));
}

/// Returns the bytes of all parts of a decomposition.
template <class T>
std::string bits(const GsvdResult<T>& r) {
  std::string all;
  for (const Matrix<T>* A : {&r.U, &r.V, &r.Z, &r.X})
    all.append(reinterpret_cast<const char*>(A->data()), static_cast<std::size_t>(A->size()) * sizeof(T));
  for (const auto* sigma : {&r.sigma_f, &r.sigma_g, &r.sigma})
    all.append(reinterpret_cast<const char*>(sigma->data()), sigma->size() * sizeof(RealOf<T>));
  return all;
}

template <class A, class B>
double largest_relative_error(const std::vector<A>& computed, const std::vector<B>& exact) {
  double worst = computed.size() == exact.size() ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < computed.size() && j < exact.size(); ++j) {
    const Quad error = abs(Quad(computed[j]) - Quad(exact[j])) / abs(Quad(exact[j]));
    worst = std::max(worst, static_cast<double>(error));
  }
  return worst;
}

/// Returns the generalized singular values of a pair by the pointwise algorithm in long double, whose roundoff is 2048
/// times smaller than double's: Quad takes 25 times as long.
template <class T>
std::vector<Quad> exact_sigma(const TestPair<T>& pair) {
  using Wide = Rebind<T, long double>;
  const Matrix<Wide> F = convert<Wide>(pair.F), G = convert<Wide>(pair.G);
  const auto sigma = gsvd_pointwise<Wide>(F, G).sigma;
  return {sigma.begin(), sigma.end()};
}

}  // namespace pivotlab::test
