// SPDX-License-Identifier: BSD-3-Clause
// Batches of general matrices: kernels by emulation against eig(), residuals, the same bits for every order of the
// batch and of the threads; statuses.
#include "batches.hpp"
#include "tests/jacobi/matrices.hpp"

#include "kernels/batch/run.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::batch_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
class EigBatches : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EigBatches, Scalars);

/// Dense, graded by rows against columns, triangular, a Jordan block, a cyclic permutation, zero, very small.
template <class T>
std::vector<Matrix<T>> some_general(Index n) {
  std::mt19937_64 generator(static_cast<unsigned>(n));
  std::vector<Matrix<T>> all;
  for (int kind = 0; kind < 7; ++kind) {
    Matrix<T> A = random_matrix<T>(n, n, generator);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        if (kind == 1) A(i, j) *= std::pow(10.0, 6.0 * double(i - j) / double(n));
        if (kind == 2 && i > j) A(i, j) = T(0);
        if (kind == 3) A(i, j) = T(i == j ? 2.0 : i + 1 == j ? 1.0 : 0.0);
        if (kind == 4) A(i, j) = T(i == (j + 1) % n ? 1.0 : 0.0);
        if (kind == 5) A(i, j) = T(0);
        if (kind == 6) A(i, j) *= 0x1p-900;
      }
    all.push_back(std::move(A));
  }
  return all;
}

double largest_part(const Complex& x) {
  return std::max(std::abs(x.real()), std::abs(x.imag()));
}

// Below the first two rows its Hessenberg form consists of rounding errors.
TYPED_TEST(EigBatches, RowsOfRoundingErrorsConverge) {
  using T = TypeParam;
  for (const Index n : {12, 20}) {
    Matrix<T> A(n, n);
    std::fill_n(A.data(), A.size(), T(1));
    const EigenpairsOfBatch<T> batch({A}, Backend::emulation);
    ASSERT_EQ(batch.status[0], int(Status::passed));
    EXPECT_NEAR(largest_part(batch.values[0] - double(n)), 0, 1e-13);
    for (Index j = 1; j < n; ++j) EXPECT_NEAR(largest_part(batch.values[j]), 0, 1e-13);
  }
}

TYPED_TEST(EigBatches, ResidualsAreThoseOfABackwardStableAlgorithm) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 16, 17, 32, 33, 65}) {
    auto A = some_general<T>(n);
    if (n > 64) A.resize(2);  // its emulation takes seconds
    const EigenpairsOfBatch<T> batch(A, Backend::emulation);
    for (Index k = 0; k < batch.count; ++k) {
      SCOPED_TRACE(testing::Message() << "order " << n << " matrix " << k);
      ASSERT_EQ(batch.status[k], int(Status::passed));
      const Matrix<Complex> V = batch.V[k];
      double norm = 0, residual = 0;
      for (Index j = 0; j < n; ++j) {
        double length = 0;
        for (Index i = 0; i < n; ++i) {
          norm = std::max(norm, std::abs(A[k](i, j)));
          length += std::norm(V(i, j));
          Complex sum = -(batch.values[k * n + j] * V(i, j));
          for (Index l = 0; l < n; ++l) sum += Complex(A[k](i, l)) * V(l, j);
          residual = std::max(residual, largest_part(sum));
        }
        EXPECT_NEAR(length, 1, 1e-12);
        if (j > 0) {
          EXPECT_GE(std::abs(batch.values[k * n + j - 1]), std::abs(batch.values[k * n + j]) * (1 - 1e-15));
        }
      }
      EXPECT_LE(residual, 20.0 * double(n) * std::numeric_limits<double>::epsilon() * norm);
    }
  }
}

TYPED_TEST(EigBatches, EigenvaluesAreThoseOfTheSingleCall) {
  using T = TypeParam;
  for (const Index n : {1, 2, 8, 16, 31, 40}) {
    std::mt19937_64 generator(7);
    const std::vector<Matrix<T>> A{random_matrix<T>(n, n, generator), random_matrix<T>(n, n, generator)};
    const EigenpairsOfBatch<T> batch(A, Backend::emulation), host(A, Backend::host);
    for (Index k = 0; k < 2; ++k) {
      const EigResult<double> single = eig<T>(A[k]);
      EXPECT_EQ(bits_of(&host.values[k * n], n), bits_of(single.eigenvalues.data(), n));
      EXPECT_EQ(bits_of(host.V[k].data(), n * n), bits_of(single.V.data(), n * n));
      for (const Complex& value : single.eigenvalues) {  // moduli of conjugate ones differ by rounding
        double nearest = 1e300;
        for (Index j = 0; j < n; ++j) nearest = std::min(nearest, std::abs(batch.values[k * n + j] - value));
        EXPECT_LE(nearest, 1e-11 * std::abs(single.eigenvalues[0])) << n;
      }
    }
  }
}

