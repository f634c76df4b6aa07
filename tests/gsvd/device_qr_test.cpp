// SPDX-License-Identifier: BSD-3-Clause
// The QR factorization of the GPU's machine, emulated, with products of LAPACK: its residual row by row and column by
// column, its orthogonality, and the same bits in every order of threads.
#include "problems.hpp"
#include "tests/gsvd/panel_qr.hpp"

#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/tangent/device/device_machine.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/host/lapack_library.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <pivotlab/error.hpp>
#include <random>
#include <set>

namespace pivotlab::device_qr_test {
namespace {

using namespace test;

template <class T>
class DeviceQr : public testing::Test {
 protected:
  static EigenMatrix<T> random(Index rows, Index cols) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(rows * 1000 + cols));
    std::normal_distribution<double> normal;
    EigenMatrix<T> A(rows, cols);
    for (T& x : A.reshaped()) {
      if constexpr (is_complex<T>) {
        const double re = normal(generator);
        x = T(re, normal(generator));
      } else {
        x = normal(generator);
      }
    }
    return A;
  }

  struct Factors {
    EigenMatrix<T> Q, R;
    std::vector<int> order;  ///< of the columns; empty without pivoting
  };

  static Factors factors(const EigenMatrix<T>& A, bool pivoted = false, LaneOrder lanes = LaneOrder::forward) {
    using Machine = tangent::DeviceMachine<tangent::Kernels<HostExecutor>, tangent::LapackLibrary>;
    const Index rows = A.rows(), n = A.cols();
    HostExecutor executor(lanes);
    Machine machine(tangent::Kernels<HostExecutor>(executor), tangent::LapackLibrary(), {});
    const tangent::Shape shape{rows, rows, rows};  // Q has as many columns as rows
    std::vector<T> work(machine.template work_elements<T>(shape)),
        tau(static_cast<std::size_t>(machine.template reflector_elements<T>(n)));
    machine.template set_work<T>(work.data(), static_cast<Index>(work.size()), shape);
    EigenMatrix<T> reflectors = A;
    const MatrixView<T> view{reflectors.data(), rows, n, rows};
    std::vector<int> order;
    if (pivoted)
      order = machine.qr_pivoted(view, tau.data());
    else
      machine.qr(view, tau.data());
    EigenMatrix<T> Q = EigenMatrix<T>::Identity(rows, rows);
    machine.apply_q(MatrixView<const T>(view), tau.data(), MatrixView<T>{Q.data(), rows, rows, rows});
    return {Q, reflectors.template triangularView<Eigen::Upper>(), order};
  }

