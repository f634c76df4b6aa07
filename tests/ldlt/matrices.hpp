// SPDX-License-Identifier: BSD-3-Clause
// Matrices for the tests of the symmetric indefinite factorization, and checks of results.
#pragma once

#include "kernels/ldlt/shared/arithmetic.hpp"

#include <pivotlab/ldlt.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace pivotlab::test {

inline constexpr Pivoting all_pivotings[] = {Pivoting::complete, Pivoting::partial, Pivoting::rook};
inline constexpr double some_alphas[] = {0.001, 0.15, 0.5, usual_alpha, 0.9, 0.999};

template <class T>
T across_diagonal(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// Returns A·B; zeros of B cost nothing.
template <class T, class S>
Matrix<T> product(const Matrix<T>& A, const Matrix<S>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      if (const S b = B(k, j); b != S(0))
        for (Index i = 0; i < A.rows(); ++i) C(i, j) += A(i, k) * b;
  return C;
}

/// A(i, j) = element(i, j) for i ≥ j and what follows of it above the diagonal.
template <class T, class Element>
Matrix<T> from_lower(Index n, const Element& element, Symmetry symmetry = Symmetry::hermitian) {
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      A(i, j) = T(element(i, j));
      if (i != j)
        A(j, i) = across_diagonal<T>(A(i, j), symmetry);
      else if (symmetry == Symmetry::hermitian)
        A(i, i) = T(real_part(A(i, i)));
    }
  return A;
}

template <class T>
class Entries {
 public:
  explicit Entries(std::uint64_t seed) : generator_(seed) {}
  T operator()() {
    if constexpr (is_complex<T>) {
      const RealOf<T> re(normal_(generator_)), im(normal_(generator_));
      return T(re, im);
    } else {
      return T(normal_(generator_));
    }
  }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(generator_); }

 private:
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

/// Returns Uᵀ·U of a Kahan matrix U, which for n from 50 on has an eigenvalue below rounding errors.
inline Matrix<double> product_of_kahan(Index n, double theta) {
  const auto of_u = [&](Index k, Index j) {
    return std::pow(std::sin(theta), static_cast<double>(k)) * (k == j ? 1 : -std::cos(theta));
  };
  return from_lower<double>(n, [&](Index i, Index j) {
    double sum = 0;
    for (Index k = 0; k <= j; ++k) sum += of_u(k, i) * of_u(k, j);
    return sum;
  });
}

/// Structures of test matrices; each one tests another part of the algorithms.
enum class Structure { dense, zero_diagonal, small_integers, sparse, low_rank, saddle_point, graded, definite, count };

template <class T>
Matrix<T> structured(Structure structure, Index n, std::uint64_t seed, Symmetry symmetry = Symmetry::hermitian) {
  Entries<T> entry(seed);
  const auto product = [&](const std::vector<int>& signs) {  // Σ signs·x·x*
    Matrix<T> A(n, n);
    for (const int sign : signs) {
      std::vector<T> x;
      for (Index i = 0; i < n; ++i) x.push_back(entry());
      const Matrix<T> term = from_lower<T>(
          n, [&](Index i, Index j) { return x[i] * across_diagonal<T>(x[j], symmetry) * T(sign); }, symmetry);
      for (Index i = 0; i < A.size(); ++i) A.data()[i] += term.data()[i];
    }
    return A;
  };
  switch (structure) {
    case Structure::zero_diagonal:
      return from_lower<T>(
          n, [&](Index i, Index j) { return i == j ? T(0) : entry(); }, symmetry);
    case Structure::small_integers:
      return from_lower<T>(
          n, [&](Index, Index) { return T(entry.integer(-2, 2)); }, symmetry);
    case Structure::sparse:
      return from_lower<T>(
          n, [&](Index, Index) { return entry.integer(0, 4) == 0 ? entry() : T(0); }, symmetry);
    case Structure::low_rank:
      return product(std::vector<int>{1, -1, 1});
    case Structure::saddle_point:
      return from_lower<T>(
          n, [&](Index i, Index j) { return 3 * j >= 2 * n ? T(0)
                                            : i == j       ? T(4)
                                                           : entry(); }, symmetry);
    case Structure::graded:
      return from_lower<T>(
          n, [&](Index i, Index j) { return entry() * T(std::pow(10.0, -static_cast<double>(i + j) / 2)); }, symmetry);
    case Structure::definite:
      return product(std::vector<int>(static_cast<std::size_t>(n), 1));
    default:
      return from_lower<T>(
          n, [&](Index, Index) { return entry(); }, symmetry);
  }
}

