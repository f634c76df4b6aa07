// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER's decompositions have the properties that the library documents and agree with the host's.
#include <pivotlab/gsvd.hpp>
#include <tests/baselines/support.hpp>
#include <tests/gpu_test.hpp>

namespace pivotlab::gsvd_gpu_baselines_test {
namespace {

template <class T>
class EveryGpuBaseline : public GpuTest {
 protected:
  static std::vector<std::string> names() { return baseline_names(scalar_type<T>, "cusolver:"); }
  /// Returns results of the host: by the library's own algorithm and, if the build has LAPACK, by its routines.
  static std::vector<GsvdResult<T>> host_results(const Matrix<T>& F, const Matrix<T>& G) {
    std::vector<GsvdResult<T>> results{gsvd<T>(F, G)};
    for (const std::string& name : baseline_names(scalar_type<T>, "lapack:"))
      results.push_back(solve_gsvd_with_baseline<T>(name, F, G));
    return results;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(EveryGpuBaseline, Scalars);

TYPED_TEST(EveryGpuBaseline, DecomposesPairsOfEveryShape) {
  struct Shape {
    Index m_f, m_g, n;
  };
  unsigned seed = 1;
  for (const Shape shape : {Shape{1, 1, 1}, {5, 3, 1}, {2, 2, 2}, {37, 24, 24}, {24, 51, 23}, {300, 257, 257}}) {
    const Matrix<TypeParam> F = well_conditioned<TypeParam>(shape.m_f, shape.n, seed++);
    const Matrix<TypeParam> G = well_conditioned<TypeParam>(shape.m_g, shape.n, seed++);
    for (const std::string& name : this->names()) {
      SCOPED_TRACE(name + " " + std::to_string(shape.m_f) + "×" + std::to_string(shape.m_g) + "×" +
                   std::to_string(shape.n));
      expect_decomposition(F, G, solve_gsvd_with_baseline<TypeParam>(name, F, G));
    }
  }
}

TYPED_TEST(EveryGpuBaseline, AgreesWithTheHost) {
  for (const Index n : {64, 257}) {
    Matrix<TypeParam> F = random_matrix<TypeParam>(n, n, 11), G = random_matrix<TypeParam>(n + 5, n, 12);
    for (Index j = 0; j < n; ++j) {
      F(j, j) += TypeParam(n);
      G(j, j) += TypeParam(n);
    }
    const auto expected = this->host_results(F, G);
    for (const std::string& name : this->names()) {
      SCOPED_TRACE(name + ", n = " + std::to_string(n));
      const auto result = solve_gsvd_with_baseline<TypeParam>(name, F, G);
      ASSERT_EQ(result.status, Status::passed) << result.message;
      for (const auto& host : expected)
        for (std::size_t j = 0; j < host.sigma.size(); ++j)
          EXPECT_NEAR(result.sigma[j], host.sigma[j], 1e-12 * host.sigma[j]);
    }
  }
}

TYPED_TEST(EveryGpuBaseline, DoesNotHideThatGIsNotOfFullColumnRank) {
  const Matrix<TypeParam> F = random_matrix<TypeParam>(9, 6, 5);
  Matrix<TypeParam> G(9, 6);
  for (Index j = 0; j < 6; ++j) G(j == 2 ? 0 : j, j) = TypeParam(1);  // columns 0 and 2 are equal
  for (const std::string& name : this->names()) {
    SCOPED_TRACE(name);
    const auto result = solve_gsvd_with_baseline<TypeParam>(name, F, G);
    if (result.status == Status::passed)  // backward stable, so it sees a nearby pair of full rank
      EXPECT_GT(result.sigma[0], 1e14);
    else
      EXPECT_FALSE(result.message.empty());
  }
}

using NormalEquations = GpuTest;

TEST_F(NormalEquations, ReportOverflowOnGpu) {
  Matrix<double> F = random_matrix<double>(4, 4, 1);
  for (Index j = 0; j < 4; ++j)
    for (double& x : F.col(j)) x *= 1e300;
  const auto result = solve_gsvd_with_baseline<double>("cusolver:dsygvd", F, F);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.message.find("overflow"), std::string::npos) << result.message;
}

TEST_F(NormalEquations, FailOnGpuForIllConditionedG) {
  Matrix<double> G(3, 2);  // Läuchli's matrix: fl(1 + δ²) = 1
  G(0, 0) = G(0, 1) = 1;
  G(1, 0) = G(2, 1) = 1e-9;
  const auto result = solve_gsvd_with_baseline<double>("cusolver:dsygvd", random_matrix<double>(3, 2, 2), G);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_NE(result.message.find("positive definite"), std::string::npos) << result.message;
}

}  // namespace
}  // namespace pivotlab::gsvd_gpu_baselines_test
