// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER's Hermitian eigensolvers and singular value decompositions have the properties that the library documents.
#include <pivotlab/error.hpp>
#include <tests/baselines/support.hpp>
#include <tests/gpu_test.hpp>

namespace pivotlab::jacobi_gpu_baselines_test {
namespace {

constexpr Index n = 100;

template <class T>
class CusolverJacobi : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(CusolverJacobi, Scalars);

/// Scales column j, and row j if `both`, by 10^(−decades·j/(n−1)).
template <class T>
Matrix<T> graded(Matrix<T> A, double decades, bool both) {
  const auto d = [&](Index j) { return std::pow(10.0, -decades * static_cast<double>(j) / (n - 1)); };
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= T(d(j) * (both ? d(i) : 1.0));
  return A;
}

template <class T>
Matrix<T> random_hermitian() {
  const Matrix<T> B = random_matrix<T>(n, n, 3);
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = B(i, j) + conjugate(B(j, i));
  return A;
}

template <class T>
void expect_orthonormal(const Matrix<T>& U) {
  EXPECT_LE((dense_product<T>(adjoint(U), U) - Dense<T>::Identity(n, n)).norm(), 1e-14 * n);
}

template <class T>
void expect_eigenvectors(const Matrix<T>& A, const EighResult<T>& result) {
  ASSERT_EQ(result.status, Status::passed) << result.message;
  ASSERT_EQ(std::ssize(result.eigenvalues), n);
  EXPECT_TRUE(std::is_sorted(result.eigenvalues.rbegin(), result.eigenvalues.rend()));
  EXPECT_EQ(result.inertia.positive + result.inertia.negative + result.inertia.zero, n);
  EXPECT_GT(result.compute_seconds, 0);
  const Eigen::Map<const Eigen::VectorXd> values(result.eigenvalues.data(), n);
  EXPECT_LE((dense_product<T>(A, result.U) - map(result.U) * values.asDiagonal()).norm(), 1e-14 * n * map(A).norm());
  expect_orthonormal(result.U);
}

template <class T>
void expect_singular_vectors(const Matrix<T>& G, const HsvdResult<T>& result) {
  ASSERT_EQ(result.status, Status::passed) << result.message;
  ASSERT_EQ(std::ssize(result.sigma), n);
  EXPECT_TRUE(std::is_sorted(result.sigma.rbegin(), result.sigma.rend()));
  EXPECT_EQ(result.J, std::vector<int>(n, 1));
  EXPECT_GT(result.compute_seconds, 0);
  const Eigen::Map<const Eigen::VectorXd> sigma(result.sigma.data(), n);
  EXPECT_LE((dense_product<T>(G, result.V) - map(result.U) * sigma.asDiagonal()).norm(), 1e-14 * n * map(G).norm());
  expect_orthonormal(result.U);
  expect_orthonormal(result.V);
}

template <class Test>
void for_each_of_cusolver(const std::vector<BaselineInfo>& baselines, int expected, Test test) {
  int count = 0;
  for (const auto& [name, summary] : baselines)
    if (name.starts_with("cusolver:")) {
      SCOPED_TRACE(name);
      try {
        test(name);
      } catch (const NotSupported&) {  // by an older cuSOLVER
        EXPECT_TRUE(name.ends_with(";two-stage"));
      }
      ++count;
    }
  EXPECT_EQ(count, expected);
}

TYPED_TEST(CusolverJacobi, ComputesEigenvectors) {
  const auto A = random_hermitian<TypeParam>();
  for_each_of_cusolver(list_eigh_baselines(scalar_type<TypeParam>), 4, [&](const std::string& name) {
    expect_eigenvectors(A, solve_eigh_with_baseline<TypeParam>(name, A));
    const auto of_graded = graded(A, 6, true);
    expect_eigenvectors(of_graded, solve_eigh_with_baseline<TypeParam>(name, of_graded));
  });
}

TYPED_TEST(CusolverJacobi, ComputesSingularVectors) {
  for_each_of_cusolver(list_svd_baselines(scalar_type<TypeParam>), 2, [&](const std::string& name) {
    for (const Index m : {n, n + 50}) {
      const auto G = random_matrix<TypeParam>(m, n, 5), of_graded = graded(G, 12, false);
      expect_singular_vectors(G, solve_svd_with_baseline<TypeParam>(name, G));
      expect_singular_vectors(of_graded, solve_svd_with_baseline<TypeParam>(name, of_graded));
    }
  });
}

}  // namespace
}  // namespace pivotlab::jacobi_gpu_baselines_test
