// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <kernels/extended/lu.hpp>
#include <kernels/extended/product.hpp>
#include <kernels/extended/triangular.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <pivotlab/scalar.hpp>
#include <tests/extended/host_machine.hpp>
#include <tests/numerics/random_matrix.hpp>

namespace pivotlab::algebra_test {
namespace {

using extended::DeviceMatrix, extended::ExtendedProduct, extended::Factor;
using test::HostMachine, test::random_matrix;
using ComplexDouble = std::complex<double>;
using ComplexDD = std::complex<DoubleDouble>;

template <class T>
bool same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && std::equal(A.data(), A.data() + A.size(), B.data());
}

/// On the device and on the host, op(a)·op(b).
template <class E, class A, class B>
bool same_product(const Matrix<A>& a, Op op_a, const Matrix<B>& b, Op op_b) {
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const DeviceMatrix<A> device_a = machine.upload(a);
  const DeviceMatrix<B> device_b = machine.upload(b);
  const DeviceMatrix<E> C =
      product.multiply<E>(Factor<A>(device_a, op_a == Op::adjoint), Factor<B>(device_b, op_b == Op::adjoint));
  return same_bits(machine.download(C), pivotlab::product<E>({a, op_a}, {b, op_b}, 1));
}

TEST(DeviceProduct, HasTheBitsOfTheHosts) {
  EXPECT_TRUE((same_product<DoubleDouble>(random_matrix<DoubleDouble>(70, 450, 1), Op::none,
                                          random_matrix<DoubleDouble>(450, 67, 2), Op::none)));
  EXPECT_TRUE((same_product<ComplexDD>(random_matrix<ComplexDD>(33, 230, 3), Op::none,
                                       random_matrix<ComplexDD>(230, 35, 4), Op::none)));
  EXPECT_TRUE((same_product<DoubleDouble>(random_matrix<double>(9, 20, 5), Op::none,
                                          random_matrix<DoubleDouble>(20, 5, 6), Op::none)));
}

TEST(DeviceProduct, TakesAdjointsOnBothSides) {
  const auto a = random_matrix<ComplexDouble>(20, 9, 1, 3, 3);
  const auto b = random_matrix<ComplexDD>(7, 20, 2, 3, 3);
  EXPECT_TRUE((same_product<ComplexDD>(a, Op::adjoint, b, Op::adjoint)));
  EXPECT_TRUE((same_product<ComplexDD>(b, Op::none, a, Op::none)));
  EXPECT_TRUE((same_product<ComplexDD>(a, Op::adjoint, a, Op::none)));
  const auto c = random_matrix<double>(20, 9, 3), d = random_matrix<double>(7, 9, 4);
  EXPECT_TRUE((same_product<DoubleDouble>(c, Op::none, d, Op::adjoint)));
  EXPECT_TRUE((same_product<DoubleDouble>(c, Op::adjoint, c, Op::none)));
}

TEST(DeviceProduct, AddsSlicesForIllScaledOperandsAsTheHostDoes) {
  EXPECT_TRUE((same_product<DoubleDouble>(random_matrix<DoubleDouble>(7, 12, 11, 30, 50, 8, true), Op::none,
                                          random_matrix<DoubleDouble>(12, 5, 61, 50, 30, 8, true), Op::none)));
  EXPECT_TRUE((same_product<ComplexDD>(random_matrix<ComplexDouble>(7, 120, 12, 100, 40, 5, true), Op::none,
                                       random_matrix<ComplexDD>(120, 5, 62, 40, 100, 5, true), Op::none)));
}

template <class E>
void expect_gram(Index m, Index n) {
  const auto A = random_matrix<E>(m, n, 9);
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const auto a = machine.upload(A), gram = machine.matrix<E>(n, n);
  product.gram<E, E>(a, gram);
  const Matrix<E> C = machine.download(gram), expected = pivotlab::product<E>({A, Op::adjoint}, {A, Op::none}, 1);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i)
      EXPECT_LE(pivotlab::detail::pivot_size(E(C(i, j) - expected(i, j))), 0x1p-96) << i << ' ' << j;
}

TEST(DeviceProduct, MakesTheUpperTriangleOfAGramMatrixByBlocks) {
  expect_gram<DoubleDouble>(20, 150);
  expect_gram<ComplexDD>(9, 70);
}