/// Σ λᵢ·qᵢ·qᵢᵀ with the columns qᵢ of a product of reflectors, made in quad and rounded once.
inline Matrix<double> with_spectrum(const std::vector<double>& lambda, std::uint64_t seed) {
  const auto n = static_cast<Index>(lambda.size());
  Entries<Quad> entry(seed);
  Matrix<Quad> A(n, n);
  for (Index i = 0; i < n; ++i) A(i, i) = lambda[i];
  for (int reflection = 0; reflection < 3; ++reflection) {  // A := H·A·H, H = I − 2vvᵀ/vᵀv
    std::vector<Quad> v, w(lambda.size());
    Quad vv = 0, vw = 0;
    for (Index i = 0; i < n; ++i) v.push_back(entry()), vv += v[i] * v[i];
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) w[i] += A(i, j) * v[j];
    for (Index i = 0; i < n; ++i) vw += v[i] * w[i];
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) A(i, j) += -2 * (v[i] * w[j] + w[i] * v[j]) / vv + 4 * vw * v[i] * v[j] / (vv * vv);
  }
  return from_lower<double>(n, [&](Index i, Index j) { return static_cast<double>(A(i, j)); });
}

/// The symmetric Sylvester Hadamard matrix of order 2^k.
inline Matrix<double> hadamard(Index n) {
  return from_lower<double>(n, [](Index i, Index j) { return std::popcount<std::uint64_t>(i & j) % 2 == 0 ? 1 : -1; });
}

/// The symmetric tridiagonal Clement (Kac) matrix, eigenvalues ±(n−1), ±(n−3), …
inline Matrix<double> clement(Index n) {
  return from_lower<double>(
      n, [n](Index i, Index j) { return i == j + 1 ? std::sqrt(static_cast<double>(i * (n - i))) : 0.0; });
}

template <class T = double>
Matrix<T> hilbert(Index n) {
  return from_lower<T>(n, [](Index i, Index j) { return T(1) / T(i + j + 1); });
}

/// ‖P·A·Pᵀ − M·D·M*‖₁ / (n·‖A‖₁·ε) as LAPACK's xSYT01, in the next longer precision; what passes there is < 30.
template <class T>
double residual_ratio(const Matrix<T>& A, const LdltFactorization<T>& f) {
  using R = RealOf<T>;
  using L = Rebind<T, std::conditional_t<std::is_same_v<R, double>, long double, Quad>>;
  using LR = RealOf<L>;
  const auto longer = [](const T& x) {
    if constexpr (is_complex<T>)
      return L(LR(x.real()), LR(x.imag()));
    else
      return L(x);
  };
  const Index n = A.rows();
  const Matrix<T> D = f.dense_d();
  Matrix<L> M(n, n), MD(n, n);
  for (Index i = 0; i < A.size(); ++i) M.data()[i] = longer(f.M.data()[i]);
  for (Index j = 0; j < n; ++j)
    for (Index k = std::max<Index>(j - 1, 0); k < std::min(n, j + 2); ++k)
      if (D(k, j) != T(0))
        for (Index i = 0; i < n; ++i) MD(i, j) += M(i, k) * longer(D(k, j));
  LR worst(0), norm(0);
  for (Index j = 0; j < n; ++j) {
    std::vector<L> column(static_cast<std::size_t>(n));
    for (Index k = 0; k <= j; ++k) {
      const L m = across_diagonal<L>(M(j, k), f.symmetry);
      if (m == L(0)) continue;
      for (Index i = 0; i < n; ++i) column[i] += ldlt_detail::multiply(MD(i, k), m);
    }
    LR error(0), sum(0);
    for (Index i = 0; i < n; ++i) {
      const L a = longer(A(f.permutation[i], f.permutation[j]));
      error += absolute(L(a - column[i]));
      sum += absolute(a);
    }
    worst = std::max<LR>(worst, error);
    norm = std::max<LR>(norm, sum);
  }
  if (worst == LR(0)) return 0;
  return static_cast<double>(LR(worst / (LR(n) * norm * LR(std::numeric_limits<R>::epsilon()))));
}

/// Returns whether the factors have the documented shape: M unit lower triangular with the identity at 2×2 blocks of D,
/// a permutation, stages that cover D.
template <class T>
std::string shape_fault(const LdltFactorization<T>& f) {
  const Index n = f.order();
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (const Index row : f.permutation) {
    if (row < 0 || row >= n || seen[row]) return "no permutation";
    seen[row] = true;
  }
  for (Index j = 0; j < n; ++j) {
    if (f.M(j, j) != T(1)) return "M has no unit diagonal";
    for (Index i = 0; i < j; ++i)
      if (f.M(i, j) != T(0)) return "M is not lower triangular";
    if (f.subdiagonal[j] != T(0) && f.M(j + 1, j) != T(0)) return "M has not the identity at a 2x2 block";
  }
  Index next = 0;
  for (const auto& stage : f.stages) {
    if (stage.first != next) return "stages do not follow each other";
    if ((stage.size == 2) != (f.subdiagonal[stage.first] != T(0))) return "D does not fit the pivots";
    next += stage.size;
  }
  if (next > n || (f.variant.pivoting != Pivoting::complete && next != n)) return "stages do not cover D";
  if (permutation_of(f.interchanges) != f.permutation) return "interchanges and permutation disagree";
  return "";
}

}  // namespace pivotlab::test
