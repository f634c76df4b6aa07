// SPDX-License-Identifier: BSD-3-Clause
// The bounds of a certified inertia hold and are not too large, compared with quad.
#include "kernels/ldlt/factors/factorization_error.hpp"
#include "kernels/ldlt/inverse_norm.hpp"
#include "matrices.hpp"
#include "tests/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pivotlab::inertia_bounds_test {
namespace {

using namespace test;
using namespace ldlt_detail;

template <class T>
using Extended = Rebind<T, Quad>;

template <class T>
Matrix<Extended<T>> in_quad(const Matrix<T>& A) {
  Matrix<Extended<T>> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = extend<Extended<T>>(A.data()[i]);
  return result;
}

/// ‖E‖₂ of a Hermitian E, which is scaled to 1 before it is rounded to double.
template <class T>
double norm_2(const Matrix<Extended<T>>& E) {
  Quad largest = 0;
  for (Index i = 0; i < E.size(); ++i) largest = std::max<Quad>(largest, absolute(E.data()[i]));
  if (largest == 0) return 0;
  const int exponent = exponent_of(largest);
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> rounded(E.rows(), E.cols());
  for (Index j = 0; j < E.cols(); ++j)
    for (Index i = 0; i < E.rows(); ++i)
      rounded(i, j) = round_to_double<T>(Extended<T>(times_power_of_two(E(i, j), -exponent)));
  const double norm = hermitian_eigenvalues(rounded).cwiseAbs().maxCoeff();
  return std::ldexp(norm * (1 - 1e-12 * static_cast<double>(E.rows())), exponent);
}

/// P·A·Pᵀ − M·D·Mᴴ
template <class T>
Matrix<Extended<T>> error_of(const Matrix<T>& A, const LdltFactorization<T>& f) {
  using E = Extended<T>;
  const Index n = A.rows();
  const Matrix<E> M = in_quad(f.M), D = in_quad(f.dense_d());
  Matrix<E> MD(n, n), error(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index k = std::max<Index>(j - 1, 0); k < std::min(n, j + 2); ++k)
      for (Index i = 0; D(k, j) != E(0) && i < n; ++i) MD(i, j) += M(i, k) * D(k, j);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      E sum = extend<E>(A(f.permutation[i], f.permutation[j]));
      for (Index k = 0; k <= std::min(i + 1, j); ++k) sum -= MD(i, k) * conjugate(M(j, k));
      error(i, j) = sum;
    }
  return error;
}

template <class T>
class InertiaBounds : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(InertiaBounds, Scalars);

/// Calls check(A, f) for factors of matrices of all kinds.
template <class T, class Check>
void for_factors(const std::vector<Index>& orders, const Check& check) {
  for (const Index n : orders)
    for (int kind = 0; kind < static_cast<int>(Structure::count); ++kind)
      for (const Pivoting pivoting : all_pivotings)
        for (const double alpha : {0.15, usual_alpha, 0.999}) {
          const auto A = structured<T>(static_cast<Structure>(kind), n, 7 * n + kind);
          const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting, .alpha = alpha}});
          SCOPED_TRACE(to_string(f.variant) + ", n = " + std::to_string(n) + ", kind " + std::to_string(kind));
          check(A, f);
          if (testing::Test::HasFailure()) return;
        }
}

TYPED_TEST(InertiaBounds, ErrorBoundsHoldAndResidualIsSharper) {
  for_factors<TypeParam>({1, 2, 5, 16}, [](const auto& A, const auto& f) {
    const PivotSigns signs = PivotSignsBuilder<TypeParam>(f).result();
    const FactorizationError<TypeParam> bounds(A, f, signs, 1);
    const double error = norm_2<TypeParam>(error_of(A, f)), residual = bounds.residual();
    EXPECT_LE(error, residual);
    EXPECT_LE(residual, 1.001 * (error * static_cast<double>(A.rows()) + 1e-25 * f.norm_inf + 1e-310));
    EXPECT_LE(residual, 1.001 * bounds.a_priori());
  });
}

/// Factors by panels with trailing updates.
TYPED_TEST(InertiaBounds, HoldForBlockedFactorizations) {
  const Index n = 150;
  for (const Pivoting pivoting : {Pivoting::rook, Pivoting::partial}) {
    const auto A = structured<TypeParam>(Structure::zero_diagonal, n, 3);
    const auto f = ldlt<TypeParam>(A, {.variant = {.pivoting = pivoting}});
    const FactorizationError<TypeParam> bounds(A, f, PivotSignsBuilder<TypeParam>(f).result(), 2);
    const double error = norm_2<TypeParam>(error_of(A, f));
    EXPECT_LE(error, bounds.residual());
    EXPECT_LE(bounds.residual(), 150 * error);
    EXPECT_LE(bounds.residual(), bounds.a_priori());
  }
}