TEST(DeviceProduct, FewerBitsMeetBoundWithFewerFlops) {
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const auto a = machine.upload(random_matrix<DoubleDouble>(30, 40, 1)),
             b = machine.upload(random_matrix<DoubleDouble>(40, 20, 2));
  const auto multiply = [&](int bits) {
    return machine.download(product.multiply<DoubleDouble>(Factor<DoubleDouble>(a), Factor<DoubleDouble>(b), bits));
  };
  const Matrix<DoubleDouble> exact = multiply(104);
  double flops_of_more = machine.flops();
  for (const int bits : {80, 60, 40}) {
    const double before = machine.flops();
    const Matrix<DoubleDouble> C = multiply(bits);
    for (Index i = 0; i < C.size(); ++i)
      EXPECT_LE(std::fabs((C.data()[i] - exact.data()[i]).hi()), 40 * std::ldexp(1.0, -bits));
    const double flops = machine.flops() - before;
    EXPECT_LT(flops, flops_of_more);
    flops_of_more = flops;
  }
}

TEST(DeviceProduct, NormBoundKeepsSliceCount) {
  constexpr Index inner = 120;
  constexpr int bits = 77;
  const auto flops_and_error = [&](const Matrix<double>& A, const Matrix<double>& B) {
    HostMachine machine;
    ExtendedProduct<HostMachine> product(machine);
    const auto a = machine.upload(A), b = machine.upload(B);
    const auto C = machine.matrix<DoubleDouble>(A.rows(), B.cols());
    product.multiply<DoubleDouble>(Factor<double>(a), Factor<double>(b), C.view(), bits, extended::Bound::vectors);
    const double flops = machine.flops();
    const Matrix<DoubleDouble> exact = pivotlab::product<DoubleDouble>(A, B, 1), found = machine.download(C);
    double error = 0;  // in units of the bound
    for (Index j = 0; j < B.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        double row = 0, column = 0;
        for (Index k = 0; k < inner; ++k) {
          row = std::max(row, std::fabs(A(i, k)));
          column = std::max(column, std::fabs(B(k, j)));
        }
        error = std::max(error, std::fabs((found(i, j) - exact(i, j)).hi()) / (4 * inner * row * column));
      }
    return std::pair(flops, std::ldexp(error, bits));
  };
  const auto [flops, error] = flops_and_error(random_matrix<double>(7, inner, 1), random_matrix<double>(inner, 5, 2));
  const auto [flops_of_ill, error_of_ill] = flops_and_error(random_matrix<double>(7, inner, 11, 30, 50, 8, true),
                                                            random_matrix<double>(inner, 5, 61, 50, 30, 8, true));
  EXPECT_LE(flops_of_ill, 10 * 2.0 * 7 * inner * 5);  // the products of four slices
  EXPECT_LE(flops, flops_of_ill);                     // the last slices of doubles may be zero
  EXPECT_LE(error, 1);
  EXPECT_LE(error_of_ill, 1);
}

TEST(DeviceProduct, TakesTransposes) {
  const auto a = random_matrix<ComplexDouble>(9, 20, 1), b = random_matrix<ComplexDouble>(7, 20, 2);
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const auto device_a = machine.upload(a), device_b = machine.upload(b);
  const auto C =
      product.multiply<ComplexDD>(Factor<ComplexDouble>(device_a), extended::transpose<ComplexDouble>(device_b.view()));
  EXPECT_TRUE(same_bits(machine.download(C), pivotlab::product<ComplexDD>({a, Op::none}, {b, Op::transpose}, 1)));
}

TEST(DeviceProduct, ZeroForEmptyOrZeroMatrices) {
  const Matrix<DoubleDouble> zero(3, 4), full = random_matrix<DoubleDouble>(4, 2, 1);
  EXPECT_TRUE((same_product<DoubleDouble>(zero, Op::none, full, Op::none)));
  EXPECT_TRUE((same_product<DoubleDouble>(Matrix<DoubleDouble>(3, 0), Op::none, Matrix<DoubleDouble>(0, 2), Op::none)));
  EXPECT_THROW((same_product<DoubleDouble>(zero, Op::none, zero, Op::none)), std::invalid_argument);
}

TEST(DeviceProduct, ANaNSpoilsOnlyItsRow) {
  auto A = random_matrix<double>(3, 4, 1);
  A(1, 2) = std::numeric_limits<double>::quiet_NaN();
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const auto a = machine.upload(A), b = machine.upload(random_matrix<double>(4, 2, 2));
  const auto C = machine.download(product.multiply<DoubleDouble>(Factor<double>(a), Factor<double>(b)));
  for (Index j = 0; j < 2; ++j)
    for (Index i = 0; i < 3; ++i) EXPECT_EQ(isnan(C(i, j)), i == 1);
}

