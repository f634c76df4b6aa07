// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver on a GPU: the committed digests of the second stage and of divide and conquer, the same
// bits in every run, results as exact as LAPACK's, and a status for numbers that are not finite.
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
template <class T>
using Dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
using two_stage::Outcome;
using two_stage::Reduction;
using two_stage::Steps;
using two_stage::TridiagonalSolver;

template <class T>
class TwoStageGpu : public GpuTest {
 public:
  /// Both reductions with own divide and conquer, and cuSOLVER's where it has Xstedc.
  static std::vector<Steps> solvers() {
    std::vector<Steps> all{{}, {TridiagonalSolver::own, Reduction::two_stages}};
    if (cuda::Cusolver::available() && cuda::Cusolver::has_stedc()) all.push_back({TridiagonalSolver::library});
    return all;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(TwoStageGpu, Scalars);

template <class T>
struct Solution {
  Outcome outcome;
  Eigen::VectorXd lambda;
  Dense<T> X;
};

template <class T>
Solution<T> solve(const Dense<T>& A, Steps steps, const two_stage::Wanted& wanted = {}) {
  const Index n = A.rows();
  const auto solver = two_stage::make_cuda_eigensolver<T>(nullptr, {}, steps);
  const cuda::DeviceMatrix<T> X(view_of<T>(A), nullptr);
  const cuda::DeviceMatrix<double> lambda(n, 1);
  const auto workspace = cuda::allocate<unsigned char>(static_cast<Index>(solver->workspace_bytes(n)));
  const Outcome outcome = solver->solve(X.view(), lambda.view().data, workspace.data(), wanted);
  Matrix<double> values(n, 1);
  Matrix<T> vectors(n, n);
  lambda.download(values, nullptr), X.download(vectors, nullptr);
  return {outcome, as_eigen(values.view()), as_eigen(vectors.view())};
}

template <class T>
Dense<T> random_hermitian(Index n) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  Dense<T> A(n, n);
  for (T& x : A.reshaped())
    if constexpr (is_complex<T>)
      x = {normal(generator), normal(generator)};
    else
      x = normal(generator);
  return (A + A.adjoint()) / 2;
}

class TwoStageDigests : public GpuTest {};

TEST_F(TwoStageDigests, HasTheCommittedDigests) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

TYPED_TEST(TwoStageGpu, IsAccurateAndRepeatsItsBits) {
  for (const Steps solver : this->solvers())
    for (const Index n : {1, 2, 65, 200, 600, 1000, 1500}) {
      SCOPED_TRACE(n);
      const Dense<TypeParam> A = random_hermitian<TypeParam>(n);
      const auto [outcome, lambda, X] = solve<TypeParam>(A, solver);
      ASSERT_EQ(outcome, Outcome::converged);
      const double size = static_cast<double>(n) * 0x1p-53;
      EXPECT_LE(
          (dense_product<TypeParam>(view_of<TypeParam>(A), view_of<TypeParam>(X)) - X * lambda.asDiagonal()).norm(),
          3 * size * A.norm());
      EXPECT_LE((dense_product<TypeParam>(adjoint(view_of<TypeParam>(X)), view_of<TypeParam>(X)) -
                 Dense<TypeParam>::Identity(n, n))
                    .norm(),
                8 * size);
      const Solution<TypeParam> again = solve<TypeParam>(A, solver);
      EXPECT_TRUE(again.lambda == lambda && again.X == X);
    }
}

TYPED_TEST(TwoStageGpu, ComputesEigenvaluesAloneAndSomeVectors) {
  constexpr Index n = 800, first = 300, count = 77;
  const Dense<TypeParam> A = random_hermitian<TypeParam>(n);
  for (const Steps solver : this->solvers()) {
    const Solution<TypeParam> all = solve<TypeParam>(A, solver),
                              part = solve<TypeParam>(A, solver, {.first = first, .count = count}),
                              alone = solve<TypeParam>(A, solver, {.vectors = false});
    ASSERT_TRUE(part.outcome == Outcome::converged && alone.outcome == Outcome::converged);
    EXPECT_TRUE(part.lambda == all.lambda);
    EXPECT_LE((part.X.leftCols(count) - all.X.middleCols(first, count)).norm(), n * 0x1p-53);
    EXPECT_LE((alone.lambda - all.lambda).cwiseAbs().maxCoeff(), n * 0x1p-53 * A.norm());
  }
}

TYPED_TEST(TwoStageGpu, ReportsNumbersThatAreNotFinite) {
  Dense<TypeParam> A = random_hermitian<TypeParam>(300);
  A(200, 100) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solve<TypeParam>(A, {}).outcome, Outcome::not_finite);
}

}  // namespace
}  // namespace pivotlab::two_stage_gpu_test