  static EigenMatrix<T> product(const EigenMatrix<T>& Q, const EigenMatrix<T>& R) {
    return dense_product<T>(view_of<T>(Q), view_of<T>(R));
  }
  static void expect_orthogonal(const EigenMatrix<T>& Q) {
    const Index n = Q.cols();
    EXPECT_LE((dense_product<T>(adjoint(view_of<T>(Q)), view_of<T>(Q)) - EigenMatrix<T>::Identity(n, n)).norm(),
              1e-15 * static_cast<double>(n));
  }
  static void expect_small_columns(const EigenMatrix<T>& difference, const EigenMatrix<T>& A) {
    for (Index j = 0; j < A.cols(); ++j) EXPECT_LE(difference.col(j).norm(), 1e-14 * A.col(j).norm()) << "column " << j;
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DeviceQr, Scalars);

TYPED_TEST(DeviceQr, FactorsEveryShape) {
  for (const auto& [rows, cols] : std::vector<std::pair<Index, Index>>{{1, 1},
                                                                       {5, 1},
                                                                       {2, 2},
                                                                       {16, 16},
                                                                       {33, 17},
                                                                       {70, 32},
                                                                       {64, 64},
                                                                       {90, 77},
                                                                       {140, 133},
                                                                       {300, 35},
                                                                       {1100, 17}}) {
    SCOPED_TRACE(fmt::format("{} x {}", rows, cols));
    const auto A = this->random(rows, cols);
    const auto [Q, R, order] = this->factors(A);
    this->expect_orthogonal(Q);
    this->expect_small_columns(this->product(Q, R) - A, A);
  }
}

TYPED_TEST(DeviceQr, ColumnsOfAllScalesHaveSmallErrors) {
  auto A = this->random(50, 50);
  for (Index j = 0; j < A.cols(); ++j) A.col(j) *= TypeParam(std::ldexp(1.0, static_cast<int>(j * 37 % 50 * 40 - 980)));
  const auto [Q, R, order] = this->factors(A);
  this->expect_orthogonal(Q);
  const EigenMatrix<TypeParam> difference = this->product(Q, R) - A;
  for (Index j = 0; j < A.cols(); ++j)
    EXPECT_LE(difference.col(j).stableNorm(), 1e-14 * A.col(j).stableNorm()) << "column " << j;
}

// Powell and Reid; Cox and Higham: sorted rows have small errors, each relative to its own size.
TYPED_TEST(DeviceQr, SortedRowsOfAllScalesHaveSmallErrors) {
  auto A = this->random(90, 70);
  for (Index i = 0; i < A.rows(); ++i) A.row(i) *= TypeParam(std::ldexp(1.0, static_cast<int>(-i)));
  const auto [Q, R, order] = this->factors(A);
  const EigenMatrix<TypeParam> difference = this->product(Q, R) - A;
  for (Index i = 0; i < A.rows(); ++i) EXPECT_LE(difference.row(i).norm(), 5e-14 * A.row(i).norm()) << "row " << i;
}

TYPED_TEST(DeviceQr, ZeroColumnsAreFactored) {
  auto A = this->random(40, 36);
  for (const Index j : {0, 5, 33}) A.col(j).setZero();
  A.bottomRows(38).col(1).setZero();
  const auto [Q, R, order] = this->factors(A);
  this->expect_orthogonal(Q);
  this->expect_small_columns(this->product(Q, R) - A, A);
  EXPECT_EQ(this->product(Q, this->factors(EigenMatrix<TypeParam>::Zero(40, 36)).R).norm(), 0);
}

TYPED_TEST(DeviceQr, NumbersThatAreNotFiniteReachTheDiagonal) {
  auto A = this->random(20, 20);
  A(7, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(std::isfinite(std::abs(this->factors(A).R(19, 19))));
  A(7, 3) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(std::isfinite(std::abs(this->factors(A).R(19, 19))));
}

TYPED_TEST(DeviceQr, PivotsAreColumnsOfNearlyTheLargestRemainingNorm) {
  for (const auto& [rows, cols] :
       std::vector<std::pair<Index, Index>>{{1, 1}, {40, 33}, {90, 90}, {140, 133}, {300, 35}}) {
    SCOPED_TRACE(fmt::format("{} x {}", rows, cols));
    auto A = this->random(rows, cols);
    for (Index j = 0; j < cols; ++j)
      A.col(j) *= TypeParam(std::ldexp(1.0, static_cast<int>(j * 37 % cols * 300 / cols)));
    const auto [Q, R, order] = this->factors(A, true);
    EigenMatrix<TypeParam> permuted(rows, cols);
    std::set<int> places;
    for (Index j = 0; j < cols; ++j) {
      permuted.col(j) = A.col(order[static_cast<std::size_t>(j)]);
      places.insert(order[static_cast<std::size_t>(j)]);
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(cols));
    this->expect_orthogonal(Q);
    this->expect_small_columns(this->product(Q, R) - permuted, permuted);
    for (Index k = 0; k < cols; ++k)
      for (Index j = k + 1; j < cols; ++j)
        EXPECT_LE(R.col(j).segment(k, j - k + 1).norm(), 4 * std::abs(R(k, k))) << k << ' ' << j;
  }
}

// Column norms alone would take all copies of a large column before the first small one.
TYPED_TEST(DeviceQr, PivotsRevealTheRankOfCopies) {
  const auto B = this->random(120, 30);
  EigenMatrix<TypeParam> A(120, 75);
  for (Index j = 0; j < 75; ++j) A.col(j) = B.col(j % 30) * TypeParam(j % 30 < 5 ? 1.0 : 1e-6);
  const auto [Q, R, order] = this->factors(A, true);
  for (Index k = 0; k < 30; ++k) EXPECT_GE(std::abs(R(k, k)), 1e-7) << k;
  EXPECT_LE(R.bottomRows(90).norm(), 1e-13 * A.norm());
}

TYPED_TEST(DeviceQr, PivotsHaveTheSameBitsInEveryOrderOfThreads) {
  auto A = this->random(50, 40);
  A.col(7) = A.col(3), A.col(20).setZero();
  const auto forward = this->factors(A, true);
  for (const LaneOrder lanes : {LaneOrder::reverse, LaneOrder::shuffled}) {
    const auto other = this->factors(A, true, lanes);
    EXPECT_EQ(other.order, forward.order);
    EXPECT_TRUE((other.R.array() == forward.R.array()).all());
  }
}

TYPED_TEST(DeviceQr, MoreRowsThanAClusterHoldsAreNotPivoted) {
  EXPECT_THROW(this->factors(EigenMatrix<TypeParam>::Ones(20481, 1), true), NotSupported);
}

TYPED_TEST(DeviceQr, PanelsHaveTheSameBitsInEveryOrderOfThreads) {
  constexpr Index rows = 1300, cols = 12;
  const auto A = panel_of_many_scales<TypeParam>(rows, cols);
  HostExecutor forward, reverse(LaneOrder::reverse), shuffled(LaneOrder::shuffled, 3);
  const auto expected = factored_panel<TypeParam, 2>(forward, A, rows, cols);
  EXPECT_TRUE((factored_panel<TypeParam, 2>(reverse, A, rows, cols) == expected));
  EXPECT_TRUE((factored_panel<TypeParam, 2>(shuffled, A, rows, cols) == expected));
}

TYPED_TEST(DeviceQr, TallPanelsAreThoseOfFullWidth) {
  constexpr Index rows = 1500, cols = 8;
  const auto A = panel_of_many_scales<TypeParam>(rows, cols);
  HostExecutor forward, reverse(LaneOrder::reverse);
  const auto wide = factored_panel<TypeParam, 2>(forward, A, rows, cols);
  const auto tall = factored_panel<TypeParam, 20, 4>(forward, A, rows, cols);
  EXPECT_TRUE((factored_panel<TypeParam, 20, 4>(reverse, A, rows, cols) == tall));
  const auto expect_near = [this](const std::vector<TypeParam>& x, const std::vector<TypeParam>& y, Index m) {
    using Panel = Eigen::Map<const EigenMatrix<TypeParam>>;
    this->expect_small_columns(Panel(x.data(), m, cols) - Panel(y.data(), m, cols), Panel(y.data(), m, cols));
  };
  expect_near(tall.V, wide.V, rows), expect_near(tall.A, wide.A, rows),
      expect_near(tall.t_inverse, wide.t_inverse, cols);
}

}  // namespace
}  // namespace pivotlab::device_qr_test
