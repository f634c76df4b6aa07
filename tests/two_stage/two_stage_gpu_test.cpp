// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver on a GPU: the committed digests of the second stage, the same bits in every run, results as
// exact as LAPACK's, and a status for numbers that are not finite.
#include "tests/digests/digests.hpp"
#include "tests/gpu_test.hpp"

#include "kernels/exec/device_matrix.hpp"
#include "kernels/libraries/cusolver.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"
#include "tests/dense.hpp"

#include <limits>
#include <random>

namespace pivotlab::two_stage_gpu_test {
namespace {

using namespace test;
using Real = Eigen::MatrixXd;
using two_stage::Outcome;

class TwoStageGpu : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped() && !cuda::Cusolver::has_stedc()) GTEST_SKIP() << "cuSOLVER has no Xstedc";
  }
};

struct Solution {
  Outcome outcome;
  Eigen::VectorXd lambda;
  Real X;
};

Solution solve(const Real& A) {
  const Index n = A.rows();
  const auto solver = two_stage::make_cuda_eigensolver(nullptr);
  const cuda::DeviceMatrix<double> X(view_of<double>(A), nullptr), lambda(n, 1);
  const auto workspace = cuda::allocate<unsigned char>(static_cast<Index>(solver->workspace_bytes(n)));
  const Outcome outcome = solver->solve(X.view(), lambda.view().data, workspace.data());
  Matrix<double> values(n, 1), vectors(n, n);
  lambda.download(values, nullptr), X.download(vectors, nullptr);
  return {outcome, as_eigen(values.view()), as_eigen(vectors.view())};
}

Real random_symmetric(Index n) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  Real A(n, n);
  for (double& x : A.reshaped()) x = normal(generator);
  return (A + A.transpose()) / 2;
}

TEST_F(TwoStageGpu, TheSecondStageHasTheCommittedDigests) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

TEST_F(TwoStageGpu, IsAccurateAndRepeatsItsBits) {
  for (const Index n : {1, 2, 65, 200, 1000}) {
    SCOPED_TRACE(n);
    const Real A = random_symmetric(n);
    const auto [outcome, lambda, X] = solve(A);
    ASSERT_EQ(outcome, Outcome::converged);
    const double size = static_cast<double>(n) * 0x1p-53;
    EXPECT_LE((dense_product<double>(view_of<double>(A), view_of<double>(X)) - X * lambda.asDiagonal()).norm(),
              3 * size * A.norm());
    EXPECT_LE((dense_product<double>(adjoint(view_of<double>(X)), view_of<double>(X)) - Real::Identity(n, n)).norm(),
              8 * size);
    const Solution again = solve(A);
    EXPECT_TRUE(again.lambda == lambda && again.X == X);
  }
}

TEST_F(TwoStageGpu, ReportsNumbersThatAreNotFinite) {
  Real A = random_symmetric(300);
  A(200, 100) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve(A).outcome, Outcome::not_finite);
}

}  // namespace
}  // namespace pivotlab::two_stage_gpu_test
