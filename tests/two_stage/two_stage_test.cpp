// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver, emulated, with products of LAPACK, and own divide and conquer or LAPACK's: LAPACK's test
// ratios for the types of matrices of its own tests (TESTING/EIG/ddrvst) and harder ones, and the same bits of the
// second stage in every order of threads.
#include "tests/dense.hpp"
#include "tests/two_stage/band.hpp"
#include "tests/two_stage/band_matrix.hpp"

#include "kernels/exec/host_executor.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <string>

namespace pivotlab::two_stage_test {
namespace {

using namespace test;
template <class T>
using Dense = EigenMatrix<T>;
using two_stage::Outcome;
using two_stage::Reduction;
using two_stage::TridiagonalSolver;

constexpr double unit = 0x1p-53;

struct Release {
  void operator()(unsigned char* block) const { ::operator delete (block, std::align_val_t{256}); }
};

/// Eigenvalues and vectors in place of A.
template <class T>
Outcome solve(Dense<T>& A, std::vector<double>& lambda, two_stage::Steps steps = {},
              const two_stage::Wanted& wanted = {}) {
  const Index n = A.rows();
  const auto solver = two_stage::make_emulated_eigensolver<T>(LaneOrder::forward, steps);
  const std::unique_ptr<unsigned char, Release> workspace(
      static_cast<unsigned char*>(::operator new (solver->workspace_bytes(n), std::align_val_t{256})));
  A.template triangularView<Eigen::StrictlyUpper>().setConstant(
      std::numeric_limits<double>::quiet_NaN());  // is not read
  lambda.assign(static_cast<std::size_t>(n), 0);
  return solver->solve({A.data(), n, n, n}, lambda.data(), workspace.get(), wanted);
}

/// A·B and A·Bᴴ.
template <class T>
Dense<T> times(const Dense<T>& A, const Dense<T>& B) {
  return dense_product<T>(view_of(A), view_of(B));
}
template <class T>
Dense<T> times_adjoint(const Dense<T>& A, const Dense<T>& B) {
  return dense_product<T>(view_of(A), adjoint(view_of(B)));
}

/// The bounds are those of a prototype: three times its largest errors.
template <class T>
void expect_accurate_by(two_stage::Steps steps, const Dense<T>& A, double most_orthogonality) {
  const Index n = A.rows();
  const double largest = A.cwiseAbs().maxCoeff(), scale = largest == 0 ? 1 : std::ldexp(1.0, -std::ilogb(largest));
  const Dense<T> scaled = A * scale;  // may be computed with
  const double size = std::max(scaled.norm(), std::numeric_limits<double>::min()), order = static_cast<double>(n);
  const double order_of_expected = (is_complex<T> ? 2 : 1) * order;
  const Eigen::VectorXd expected = hermitian_eigenvalues(scaled);
  Dense<T> X = A;
  std::vector<double> lambda;
  ASSERT_EQ(solve<T>(X, lambda, steps), Outcome::converged);
  const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(lambda.data(), n) * scale;
  EXPECT_LE((times<T>(scaled, X) - X * values.asDiagonal()).norm() / (size * order * unit), 3);
  EXPECT_LE((dense_product<T>(adjoint(view_of(X)), view_of(X)) - Dense<T>::Identity(n, n)).norm() / (order * unit),
            most_orthogonality);
  EXPECT_TRUE(std::ranges::is_sorted(lambda));
  EXPECT_LE((values - expected).cwiseAbs().maxCoeff(),
            2 * order_of_expected * unit * std::max(expected.cwiseAbs().maxCoeff(), 1e-300));
}

template <class T>
void expect_accurate(const Dense<T>& A, double most_orthogonality = 8,
                     TridiagonalSolver tridiagonal = TridiagonalSolver::own) {
  for (const Reduction reduction : {Reduction::at_once, Reduction::two_stages}) {
    SCOPED_TRACE(reduction == Reduction::at_once ? "at once" : "two stages");
    expect_accurate_by<T>({tridiagonal, reduction}, A, most_orthogonality);
  }
}

template <class T>
class Matrices {
 public:
  using Square = Dense<T>;

  explicit Matrices(Index n) : n_(n), generator_(static_cast<std::uint64_t>(n)) {}

