// SPDX-License-Identifier: BSD-3-Clause
// Batches of Hermitian matrices by HEV-2STAGE: residuals, statuses, bits.
#include "batches.hpp"
#include "hermitian_matrices.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::batch_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

EighBatchOptions two_stages() {
  EighBatchOptions options;
  options.backend = Backend::emulation;
  options.variant = {.pivoting = Pivoting::none};
  return options;
}

/// The largest elements of A·U − U·Λ, relative to the largest |λ|, and of U*U − I, over n·ε.
template <class T>
std::pair<double, double> defects(const Matrix<T>& A, const EighResult<T>& r) {
  using Extended = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
  const Index n = A.rows();
  const auto largest = [&](const auto& element) {
    long double most = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        const long double size = std::abs(element(i, j));
        if (!(size <= most)) most = size;  // also NaN
      }
    return static_cast<double>(most / (static_cast<long double>(n) * 0x1p-52L));
  };
  const long double norm = std::max(std::abs(r.eigenvalues.front()), std::abs(r.eigenvalues.back()));
  return {largest([&](Index i, Index j) {
            Extended sum = -Extended(r.U(i, j)) * static_cast<long double>(r.eigenvalues[j]);
            for (Index k = 0; k < n; ++k) sum += Extended(A(i, k)) * Extended(r.U(k, j));
            return norm > 0 ? sum / norm : sum;
          }),
          largest([&](Index i, Index j) {
            Extended sum(i == j ? -1 : 0);
            for (Index k = 0; k < n; ++k) sum += Extended(conjugate(r.U(k, i))) * Extended(r.U(k, j));
            return sum;
          })};
}

template <class T>
class EighBatchInStages : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EighBatchInStages, Scalars);

TYPED_TEST(EighBatchInStages, DecomposesMatricesOfAllKinds) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 16, 17, 33, 64, 70, 130}) {
    auto A = some_hermitian<T>(n, 7);
    if (n > 64) A.erase(A.begin() + 1, A.begin() + 5);
    A.push_back(A[0]);
    for (Index i = 0; i < n * n; ++i) A.back().data()[i] *= 0x1p1000;
    const DecomposedBatch<T> batch(A, two_stages());
    for (Index k = 0; k < batch.count; ++k) {
      SCOPED_TRACE(testing::Message() << n << " " << k);
      const EighResult<T> r = batch.eigh(k);
      ASSERT_EQ(r.status, Status::passed);
      EXPECT_TRUE(std::ranges::is_sorted(r.eigenvalues, std::greater()));
      Matrix<T> scaled = A[k];  // so that sums of products do not leave the range of estimates
      const auto [residual, orthogonality] = defects(scaled, r);
      EXPECT_LE(residual, 2.0);
      EXPECT_LE(orthogonality, 2.0);
      const double norm = std::max(std::abs(r.eigenvalues.front()), std::abs(r.eigenvalues.back()));
      for (Index j = 0; j < n; ++j)
        EXPECT_EQ(r.estimate[j],
                  std::min(1.0, norm == 0 ? 0.0 : double(2 * (n + 4)) * 0x1p-53 * norm / std::abs(r.eigenvalues[j])))
            << j;
    }
  }
}

TYPED_TEST(EighBatchInStages, ValuesAloneAreThoseWithVectors) {
  using T = TypeParam;
  for (const Index n : {5, 40, 70}) {
    const auto A = some_hermitian<T>(n, 9);
    const DecomposedBatch<T> whole(A, two_stages());
    const Stored<T> given(A);
    std::vector<double> values(n * whole.count),
        workspace(eigh_batch_workspace<T>(n, whole.count, two_stages().variant) / 8);
    std::vector<int> status(whole.count, -1);
    eigh_batch<T>(given.view, {.eigenvalues = values.data(), .status = status.data()}, workspace.data(), two_stages());
    for (Index k = 0; k < whole.count; ++k) {
      EXPECT_EQ(status[k], int(Status::passed));
      const double norm = std::max(std::abs(values[k * n]), std::abs(values[k * n + n - 1]));
      for (Index j = 0; j < n; ++j)
        EXPECT_NEAR(values[k * n + j], whole.sigma[k * n + j], 4e-15 * norm) << k << " " << j;
    }
  }
}

TYPED_TEST(EighBatchInStages, BitsDoNotDependOnOtherMatrices) {
  using T = TypeParam;
  auto A = some_hermitian<T>(40, 11);
  const DecomposedBatch<T> batch(A, two_stages());
  const DecomposedBatch<T> alone({A[3]}, two_stages());
  EXPECT_EQ(alone.bits(0), batch.bits(3));
  std::ranges::reverse(A);
  const DecomposedBatch<T> reversed(A, two_stages());
  for (Index k = 0; k < batch.count; ++k) EXPECT_EQ(reversed.bits(batch.count - 1 - k), batch.bits(k)) << k;
}

TYPED_TEST(EighBatchInStages, RefusedMatricesDoNotStopOthers) {
  using T = TypeParam;
  for (const Index n : {3, 40}) {
    std::vector<Matrix<T>> A(5, some_hermitian<T>(n, 5)[0]);
    A[1](n - 1, 0) = A[1](0, n - 1) = T(std::numeric_limits<double>::quiet_NaN());
    A[2](1, 0) += T(1);
    A[3](2, 2) = T(std::numeric_limits<double>::infinity());
    for (Index i = 0; i < n * n; ++i) A[4].data()[i] = T(0x1.8p1023);  // an eigenvalue overflows
    const DecomposedBatch<T> batch(A, two_stages());
    EXPECT_EQ(batch.status[0], int(Status::passed));
    EXPECT_EQ(batch.bits(0), DecomposedBatch<T>({A[0]}, two_stages()).bits(0));
    for (Index k = 1; k < 5; ++k) {
      EXPECT_EQ(batch.status[k], int(Status::failed)) << k;
      EXPECT_NE(batch.sigma[k * n], batch.sigma[k * n]) << k;
      EXPECT_NE(batch.U[k](1, 1), batch.U[k](1, 1)) << k;
    }
  }
}

TEST(EighBatchInStages, RefusesOtherVariantsAndTheHost) {
  const std::vector<Matrix<double>> A(1, Matrix<double>(2, 2));
  EighBatchOptions options = two_stages();
  options.backend = Backend::host;
  EXPECT_THROW(DecomposedBatch<double>(A, options), NotSupported);
  options = two_stages();
  options.variant.refine = true;
  EXPECT_THROW(DecomposedBatch<double>(A, options), NotSupported);
  options.variant = {};
  EXPECT_THROW(DecomposedBatch<double>(A, options), NotSupported);
}

}  // namespace
}  // namespace pivotlab::batch_test