TYPED_TEST(EigBatches, ValuesWithoutVectorsAreTheSame) {
  using T = TypeParam;
  const auto A = some_general<T>(20);
  const EigenpairsOfBatch<T> with(A, Backend::emulation), without(A, Backend::emulation, false);
  for (Index k = 0; k < with.count; ++k)
    for (Index j = 0; j < 20 && k != 4; ++j)  // the eigenvalues of 4 have equal moduli
      EXPECT_NEAR(std::abs(with.values[k * 20 + j] - without.values[k * 20 + j]), 0, 1e-9);
}

TYPED_TEST(EigBatches, BitsDependNeitherOnTheBatchNorOnTheOrderOfThreads) {
  using T = TypeParam;
  for (const Index n : {7, 20}) {
    auto A = some_general<T>(n);
    const EigenpairsOfBatch<T> forward(A, Backend::emulation);
    std::ranges::reverse(A);
    const Index last = std::ssize(A) - 1;
    const EigenpairsOfBatch<T> back(A, Backend::emulation);
    for (Index k = 0; k <= last; ++k) EXPECT_EQ(forward.bits(k), back.bits(last - k)) << n << " " << k;
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
      EigenpairsOfBatch<T> other(n, last + 1);
      const Stored<T> given(A);
      std::vector<Complex> work(eig_batch_workspace(n, last + 1) / sizeof(Complex));
      batch::EigArguments arguments;
      arguments.A = reinterpret_cast<const double*>(given.view.data), arguments.parts = is_complex<T> ? 2 : 1;
      arguments.stride = given.view.stride, arguments.distance = given.view.distance, arguments.n = int(n);
      arguments.values = other.values.data(), arguments.status = other.status.data(), arguments.work = work.data();
      arguments.V = {other.V.view.data, other.V.view.stride, other.V.view.distance};
      batch::run_emulated(arguments, static_cast<int>(last + 1), order);
      for (Index k = 0; k <= last; ++k) EXPECT_EQ(other.bits(k), back.bits(k)) << n << " " << k;
    }
  }
}

TYPED_TEST(EigBatches, PairsThatAreNotAccurateAreIncorrect) {
  using T = TypeParam;
  std::mt19937_64 generator(2);
  std::vector<Matrix<T>> A(20, Matrix<T>(6, 6));
  for (auto& X : A)
    for (Index i = 0; i < X.size(); ++i) X.data()[i] = T(std::exp2(double(generator() % 120)));
  A.push_back(Matrix<T>(6, 6));
  A.back()(1, 0) = A.back()(1, 2) = A.back()(2, 1) = T(1), A.back()(0, 1) = T(-1);  // the only eigenvalue is 0
  const EigenpairsOfBatch<T> batch(A, Backend::emulation);
  EXPECT_GT(std::ranges::count(batch.status, int(Status::incorrect)), 0);
  EXPECT_EQ(batch.status.back(), int(Status::passed));
  for (Index k = 0; k < batch.count; ++k) {
    const Matrix<Complex> V = batch.V[k];
    double norm = 0, residual = 0;
    for (Index j = 0; j < 6; ++j)
      for (Index i = 0; i < 6; ++i) {
        Complex sum = -(batch.values[k * 6 + j] * V(i, j));
        for (Index l = 0; l < 6; ++l) sum += Complex(A[k](i, l)) * V(l, j);
        residual = std::max(residual, largest_part(sum)), norm = std::max(norm, std::abs(A[k](i, j)));
      }
    EXPECT_TRUE(batch.status[k] != int(Status::passed) || residual <= 300 * 6 * 2.3e-16 * norm) << k;
  }
}

TYPED_TEST(EigBatches, AMatrixThatCannotBeSolvedHasAStatus) {
  using T = TypeParam;
  std::mt19937_64 generator(1);
  std::vector<Matrix<T>> A(3, random_matrix<T>(9, 9, generator));
  A[1](3, 4) = T(std::numeric_limits<double>::infinity());
  for (Index j = 0; j < 9; ++j)
    for (Index i = 0; i < 9; ++i) A[2](i, j) = T(1e308);
  const EigenpairsOfBatch<T> batch(A, Backend::emulation);
  const int passed = int(Status::passed), failed = int(Status::failed);
  EXPECT_EQ(batch.status, (std::vector{passed, failed, failed}));  // 9e308 is beyond the range
  EXPECT_TRUE(std::isnan(batch.values[9].real()));
  EXPECT_THROW(EigenpairsOfBatch<T>({Matrix<T>(257, 257)}, Backend::emulation), NotSupported);
  EXPECT_THROW(EigenpairsOfBatch<T>({Matrix<T>(3, 2)}, Backend::emulation), InputError);
}

}  // namespace
}  // namespace pivotlab::batch_test
