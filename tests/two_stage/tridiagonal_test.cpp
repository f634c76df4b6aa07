// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on tridiagonal matrices, emulated: as accurate as LAPACK's for matrices that deflate in all ways,
// and the same bits in every order of threads.
#include "tests/two_stage/tridiagonal.hpp"

#include "kernels/exec/host_executor.hpp"
#include "kernels/two_stage/lapack_side.hpp"
#include "tests/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace pivotlab::tridiagonal_test {
namespace {

using namespace test;
using Numbers = std::vector<double>;

struct Tridiagonal {
  Numbers d, e;
};

/// Makes a matrix of order n from functions of the index.
template <class OfDiagonal, class BelowDiagonal>
Tridiagonal made(int n, const OfDiagonal& d, const BelowDiagonal& e) {
  Tridiagonal T;
  for (int i = 0; i < n; ++i) T.d.push_back(d(i));
  for (int i = 0; i + 1 < n; ++i) T.e.push_back(e(i));
  return T;
}

Tridiagonal random(int n) {
  std::mt19937_64 generator(static_cast<std::uint64_t>(n));
  std::normal_distribution<double> normal;
  const auto any = [&](int) { return normal(generator); };
  return made(n, any, any);
}

const auto zero = [](int) { return 0.0; };
const auto one = [](int) { return 1.0; };

double norm(const Tridiagonal& T) {
  double sum = 0;
  for (const double x : T.d) sum += x * x;
  for (const double x : T.e) sum += 2 * x * x;
  return std::sqrt(sum);
}

/// Errors in multiples of n·2⁻⁵³, those of the residual and of eigenvalues relative to ‖T‖.
struct Errors {
  double residual, orthogonality, eigenvalues, eigenvalues_alone;
};

template <class Library = NoLibrary>
Errors errors(const Tridiagonal& T) {
  HostExecutor executor;
  const TridiagonalVectors result = tridiagonal_vectors<Library>(executor, T.d, T.e);
  const auto n = static_cast<Index>(T.d.size());
  const Eigen::MatrixXd X = Eigen::Map<const Eigen::MatrixXd>(result.X.data(), n, n);
  const Eigen::VectorXd lambda = Eigen::Map<const Eigen::VectorXd>(result.lambda.data(), n);
  Eigen::MatrixXd R = Eigen::Map<const Eigen::VectorXd>(T.d.data(), n).asDiagonal() * X - X * lambda.asDiagonal();
  for (Index i = 0; i + 1 < n; ++i) {
    R.row(i) += T.e[static_cast<std::size_t>(i)] * X.row(i + 1);
    R.row(i + 1) += T.e[static_cast<std::size_t>(i)] * X.row(i);
  }
  EXPECT_TRUE(std::ranges::is_sorted(result.lambda) && std::ranges::is_sorted(result.lambda_alone));
  Numbers expected = T.d, below = T.e;
  below.push_back(0);
  Eigen::MatrixXd theirs(n, n);
  EXPECT_EQ(lapack::stedc(expected.data(), below.data(), {theirs.data(), n, n, n}), 0);
  const double unit = static_cast<double>(n) * 0x1p-53, size = std::max(norm(T), 1e-300);
  const auto error = [&](const Numbers& values) {
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) largest = std::max(largest, std::fabs(values[i] - expected[i]));
    return largest / size / unit;
  };
  const Eigen::MatrixXd gram = dense_product<double>(view_of<double>(X.transpose().eval()), view_of<double>(X));
  return {R.norm() / size / unit, (gram - Eigen::MatrixXd::Identity(n, n)).norm() / unit, error(result.lambda),
          error(result.lambda_alone)};
}

std::vector<std::pair<std::string, Tridiagonal>> matrices(int n) {
  const auto grade = [n](int i) { return std::pow(2.0, -53.0 * i / n); };
  const auto signs = [](int i) { return i % 3 == 0 ? -1.0 : 1.0; };
  return {
      {"random", random(n)},
      {"zero", made(n, zero, zero)},
      {"identity", made(n, one, zero)},
      {"diagonal", made(
                       n, [&](int i) { return signs(i) * (i % 7); }, zero)},
      {"second difference", made(
                                n, [](int) { return 2.0; }, [](int) { return -1.0; })},
      {"zero diagonal", made(n, zero, one)},
      {"Wilkinson", made(
                        n, [n](int i) { return std::fabs(i - (n - 1) / 2.0); }, one)},
      {"glued Wilkinson",
       made(
           n, [](int i) { return std::fabs(i % 21 - 10.0); }, [](int i) { return i % 21 == 20 ? 1e-8 : 1.0; })},
      {"loosely glued Wilkinson",
       made(
           n, [](int i) { return std::fabs(i % 21 - 10.0); }, [](int i) { return i % 21 == 20 ? 1e-14 : 1.0; })},
      {"graded down", made(n, grade, grade)},
      {"graded up", made(
                        n, [&](int i) { return grade(n - i); }, [&](int i) { return grade(n - i); })},
      {"steep", made(
                    n, [&](int i) { return std::pow(grade(i), 6); }, [&](int i) { return std::pow(grade(i), 6); })},
      {"small coupling", made(n, one, [](int i) { return 1e-9 * (1 + i % 5); })},
      {"zeros below the diagonal", made(
                                       n, [](int i) { return i % 4; }, [](int i) { return i % 5 == 0 ? 0.0 : 1.0; })},
      {"tiny block", made(
                         n, [n](int i) { return i < n / 2 ? 1.0 + i % 3 : 1e-159 * (i % 3); },
                         [n](int i) { return i < n / 2 ? 1.0 : 1e-159; })},
      {"subnormal", made(
                        n, [](int i) { return i == 0 ? 1.0 : 0.0; }, [](int) { return 1e-310; })}};
}

void expect_accurate(const Errors& e) {
  EXPECT_LE(e.residual, 2);
  EXPECT_LE(e.orthogonality, 3);
  EXPECT_LE(e.eigenvalues, 1);
  EXPECT_LE(e.eigenvalues_alone, 1);
}

TEST(Tridiagonal, IsAsAccurateAsLapack) {
  for (const int n : {2, 33, 210})
    for (const auto& [name, T] : matrices(n)) {
      SCOPED_TRACE(name + ", " + std::to_string(n));
      expect_accurate(errors(T));
    }
}

TEST(Tridiagonal, SolvesOrdersAroundThoseOfLeaves) {
  for (const int n : {1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 129}) {
    SCOPED_TRACE(n);
    expect_accurate(errors(random(n)));
  }
}

// Both parts' columns, of which some deflate; products by the library.
TEST(Tridiagonal, SolvesOrdersAboveThoseOfOwnProducts) {
  expect_accurate(errors<two_stage::LapackSide>(random(700)));
  expect_accurate(errors<two_stage::LapackSide>(made(
      700, [](int) { return 2.0; }, [](int) { return -1.0; })));
}

TEST(Tridiagonal, HasTheSameBitsInEveryOrderOfThreads) {
  for (const auto& [name, T] : matrices(100)) {
    SCOPED_TRACE(name);
    HostExecutor forward;
    const TridiagonalVectors expected = tridiagonal_vectors(forward, T.d, T.e);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
      HostExecutor executor(order, 3);
      EXPECT_EQ(tridiagonal_vectors(executor, T.d, T.e), expected);
    }
  }
}

}  // namespace
}  // namespace pivotlab::tridiagonal_test
