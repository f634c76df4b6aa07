// SPDX-License-Identifier: BSD-3-Clause
// LAPACK's eigensolvers and singular value decompositions agree with ours where all of them are accurate.
#include "pairs.hpp"

#include <gtest/gtest.h>

#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::jacobi_baselines_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

template <class T>
void agree() {
  std::mt19937_64 generator(1);
  const Matrix<T> A = hermitian(random_matrix<T>(20, 20, generator)), G = random_matrix<T>(25, 20, generator);
  const auto ours = eigh<T>(A);
  for (const BaselineInfo& info : list_eigh_baselines(scalar_type<T>)) {
    if (!info.name.starts_with("lapack:")) continue;
    const auto theirs = solve_eigh_with_baseline<T>(info.name, A);
    EXPECT_EQ(theirs.inertia, ours.inertia) << info.name;
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(theirs.eigenvalues[j], ours.eigenvalues[j], 1e-12) << info.name;
    if (theirs.U.cols() == 0) continue;
    const Matrix<T> AU = multiplied(false, A, theirs.U);
    for (Index j = 0; j < 20; ++j)
      for (Index i = 0; i < 20; ++i)
        EXPECT_LE(std::abs(AU(i, j) - theirs.U(i, j) * theirs.eigenvalues[j]), 1e-12) << info.name;
  }
  const auto svd = hsvd<T>(G);
  for (const BaselineInfo& info : list_svd_baselines(scalar_type<T>)) {
    if (!info.name.starts_with("lapack:")) continue;
    const auto theirs = solve_svd_with_baseline<T>(info.name, G);
    for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(theirs.sigma[j], svd.sigma[j], 1e-12) << info.name;
    const Matrix<T> GV = multiplied(false, G, theirs.V);
    for (Index j = 0; j < 20; ++j)
      for (Index i = 0; i < 25; ++i)
        EXPECT_LE(std::abs(GV(i, j) - theirs.U(i, j) * theirs.sigma[j]), 1e-12) << info.name;
  }
}

template <class T>
void agree_for_pairs() {
  for (const Index rows : {0, 5, 30}) {
    const auto pair = random_pair<T>(rows, 25, 20, {}, 3);
    const auto ours = ghsvd<T>(pair.F, pair.G, pair.J);
    for (const BaselineInfo& info : list_ghsvd_baselines(scalar_type<T>)) {
      const auto theirs = solve_ghsvd_with_baseline<T>(info.name, pair.F, pair.G, pair.J);
      ASSERT_EQ(theirs.status, Status::passed) << theirs.message;
      for (std::size_t j = 0; j < 20; ++j) EXPECT_NEAR(theirs.eigenvalues[j], ours.eigenvalues[j], 1e-9);
      if (rows < 20) continue;
      EXPECT_EQ(theirs.inertia, ours.inertia);
      EXPECT_EQ(theirs.J, ours.J);
      const GhsvdDefects d = defects(pair, theirs);
      for (const double defect : {d.u, d.v, d.f, d.g, d.residual}) EXPECT_LE(defect, 1e-10);
    }
  }
}

TEST(JacobiBaselines, RealOnesForPairsAgreeWithOurs) {
  agree_for_pairs<double>();
}
TEST(JacobiBaselines, ComplexOnesForPairsAgreeWithOurs) {
  agree_for_pairs<Complex>();
}

TEST(JacobiBaselines, RealOnesAgreeWithOurs) {
  agree<double>();
}
TEST(JacobiBaselines, ComplexOnesAgreeWithOurs) {
  agree<Complex>();
}

TEST(JacobiBaselines, OursKeepsTheDigitsThatTheirsLose) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  const Matrix<double> A = graded<double>(32, 12, 2);
  const auto truth = true_eigenvalues(A);
  EXPECT_LE(largest(relative_errors(eigh<double>(A).eigenvalues, truth)), 1e-13);
  EXPECT_GE(largest(relative_errors(solve_eigh_with_baseline<double>("lapack:dsyevd", A).eigenvalues, truth)), 1.0);
}

TEST(JacobiBaselines, RefuseWrongInput) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  EXPECT_THROW(solve_eigh_with_baseline<double>("lapack:dsyev", Matrix<double>(2, 2)), InputError);
  EXPECT_THROW(solve_eigh_with_baseline<double>("lapack:dsyevd", Matrix<double>(2, 3)), InputError);
  EXPECT_EQ(solve_eigh_with_baseline<double>("lapack:dsyevd", Matrix<double>(0, 0)).status, Status::passed);
  const Matrix<double> F(4, 2), G = Matrix<double>::identity(2);
  EXPECT_THROW(solve_ghsvd_with_baseline<double>("lapack:dggsvd3", F, G), InputError);
  EXPECT_THROW(solve_ghsvd_with_baseline<double>("lapack:dsygvd", F, Matrix<double>(2, 3)), InputError);
  EXPECT_THROW(solve_ghsvd_with_baseline<double>("lapack:dsygvd", F, G, {1}), InputError);
  const auto deficient = solve_ghsvd_with_baseline<double>("lapack:dsygvd", F, Matrix<double>(2, 2));
  EXPECT_EQ(deficient.status, Status::failed);
  EXPECT_NE(deficient.message.find("not positive definite"), std::string::npos) << deficient.message;
}

}  // namespace
}  // namespace pivotlab::jacobi_baselines_test