  Square random() {
    Square A(n_, n_);
    for (T& x : A.reshaped())
      if constexpr (is_complex<T>)
        x = {normal_(generator_), normal_(generator_)};
      else
        x = normal_(generator_);
    return (A + A.adjoint()) / 2;
  }
  Square orthogonal() {
    Matrix<T> Q = Matrix<T>::identity(n_);
    multiply_by_q<T>(qr_factors<T>(view_of(random())), Q.view());
    return as_eigen(Q.view());
  }
  Square with(const Eigen::VectorXd& spectrum) {
    const Square Q = orthogonal(), A = times_adjoint<T>(Q * spectrum.asDiagonal(), Q);
    return (A + A.adjoint()) / 2;
  }
  Eigen::VectorXd even() { return signs().cwiseProduct(Eigen::VectorXd::LinSpaced(n_, 2 * unit, 1)); }
  Eigen::VectorXd geometric() {
    Eigen::VectorXd values(n_);
    for (Index i = 0; i < n_; ++i) values[i] = std::pow(2 * unit, static_cast<double>(i) / static_cast<double>(n_ - 1));
    return signs().cwiseProduct(values);
  }
  Eigen::VectorXd clustered() {
    Eigen::VectorXd values = Eigen::VectorXd::Constant(n_, 2 * unit);
    values[0] = 1;
    return signs().cwiseProduct(values);
  }
  Eigen::VectorXd clusters() {
    Eigen::VectorXd values(n_);
    for (Index i = 0; i < n_; ++i) values[i] = static_cast<double>(i % 8 - 3) + 1e-13 * normal_(generator_);
    return values;
  }
  Square band(Index width) {
    Square A = random();
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i)
        if (std::abs(i - j) > width) A(i, j) = 0;
    return A;
  }
  Square graded(bool ascending) {
    Eigen::VectorXd scale(n_);
    for (Index i = 0; i < n_; ++i)
      scale[ascending ? n_ - 1 - i : i] = std::pow(10.0, -8.0 * static_cast<double>(i) / static_cast<double>(n_));
    return scale.asDiagonal() * random() * scale.asDiagonal();
  }
  Square tiny_block() {
    Square A = random();
    A.bottomLeftCorner(n_ - n_ / 2, n_ / 2).setZero(), A.topRightCorner(n_ / 2, n_ - n_ / 2).setZero();
    A.bottomRightCorner(n_ - n_ / 2, n_ - n_ / 2) *= 1e-159;
    return A;
  }
  Square wilkinson() {
    Square A = Square::Zero(n_, n_);
    for (Index i = 0; i < n_; ++i) {
      A(i, i) = std::fabs(static_cast<double>(i - n_ / 2));
      if (i > 0) A(i, i - 1) = A(i - 1, i) = 1;
    }
    return A;
  }
  Square low_rank() {
    const Square F = random().leftCols(3);
    return times_adjoint<T>(F, F);
  }

 private:
  Eigen::VectorXd signs() {
    Eigen::VectorXd values(n_);
    for (double& x : values) x = normal_(generator_) < 0 ? -1 : 1;
    return values;
  }

