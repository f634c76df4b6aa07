// SPDX-License-Identifier: BSD-3-Clause
// Each baseline's decomposition has the properties that the library documents, and a failure of LAPACK becomes a
// status.
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <tests/baselines/support.hpp>

#include <cstdlib>
#include <limits>

namespace pivotlab::gsvd_baselines_test {
namespace {

using Complex = std::complex<double>;
template <class T>
Matrix<T> random_orthonormal(Index rows, Index cols, unsigned seed) {
  Matrix<T> Q(rows, cols);
  for (Index j = 0; j < cols; ++j) Q(j, j) = T(1);
  multiply_by_q(qr_factors<T>(random_matrix<T>(rows, cols, seed).view()), Q.view());
  return Q;
}

/// Returns Q·diag(d)·X.
template <class T>
Matrix<T> prescribed(Matrix<T> Q, const Eigen::VectorXd& d, const Matrix<T>& X) {
  for (Index j = 0; j < Q.cols(); ++j)
    for (T& x : Q.col(j)) x *= d(j);
  return product_of<T>(Q, X);
}

template <class T>
class EveryBaseline : public testing::Test {
 protected:
  static std::vector<std::string> names() { return baseline_names(scalar_type<T>, "lapack:"); }
  void SetUp() override {
    if (names().empty()) GTEST_SKIP() << "this build has no LAPACK";
  }
};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EveryBaseline, Scalars);

TYPED_TEST(EveryBaseline, DecomposesPairsOfEveryShape) {
  struct Shape {
    Index m_f, m_g, n;
  };
  unsigned seed = 1;
  for (const Shape shape :
       {Shape{1, 1, 1}, {5, 3, 1}, {2, 2, 2}, {24, 24, 24}, {37, 24, 24}, {24, 51, 23}, {64, 80, 17}}) {
    const Matrix<TypeParam> F = well_conditioned<TypeParam>(shape.m_f, shape.n, seed++);
    const Matrix<TypeParam> G = well_conditioned<TypeParam>(shape.m_g, shape.n, seed++);
    for (const std::string& name : this->names()) {
      SCOPED_TRACE(name + " " + std::to_string(shape.m_f) + "×" + std::to_string(shape.m_g) + "×" +
                   std::to_string(shape.n));
      expect_decomposition(F, G, solve_gsvd_with_baseline<TypeParam>(name, F, G, 1));
    }
  }
}

TYPED_TEST(EveryBaseline, FindsPrescribedGeneralizedSingularValues) {
  using Values = Eigen::VectorXd;
  const Index n = 20;
  Values sigma(n);
  for (Index j = 0; j < n; ++j) sigma(j) = std::pow(10.0, 1.0 - 2.0 * static_cast<double>(j) / (n - 1));  // 10 … 0.1
  const Values g = (1.0 + sigma.array().square()).rsqrt(), f = sigma.cwiseProduct(g);
  Matrix<TypeParam> X = random_matrix<TypeParam>(n, n, 7);
  for (Index j = 0; j < n; ++j) X(j, j) += TypeParam(6);
  const auto F = prescribed(random_orthonormal<TypeParam>(30, n, 8), f, X);
  const auto G = prescribed(random_orthonormal<TypeParam>(25, n, 9), g, X);
  for (const std::string& name : this->names()) {
    SCOPED_TRACE(name);
    const auto result = solve_gsvd_with_baseline<TypeParam>(name, F, G, 2);
    ASSERT_EQ(result.status, Status::passed) << result.message;
    for (Index j = 0; j < n; ++j) EXPECT_NEAR(result.sigma[static_cast<std::size_t>(j)], sigma(j), 1e-12 * sigma(j));
  }
}

TYPED_TEST(EveryBaseline, ReadsViewsWithAStride) {
  const Matrix<TypeParam> big_f = random_matrix<TypeParam>(30, 12, 3), big_g = random_matrix<TypeParam>(30, 12, 4);
  const auto F = big_f.view().block(5, 2, 14, 8), G = big_g.view().block(1, 3, 19, 8);
  for (const std::string& name : this->names()) {
    SCOPED_TRACE(name);
    const auto strided = solve_gsvd_with_baseline<TypeParam>(name, F, G, 1);
    const auto dense = solve_gsvd_with_baseline<TypeParam>(name, Matrix<TypeParam>(F), Matrix<TypeParam>(G), 1);
    ASSERT_EQ(strided.status, Status::passed) << strided.message;
    for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(strided.sigma[j], dense.sigma[j], 1e-12 * dense.sigma[j]);
  }
}

TYPED_TEST(EveryBaseline, DoesNotHideThatGIsNotOfFullColumnRank) {
  const Matrix<TypeParam> F = random_matrix<TypeParam>(9, 6, 5);
  Matrix<TypeParam> G(9, 6);
  for (Index j = 0; j < 6; ++j) G(j == 2 ? 0 : j, j) = TypeParam(1);  // columns 0 and 2 are equal
  for (const std::string& name : this->names()) {
    SCOPED_TRACE(name);
    const auto result = solve_gsvd_with_baseline<TypeParam>(name, F, G, 1);
    if (name.find("gesdd") != std::string::npos) {  // backward stable, so it sees a nearby pair of full rank
      ASSERT_EQ(result.status, Status::passed);
      EXPECT_GT(result.sigma[0], 1e14);
      continue;
    }
    EXPECT_EQ(result.status, Status::failed);
    EXPECT_FALSE(result.message.empty());
    EXPECT_EQ(result.U.size(), 0);
    EXPECT_TRUE(result.sigma.empty());
    EXPECT_GT(result.compute_seconds, 0);
  }
}

TYPED_TEST(EveryBaseline, AcceptsAnFThatIsNotOfFullColumnRank) {
  Matrix<TypeParam> F = random_matrix<TypeParam>(9, 6, 5);
  for (TypeParam& x : F.col(4)) x = TypeParam(0);
  const Matrix<TypeParam> G = well_conditioned<TypeParam>(9, 6, 6);
  for (const std::string& name : this->names()) {
    SCOPED_TRACE(name);
    const auto result = solve_gsvd_with_baseline<TypeParam>(name, F, G, 1);
    ASSERT_EQ(result.status, Status::passed) << result.message;
    EXPECT_LE(result.sigma.back(), 1e-7);  // √ε: the normal equations determine σ² only
  }
}

TYPED_TEST(EveryBaseline, RejectsInputThatHasNoDecomposition) {
  const Matrix<TypeParam> F = random_matrix<TypeParam>(4, 3, 1), wide(2, 3), narrow(4, 2), empty(4, 0);
  Matrix<TypeParam> bad = F, zero_column = F;
  for (TypeParam& x : zero_column.col(1)) x = TypeParam(0);
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& name : this->names()) {
    const auto solve = [&](const Matrix<TypeParam>& A, const Matrix<TypeParam>& B) {
      return solve_gsvd_with_baseline<TypeParam>(name, A, B, 1);
    };
    EXPECT_THROW(solve(wide, F), InputError);
    EXPECT_THROW(solve(F, wide), InputError);
    EXPECT_THROW(solve(F, narrow), InputError);
    EXPECT_THROW(solve(empty, empty), InputError);
    EXPECT_THROW(solve(F, zero_column), InputError);
    EXPECT_THROW(solve(bad, F), InputError);
    EXPECT_THROW(solve(F, bad), InputError);
  }
}