template <class E>
double largest_difference(const Matrix<E>& A, const Matrix<E>& B) {
  double result = 0;
  for (Index i = 0; i < A.size(); ++i)
    result = std::max(result, pivotlab::detail::pivot_size(E(A.data()[i] - B.data()[i])));
  return result;
}

template <class E, extended::Triangle triangle, extended::Diagonal diagonal>
void expect_solution(Index n, extended::Sides sides) {
  // Off-diagonal elements are small, so that the systems are well-conditioned.
  Matrix<E> T = random_matrix<E>(n, n, 1), X = random_matrix<E>(n, n + 3, 2);
  Matrix<E> triangular(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T(i, j) *= DoubleDouble(i == j ? 1 : 1.0 / 64);
      const bool inside = triangle == extended::Triangle::lower ? i > j : i < j;
      if (i == j)
        triangular(i, j) = diagonal == extended::Diagonal::unit ? E(1) : E(T(i, j) = T(i, j) + E(2));
      else if (inside)
        triangular(i, j) = T(i, j);
    }
  if (sides == extended::Sides::upper)
    for (Index j = 0; j < n; ++j)
      for (Index i = j + 1; i < n; ++i) X(i, j) = E(0);
  if (sides == extended::Sides::lower)
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < j; ++i) X(i, j + X.cols() - n) = E(0);
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const DeviceMatrix<E> device_t = machine.upload(T);
  const DeviceMatrix<E> B = machine.upload(pivotlab::product<E>(triangular, X, 1));
  extended::solve_triangular<triangle, diagonal>(product, MatrixView<const E>(device_t.view()), B.view(), sides);
  EXPECT_LE(largest_difference(machine.download(B), X), 0x1p-96) << n;
}

TEST(DeviceTriangle, IsSolvedToFullAccuracyInAllForms) {
  using extended::Triangle, extended::Diagonal, extended::Sides;
  for (const Index n : {1, 31, 32, 33, 75, 130}) {
    expect_solution<DoubleDouble, Triangle::upper, Diagonal::unit>(n, Sides::upper);
    expect_solution<DoubleDouble, Triangle::lower, Diagonal::unit>(n, Sides::full);
    expect_solution<DoubleDouble, Triangle::lower, Diagonal::unit>(n, Sides::lower);
  }
  expect_solution<ComplexDD, Triangle::upper, Diagonal::general>(75, Sides::full);
  expect_solution<ComplexDD, Triangle::lower, Diagonal::unit>(75, Sides::full);
}

template <class E>
void expect_same_factorization(const Matrix<E>& A) {
  HostMachine machine;
  ExtendedProduct<HostMachine> product(machine);
  const auto lu = extended::lu_complete(machine, machine.upload(A));
  const CompletePivotingLU<E> expected = pivotlab::lu_complete(A, 1);
  EXPECT_EQ(lu.rank, expected.rank);
  EXPECT_TRUE(same_bits(machine.download(lu.LU), expected.LU));
  const std::vector<int> rows = machine.download(lu.rows), cols = machine.download(lu.cols);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), expected.rows.begin()));
  EXPECT_TRUE(std::equal(cols.begin(), cols.end(), expected.cols.begin()));
  if (expected.rank < A.rows()) {
    EXPECT_THROW(extended::inverse(product, lu), std::domain_error);
  } else {
    const Matrix<E> X = machine.download(extended::inverse(product, lu)), reference = pivotlab::inverse(expected, 1);
    double largest = 0;
    for (Index i = 0; i < X.size(); ++i) largest = std::max(largest, pivotlab::detail::pivot_size(reference.data()[i]));
    EXPECT_LE(largest_difference(X, reference), 0x1p-90 * largest);
  }
}

TEST(DeviceLU, HasTheBitsOfTheHosts) {
  expect_same_factorization(random_matrix<DoubleDouble>(45, 45, 1));
  expect_same_factorization(random_matrix<ComplexDD>(38, 38, 2, 5, 5));
  expect_same_factorization(random_matrix<DoubleDouble>(1, 1, 3));
}

TEST(DeviceLU, BreaksTiesAndFindsTheRankAsTheHostDoes) {
  Matrix<DoubleDouble> ones(10, 10), zero(5, 5);
  for (Index i = 0; i < ones.size(); ++i) ones.data()[i] = i % 3 == 0 ? -1.0 : 1.0;
  expect_same_factorization(ones);
  expect_same_factorization(zero);
}

}  // namespace
}  // namespace pivotlab::algebra_test