TYPED_TEST(InertiaBounds, CountWhatCompletePivotingLeftAsZero) {
  const Index n = 12;
  const auto A = structured<TypeParam>(Structure::graded, n, 5);
  const auto f = ldlt<TypeParam>(A, {.rank_tolerance = 1e-3});
  ASSERT_LT(f.rank, n);
  ASSERT_GT(f.remainder, 0);
  const FactorizationError<TypeParam> bounds(A, f, PivotSignsBuilder<TypeParam>(f).result(), 1);
  const double error = norm_2<TypeParam>(error_of(A, f));
  EXPECT_GT(error, 1e-3 * f.remainder);
  EXPECT_LE(error, bounds.residual());
  EXPECT_LE(error, bounds.a_priori());
}

TYPED_TEST(InertiaBounds, InverseBoundHolds) {
  using T = TypeParam;
  using E = Extended<T>;
  for_factors<T>({1, 2, 5, 24}, [](const auto&, const auto& f) {
    const Index n = f.order();
    const PivotSigns signs = PivotSignsBuilder<T>(f).result();
    // X = W⁻¹·M⁻¹ and the Gram matrix of its rows
    const Matrix<E> M = in_quad(f.M);
    Matrix<E> X = Matrix<E>::identity(n), gram(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index k = j; k < n; ++k)
        for (Index i = k + 1; i < n; ++i) X(i, j) -= M(i, k) * X(k, j);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) X(i, j) = times_power_of_two(X(i, j), -signs.e[i]);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < n; ++k) gram(i, j) += X(i, k) * conjugate(X(j, k));
    const double norm = std::sqrt(norm_2<T>(gram));
    const double bound = inverse_norm_bound<T>(f.M.view(), signs.e, Backend::host, 1);
    EXPECT_LE(norm, bound);
    // Partial pivoting makes M without bound.
    if (f.variant.pivoting != Pivoting::partial) {
      EXPECT_LE(bound, norm * (1.001 * std::sqrt(static_cast<double>(n)) + 1));
    }
  });
}

TYPED_TEST(InertiaBounds, InverseBoundIsInfiniteIfUnknown) {
  const Index n = 200;
  Matrix<TypeParam> M = Matrix<TypeParam>::identity(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) M(i, j) = TypeParam(-1);
  const std::vector<int> e(static_cast<std::size_t>(n));
  EXPECT_EQ(inverse_norm_bound<TypeParam>(M.view(), e, Backend::host, 1), std::numeric_limits<double>::infinity());
}

TYPED_TEST(InertiaBounds, InverseBoundIndependentOfThreads) {
  const auto f = ldlt<TypeParam>(structured<TypeParam>(Structure::dense, 300, 1), {.variant = {Pivoting::rook}});
  const PivotSigns signs = PivotSignsBuilder<TypeParam>(f).result();
  const double bound = inverse_norm_bound<TypeParam>(f.M.view(), signs.e, Backend::host, 1);
  for (const int threads : {2, 3, 5})
    EXPECT_EQ(inverse_norm_bound<TypeParam>(f.M.view(), signs.e, Backend::host, threads), bound);
}

TYPED_TEST(InertiaBounds, PivotBoundsHoldAndAreSharp) {
  using T = TypeParam;
  Entries<T> entry(11);
  Entries<double> real(12);
  for (int i = 0; i < 2000; ++i) {
    const double limit = i % 3 == 0 ? 0.9999 : usual_alpha;
    const T b = entry() * std::exp2(entry.integer(-300, 300));
    const double a = limit * std::tanh(real()) * std::abs(b), c = limit * std::tanh(real()) * std::abs(b);
    LdltFactorization<T> f;
    f.M = Matrix<T>::identity(2);
    f.diagonal = {T(a), T(c)};
    f.subdiagonal = {b, T(0)};
    f.stages = {{0, 2}};
    const PivotSigns signs = PivotSignsBuilder<T>(f).result();
    const Quad half_trace = (Quad(a) + Quad(c)) / 2, half_difference = (Quad(a) - Quad(c)) / 2;
    const Quad square =
        Quad(real_part(b)) * Quad(real_part(b)) + (is_complex<T> ? Quad(std::imag(b)) * Quad(std::imag(b)) : Quad(0));
    const Quad root = sqrt(Quad(half_difference * half_difference + square));
    const Quad larger = abs(half_trace) + root, smaller = (square - Quad(a) * Quad(c)) / larger;
    ASSERT_EQ(signs.positive, 1);
    ASSERT_EQ(signs.negative, 1);
    ASSERT_LE(Quad(signs.sizes[0]), smaller);
    ASSERT_LE(Quad(signs.sizes[1]), larger);
    ASSERT_GE(Quad(signs.sizes[0]), smaller * Quad(1 - 1e-9));
    ASSERT_GE(Quad(signs.sizes[1]), larger * Quad(1 - 1e-9));
  }
}

TYPED_TEST(InertiaBounds, SignsOfNearlySingularBlockStayOpen) {
  LdltFactorization<TypeParam> f;
  f.M = Matrix<TypeParam>::identity(2);
  f.diagonal = {TypeParam(1), TypeParam(1)};
  f.subdiagonal = {TypeParam(1), TypeParam(0)};
  f.stages = {{0, 2}};
  const PivotSigns signs = PivotSignsBuilder<TypeParam>(f).result();
  EXPECT_EQ(signs.positive + signs.negative, 0);
  EXPECT_EQ(signs.smallest_scaled, 0);
}

}  // namespace
}  // namespace pivotlab::inertia_bounds_test