TYPED_TEST(EveryBaseline, AnUnknownNameIsAnsweredWithTheNearest) {
  const Matrix<TypeParam> F = Matrix<TypeParam>::identity(2);
  const std::string letter(1, static_cast<char>(scalar_type<TypeParam>));
  try {
    solve_gsvd_with_baseline<TypeParam>("lapack:ggsdv3", F, F, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nearest: lapack:" + letter + "ggsvd3"), std::string::npos)
        << error.what();
  }
}

TEST(NormalEquations, AnOverflowIsAFailureAndNoException) {
  if (baseline_names(ScalarType::d, "lapack:").empty()) GTEST_SKIP() << "this build has no LAPACK";
  Matrix<double> F = random_matrix<double>(4, 4, 1);
  for (Index j = 0; j < 4; ++j)
    for (double& x : F.col(j)) x *= 1e300;
  const auto result = solve_gsvd_with_baseline<double>("lapack:dsygvd", F, F, 1);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.message.find("overflow"), std::string::npos) << result.message;
}

TEST(NormalEquations, FailForIllConditionedG) {
  if (baseline_names(ScalarType::d, "lapack:").empty()) GTEST_SKIP() << "this build has no LAPACK";
  Matrix<double> G(3, 2);  // Läuchli's matrix: fl(1 + δ²) = 1
  G(0, 0) = G(0, 1) = 1;
  G(1, 0) = G(2, 1) = 1e-9;
  const Matrix<double> F = random_matrix<double>(3, 2, 2);
  const auto result = solve_gsvd_with_baseline<double>("lapack:dsygvd", F, G, 1);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.message.find("positive definite"), std::string::npos) << result.message;
  EXPECT_EQ(solve_gsvd_with_baseline<double>("lapack:dgeqrf+dgesdd", F, G, 1).status, Status::passed);
}

TEST(QrAndSvd, KeepsASmallSigmaG) {
  if (baseline_names(ScalarType::d, "lapack:").empty()) GTEST_SKIP() << "this build has no LAPACK";
  const Matrix<double> F = Matrix<double>::identity(3);
  Matrix<double> G = Matrix<double>::identity(3);
  G(1, 1) = 1e-12;  // 1 − σ_F² is below the unit roundoff
  const auto result = solve_gsvd_with_baseline<double>("lapack:dgeqrf+dgesdd", F, G, 1);
  ASSERT_EQ(result.status, Status::passed) << result.message;
  EXPECT_NEAR(result.sigma[0], 1e12, 1e-3);
}

TEST(Build, WithoutGpuListsGpuBaselines) {
  if (!list_devices().empty()) GTEST_SKIP() << "there is a GPU";
  const Matrix<double> F = Matrix<double>::identity(2);
  ASSERT_EQ(baseline_names(ScalarType::d, "cusolver:").size(), 3u);
  for (const std::string& name : baseline_names(ScalarType::d, "cusolver:")) try {
      solve_gsvd_with_baseline<double>(name, F, F);
      FAIL();
    } catch (const NotSupported& error) {
      EXPECT_EQ(error.what(), "cuSOLVER: " + why_no_device());
    }
}

#if defined(__x86_64__)
TEST(Blas, HasKernelsForTheInstructionsOfThisProcessor) {
  if (std::getenv("OPENBLAS_CORETYPE") || !__builtin_cpu_supports("avx2")) GTEST_SKIP() << "others are chosen";
  EXPECT_EQ(blas_version().find("Prescott"), std::string::npos);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
}
#endif

TEST(Blas, NamesItselfWhereThereAreBaselines) {
  EXPECT_EQ(blas_version().empty(), baseline_names(ScalarType::z, "lapack:").empty());
}

}  // namespace
}  // namespace pivotlab::gsvd_baselines_test