  Index n_;
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

template <class T>
class TwoStage : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(TwoStage, Scalars);

TYPED_TEST(TwoStage, SolvesTheTypesOfLapacksTests) {
  using Square = Dense<TypeParam>;
  constexpr Index n = 18;
  constexpr double huge = 1e150, tiny = 1e-150;
  Matrices<TypeParam> m(n);
  const std::vector<std::pair<std::string, Square>> all{
      {"zero", Square::Zero(n, n)},
      {"identity", Square::Identity(n, n)},
      {"even diagonal", m.even().asDiagonal()},
      {"geometric diagonal", m.geometric().asDiagonal()},
      {"clustered diagonal", m.clustered().asDiagonal()},
      {"large diagonal", huge * Square(m.geometric().asDiagonal())},
      {"small diagonal", tiny * Square(m.geometric().asDiagonal())},
      {"even", m.with(m.even())},
      {"geometric", m.with(m.geometric())},
      {"clustered", m.with(m.clustered())},
      {"large even", huge * m.with(m.even())},
      {"small even", tiny * m.with(m.even())},
      {"random", m.random()},
      {"large random", huge * m.random()},
      {"small random", tiny * m.random()},
      {"band", m.band(5)},
      {"large band", huge * m.band(5)},
      {"small band", tiny * m.band(5)},
      {"largest numbers", 1e307 * Square(m.random() / m.random().cwiseAbs().maxCoeff() / 8)},
      {"smallest normal numbers", 1e-300 * m.random()},
      {"clusters", m.with(m.clusters())},
      {"graded downwards", m.graded(false)},
      {"graded upwards", m.graded(true)},
      {"tiny block", m.tiny_block()},
      {"Wilkinson", m.wilkinson()},
      {"rank 3", m.low_rank()}};
  for (const auto& [name, A] : all) {
    SCOPED_TRACE(name);
    expect_accurate<TypeParam>(A);
  }
  expect_accurate<TypeParam>(Square::Ones(n, n), 15);
}

TYPED_TEST(TwoStage, SolvesOrdersAroundTheWidthOfTheBand) {
  for (const Index n : {1, 2, 3, 63, 64, 65}) {
    SCOPED_TRACE(n);
    expect_accurate<TypeParam>(Matrices<TypeParam>(n).random());
    expect_accurate<TypeParam>(Matrices<TypeParam>(n).random(), 8, TridiagonalSolver::library);
  }
}

// Two panels; panels that have zero columns, and fewer rows than columns.
TYPED_TEST(TwoStage, ReducesPanels) {
  expect_accurate<TypeParam>(Matrices<TypeParam>(130).tiny_block());
  expect_accurate<TypeParam>(Dense<TypeParam>::Ones(80, 80), 15);
}

TYPED_TEST(TwoStage, ComputesEigenvaluesAloneAndSomeVectors) {
  constexpr Index n = 100, first = 37, count = 50;
  const Dense<TypeParam> A = Matrices<TypeParam>(n).random();
  for (const two_stage::Steps tridiagonal :
       {two_stage::Steps{}, {TridiagonalSolver::own, Reduction::two_stages}, {TridiagonalSolver::library}}) {
    Dense<TypeParam> X = A, part = A, none = A;
    std::vector<double> lambda, of_part, alone;
    ASSERT_EQ(solve<TypeParam>(X, lambda, tridiagonal), Outcome::converged);
    ASSERT_EQ(solve<TypeParam>(part, of_part, tridiagonal, {.first = first, .count = count}), Outcome::converged);
    ASSERT_EQ(solve<TypeParam>(none, alone, tridiagonal, {.vectors = false}), Outcome::converged);
    EXPECT_EQ(of_part, lambda);
    EXPECT_LE((part.leftCols(count) - X.middleCols(first, count)).norm(), n * unit);
    for (std::size_t i = 0; i < lambda.size(); ++i) EXPECT_NEAR(alone[i], lambda[i], n * unit * A.norm());
  }
}

TYPED_TEST(TwoStage, ReportsNumbersThatAreNotFinite) {
  std::vector<double> lambda;
  for (const double x : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Dense<TypeParam> A = Matrices<TypeParam>(70).random();
    A(50, 20) = x;
    EXPECT_EQ(solve<TypeParam>(A, lambda), Outcome::not_finite);
  }
}

TYPED_TEST(TwoStage, TheReductionAtOnceHasTheSameBitsInEveryOrderOfThreadsAndAnyStrips) {
  constexpr Index n = 70;
  const auto A = band_matrix<TypeParam>(n, 0.1, n);
  HostExecutor forward;
  const Tridiagonal<TypeParam> expected = tridiagonalized<16, 1>(forward, A, n);
  for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
    HostExecutor executor(order, 3);
    EXPECT_EQ((tridiagonalized<16, 1>(executor, A, n)), expected);
    EXPECT_EQ((tridiagonalized<5, 2>(executor, A, n)), expected);
  }
}

TYPED_TEST(TwoStage, TheSecondStageHasTheSameBitsInEveryOrderOfThreadsAndAnySlabs) {
  constexpr Index n = 100;
  const auto A = band_matrix<TypeParam>(n);
  HostExecutor forward;
  const ReducedBand<TypeParam> expected = reduced_band<1>(forward, A, n);
  for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
    HostExecutor executor(order, 3);
    EXPECT_EQ(reduced_band<2>(executor, A, n), expected);
    EXPECT_EQ((reduced_band<1, true>(executor, A, n)), expected);
  }
  const Dense<TypeParam> Q = Eigen::Map<const Dense<TypeParam>>(expected.Q.data(), n, n);
  const Eigen::Map<const Dense<TypeParam>> B(A.data(), n, n);
  Dense<TypeParam> T = Dense<TypeParam>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    T(i, i) = expected.diagonal[static_cast<std::size_t>(i)];
    if (i > 0) T(i, i - 1) = T(i - 1, i) = expected.off_diagonal[static_cast<std::size_t>(i - 1)];
  }
  EXPECT_LE((times_adjoint<TypeParam>(times<TypeParam>(Q, T), Q) - B).norm(), 1e-14 * B.norm());
}

}  // namespace
}  // namespace pivotlab::two_stage_test
