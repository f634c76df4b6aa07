// SPDX-License-Identifier: BSD-3-Clause
// The singular value decomposition, J = ±I, with high relative accuracy of any dense matrix: G is preconditioned by
// approximate singular vectors from the right (Zhou, Tisseur & Webb, arXiv 2602.18134):
//
//   V from the iteration on G;   repeat   V := V·(I − ½·(V*V − I)),   B := G·V,   B·W = U·Σ,   V := V·W.
//
// V*V − I and G·V are computed by exact products and rounded once, so that
//
// - V is unitary up to its rounding, ‖V*V − I‖₂ ≤ θ ≈ 2u·√n, and σ_j(G·V) = σ_j(G)·(1 + δ), |δ| ≤ θ/2 (Ostrowski);
// - B has errors u·|b_ij| of its elements, however small the column is against G, and the columns of B are nearly
//   orthogonal, so that the iteration on B has relative errors of rounding alone.
//
// A pass multiplies the ratio of σ that V resolves by about 1/u. Passes end when the estimates are those of orthogonal
// columns, or when one does not make them better: the last one was good enough, G is singular, or elements of G are too
// many decades apart for exact products.
#pragma once

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/products.hpp"

#include <omp.h>
#include <pivotlab/exact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pivotlab::jacobi {

/// Limits the threads of exact products, which take OpenMP's number.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~OpenMpThreads() { omp_set_num_threads(before_); }
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int before_;
};

/// Makes V, unitary to about √u, unitary up to its rounding.
template <class T>
void make_unitary(Matrix<T>& V, int threads) {
  Matrix<T> E(V.cols(), V.cols());
  const ExactFactor<T> factor(V);
  exact_update<T>({.hi = E, .start = ExactStart::minus_identity}, factor.adjoint(), factor, {.gram = true});
  subtract_half(V, product(false, V, E, threads));
}

/// Holds G·V rounded to double, and bounds of the norms of its columns' errors. The iteration may be in long double,
/// and does not know of the rounding then.
template <class T>
struct RoundedProduct {
  Matrix<T> value;
  std::vector<double> error;
};

template <class T>
RoundedProduct<T> rounded_product(MatrixView<const T> G, const Matrix<T>& V) {
  ExactProduct<T> product = exact_product<T>(G, V, {.balance = true});
  RoundedProduct<T> result{std::move(product.hi), {}};
  for (Index j = 0; j < V.cols(); ++j) {
    double norm = 0;  // by hypot(): squares may be too small for double
    for (Index i = 0; i < G.rows; ++i)
      norm = std::hypot(norm, product.bound(i, j) + unit_roundoff<double>() * modulus(result.value(i, j)));
    result.error.push_back(norm);
  }
  return result;
}

/// Adds to the estimates of σ² what errors of these norms in the columns of B and of V*V − I do to first order.
template <class T>
void add_product_errors(const std::vector<double>& errors, HsvdResult<T>& r) {
  const double of_v = 2 * unit_roundoff<double>() * std::sqrt(static_cast<double>(r.V.cols()));
  for (std::size_t j = 0; j < r.sigma.size(); ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < errors.size(); ++i)
      sum += errors[i] * modulus(r.V(static_cast<Index>(i), static_cast<Index>(j)));
    if (r.sigma[j] > 0)
      r.estimate[j] = std::min(1.0, r.estimate[j] + 2 * sum / r.sigma[j] + of_v);
    else if (sum > 0)
      r.estimate[j] = 1;
  }
}

/// Returns whether a pass has made estimates better: not worse in sum, and one of them by half.
inline bool improves(const std::vector<double>& estimates, const std::vector<double>& before) {
  bool halved = false;
  double difference = 0;
  for (std::size_t j = 0; j < before.size(); ++j) {
    halved |= estimates[j] < before[j] / 2;
    difference += estimates[j] - before[j];
  }
  return halved && difference <= 0;
}

/// Decomposes G (m × n, m ≥ n ≥ 1), with V. decompose(G, J) is the iteration without preconditioner, with V; small σ of
/// it may have no digits, and large estimates then.
template <class T, class Decompose>
HsvdResult<T> decompose_by_exact_products(MatrixView<const T> G, const std::vector<int>& J, int threads,
                                          const Decompose& decompose) {
  constexpr int most_passes = 6;
  const OpenMpThreads scope(threads);
  const double enough = 16 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(G.cols));
  HsvdResult<T> r = decompose(G, J);
  for (int pass = 0; pass < most_passes; ++pass) {
    Matrix<T> V = r.V;
    make_unitary(V, threads);
    const RoundedProduct<T> B = rounded_product<T>(G, V);
    HsvdResult<T> next = decompose(B.value, J);
    add_product_errors(B.error, next);
    if (r.status == Status::passed && !improves(next.estimate, r.estimate)) break;
    next.V = product(false, V, next.V, threads);
    next.sweeps.insert(next.sweeps.begin(), r.sweeps.begin(), r.sweeps.end());
    r = std::move(next);
    if (*std::ranges::max_element(r.estimate) <= enough) break;
  }
  return r;
}

}  // namespace pivotlab::jacobi
