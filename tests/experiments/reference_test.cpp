// SPDX-License-Identifier: BSD-3-Clause
// Where no true values are given, Rayleigh quotients and refined values find the errors that the truth finds, and do
// not decide clusters.
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/residual_reference.hpp>
#include <pivotlab/generate.hpp>

#include <gtest/gtest.h>

#include <random>

namespace pivotlab::experiments::reference_test {
namespace {

using Complex = std::complex<double>;

template <class T>
Matrix<T> random_matrix(Index m, Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<T> A(m, n);
  for (Index i = 0; i < A.size(); ++i) {
    const double re = normal(generator);
    if constexpr (is_complex<T>)
      A.data()[i] = T(re, normal(generator));
    else
      A.data()[i] = re;
  }
  return A;
}
template <class T>
Matrix<T> hermitian(Index n, unsigned seed) {
  const Matrix<T> B = random_matrix<T>(n, n, seed);
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = (B(i, j) + conjugate(B(j, i))) / 2.0;
  return A;
}

TEST(ResidualReference, BoundsFollowTemplesTheorem) {
  const RayleighQuotients q{.values = {3, 1, 1 - 1e-9, -2},
                            .changes = {1e-15, 1e-15, 0, 0},
                            .residuals = {1e-14, 1e-14, 1e-14, 1e-14},
                            .rounding = {0, 0, 0, 1e-30},
                            .enclosure = 1e-10};
  const std::vector<double> bounds = bounds_of(q);
  EXPECT_NEAR(bounds[0], 1e-28 / 2, 1e-30);
  EXPECT_NEAR(bounds[1], 1e-28 / 9e-10, 2e-20);
  EXPECT_NEAR(bounds[3], 1e-28 / 3 + 1e-30, 1e-30);
  RayleighQuotients cluster = q;
  cluster.enclosure = 1e-8;
  EXPECT_NEAR(bounds_of(cluster)[1], 1e-8, 1e-13);
  cluster.next = -2 - 1e-12;
  EXPECT_NEAR(bounds_of(cluster)[3], 1e-8, 1e-13);
  EXPECT_TRUE(is_known(1, 1e-9, 1e-13));
  EXPECT_FALSE(is_known(1, 1e-15, 1e-15));
  EXPECT_TRUE(is_known(1, 0, 1e-17));
}

template <class T>
class OfScalar : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(OfScalar, Scalars);

TYPED_TEST(OfScalar, EigenvaluesHaveTheErrorsOfExtendedPrecision) {
  for (const double change : {0.0, 1e-9}) {
    const auto A = hermitian<TypeParam>(9, 3);
    auto r = eigh<TypeParam>(A);
    r.eigenvalues[4] *= 1 + change;
    const EighMetrics expected = judge_eigh(A, eigh_truth(A), r), measured = judge_eigh(A, {}, r);
    EXPECT_EQ(expected.reference, Reference::extended);
    ASSERT_EQ(measured.reference, Reference::residuals);
    EXPECT_EQ(measured.known, 9);
    EXPECT_NEAR(*measured.relative_error, *expected.relative_error, 1e-3 * *expected.relative_error + 0x1p-53);
    EXPECT_NEAR(*measured.error_per_estimate, *expected.error_per_estimate, 1e-2 * *expected.error_per_estimate + 0.2);
    EXPECT_EQ(measured.verdict, expected.verdict) << measured.message;
    EXPECT_EQ(measured.verdict, change > 0 ? Status::incorrect : Status::passed);
  }
}

TYPED_TEST(OfScalar, SingularValuesHaveTheErrorsOfExtendedPrecision) {
  for (const Index m : {6, 8})
    for (const double change : {0.0, 1e-9}) {
      const auto G = random_matrix<TypeParam>(m, 6, 5);
      const std::vector<int> J(6, 1);
      auto r = hsvd<TypeParam>(G, J, {.compute_v = true});
      r.sigma[2] *= 1 + change;
      const HsvdMetrics expected = judge_hsvd(G, J, hsvd_truth(G, J), r), measured = judge_hsvd(G, J, {}, r);
      ASSERT_EQ(measured.reference, Reference::residuals);
      EXPECT_GE(*measured.known, change > 0 ? 1 : 6);  // a large residual hides the digits of others
      EXPECT_NEAR(*measured.relative_error, *expected.relative_error, 1e-3 * *expected.relative_error + 0x1p-53);
      EXPECT_EQ(measured.verdict, expected.verdict) << measured.message;
      EXPECT_EQ(measured.verdict, change > 0 ? Status::incorrect : Status::passed);
    }
}

TEST(ResidualReference, ClustersAreNotDecided) {
  Matrix<double> A = Matrix<double>::identity(6);
  A(5, 5) = 2, A(0, 0) = 1 + 0x1p-45;
  Matrix<double> U(6, 6);  // a reflection mixes the cluster
  for (Index j = 0; j < 6; ++j)
    for (Index i = 0; i < 6; ++i) U(i, j) = i == j ? 1 : 0;
  U(0, 0) = 0.6, U(1, 1) = -0.6, U(0, 1) = U(1, 0) = 0.8;
  EighResult<double> r;
  r.eigenvalues = {2, 1 + 0x1p-45, 1, 1, 1, 1};
  Matrix<double> ordered(6, 6);
  for (Index i = 0; i < 6; ++i) {
    ordered(i, 0) = U(i, 5);
    for (Index j = 0; j < 5; ++j) ordered(i, j + 1) = U(i, j);
  }
  r.U = ordered;
  const EighMetrics metrics = judge_eigh(A, {}, r);
  EXPECT_EQ(metrics.reference, Reference::residuals);
  EXPECT_EQ(metrics.known, 1);  // the eigenvalue 2
  EXPECT_EQ(metrics.verdict, Status::passed) << metrics.message;
}

TYPED_TEST(OfScalar, GeneralizedSingularValuesHaveTheErrorsOfTheTruth) {
  auto pair =
      std::get<Pair<TypeParam>>(generate_pair({"random;truth=rounded", scalar_type<TypeParam>, 12, 15, 13, 2, 0}));
  Pair<TypeParam> unknown = pair;
  unknown.sigma.clear();
  for (const double change : {0.0, 1e-9}) {
    auto r = gsvd<TypeParam>(pair.F, pair.G);
    r.sigma[5] *= 1 + change, r.sigma_f[5] *= 1 + change;
    const GsvdMetrics expected = judge_gsvd(pair, r), measured = judge_gsvd(unknown, r);
    EXPECT_EQ(expected.reference, Reference::construction);
    ASSERT_EQ(measured.reference, Reference::refined);
    EXPECT_EQ(measured.known, 12);
    EXPECT_NEAR(*measured.sigma_error, *expected.sigma_error, 0x1p-60 + 1e-12 * *expected.sigma_error);
    EXPECT_TRUE(expected.sigma_backward.has_value());
    EXPECT_EQ(measured.sigma_backward, std::nullopt);  // it belongs to constructed truth alone
    EXPECT_EQ(measured.verdict, change > 0 ? Status::incorrect : Status::passed) << measured.message;
  }
  const auto refined = gsvd<TypeParam>(pair.F, pair.G, {.variant = {.refine = true}});
  const GsvdMetrics own = judge_gsvd(unknown, refined), by_truth = judge_gsvd(pair, refined);
  EXPECT_EQ(own.reference, std::nullopt);  // a solver's own algorithm is no judge of it
  EXPECT_EQ(own.sigma_error, std::nullopt);
  EXPECT_LE(*by_truth.sigma_error, 0x1p-52);
}

}  // namespace
}  // namespace pivotlab::experiments::reference_test
