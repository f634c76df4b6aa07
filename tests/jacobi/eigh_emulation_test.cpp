// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigensolver by the device's kernels, run on the host by fibers: results and estimates are the host's,
// and bits do not depend on the order of the threads of a block.
#include "defects.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/jacobi/device/hsvd_driver.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace pivotlab::eigh_emulation_test {
namespace {

using namespace pivotlab::test;

template <class T>
class EighEmulation : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(EighEmulation, Scalars);

const char* const variants[] = {"HEV-RK-ME-BO;w=16", "HEV-CP-ME-FB;w=16"};

/// Rows and columns of A with zeros in between, whose rank is that of A.
template <class T>
Matrix<T> with_zero_rows(const Matrix<T>& A) {
  Matrix<T> B(2 * A.rows(), 2 * A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(2 * i, 2 * j) = A(i, j);
  return B;
}

template <class T>
void expect_the_hosts(const Matrix<T>& A, const char* name) {
  EighOptions options{.variant = parse_eigh_variant(name)};
  const auto host = eigh<T>(A, options);
  options.backend = Backend::emulation;
  const auto r = eigh<T>(A, options);
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_EQ(r.rank, host.rank);
  EXPECT_EQ(std::tie(r.inertia.positive, r.inertia.negative, r.inertia.zero),
            std::tie(host.inertia.positive, host.inertia.negative, host.inertia.zero));
  EXPECT_LE(largest_defect(A, r), 4.0);
  for (std::size_t j = 0; j < r.eigenvalues.size(); ++j) {
    EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
    EXPECT_LE(r.estimate[j], 4 * host.estimate[j]);
    EXPECT_LE(host.estimate[j], 4 * r.estimate[j]);
  }
}

TYPED_TEST(EighEmulation, SolvesAsTheHostDoes) {
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    expect_the_hosts(graded<TypeParam>(70, 8, 1), name);
    expect_the_hosts(quasi_definite<TypeParam>(33, 6, 2), name);
    expect_the_hosts(Matrix<TypeParam>(3, 3), name);
    expect_the_hosts(Matrix<TypeParam>::identity(1), name);
  }
}

// Eigenvalues that differ by 26 decades and more: the components that the columns of U lack enter the estimates.
TYPED_TEST(EighEmulation, EstimatesWhatVectorsLack) {
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    expect_the_hosts(graded<TypeParam>(70, 30, 4), name);
  }
}

// The rank test drops the columns of G that a singular matrix leaves as rounding noise, or as zeros.
TYPED_TEST(EighEmulation, FindsTheRankOfSingularMatrices) {
  std::mt19937_64 generator(3);
  std::vector<double> lambda = alternating(40);
  std::fill(lambda.begin() + 24, lambda.end(), 0.0);
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    const auto A = with_eigenvalues<TypeParam>(lambda, generator);
    EXPECT_EQ(eigh<TypeParam>(A, {.variant = parse_eigh_variant(name), .backend = Backend::emulation}).rank, 24);
    expect_the_hosts(with_zero_rows(graded<TypeParam>(20, 6, 4)), name);
  }
}

TYPED_TEST(EighEmulation, BitsDoNotDependOnTheOrderOfThreads) {
  const auto A = graded<TypeParam>(68, 6, 5);
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    const EighOptions options{.variant = parse_eigh_variant(name), .backend = Backend::emulation, .max_sweeps = 2};
    const auto solve = [&](LaneOrder order) { return jacobi::eigh_emulated<TypeParam>(A, options, order); };
    const auto forward = solve(LaneOrder::forward);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
      const auto other = solve(order);
      EXPECT_EQ(forward.estimate, other.estimate);
      EXPECT_EQ(forward.eigenvalues, other.eigenvalues);
      EXPECT_TRUE(std::equal(forward.U.data(), forward.U.data() + forward.U.size(), other.U.data()));
    }
  }
}

/// 2^exponent·A.
template <class T>
Matrix<T> scaled(Matrix<T> A, int exponent) {
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], exponent);
  return A;
}

// The form for matrices that are in device memory: one set of parts for matrices of several sizes and ranks, of which
// one is completed on the host, in one workspace.
TYPED_TEST(EighEmulation, PartsSolveForMatricesOfTheDeviceOneAfterTheOther) {
  using T = TypeParam;
  const auto A = graded<T>(40, 8, 1);
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    const EighOptions options{.variant = parse_eigh_variant(name), .backend = Backend::emulation};
    GuardedWorkspace workspace(jacobi::eigh_workspace_bytes<T>(40, options));
    auto machinery = jacobi::make_emulated_machinery<T>(40, options, LaneOrder::forward, workspace.data());
    for (const Matrix<T>& matrix : {A, scaled(A, 600), with_zero_rows(graded<T>(20, 6, 4)), scaled(A, -601), A,
                                    Matrix<T>(40, 40), quasi_definite<T>(40, 6, 2)}) {
      const auto expected = eigh<T>(matrix, options);
      Surrounded<T> given(matrix), U(Matrix<T>(40, 40));
      int k = 0;
      auto parts = jacobi::solve_given<T>(machinery, given.view(), options, k);
      EighResult<T> result;
      const auto order = jacobi::store_all_but_vectors(parts, 40, k, result);
      machinery.device->export_y({order.begin(), order.end()}, U.view());
      EXPECT_EQ(result.status, Status::passed) << result.message;
      EXPECT_EQ(result.rank, expected.rank);
      EXPECT_EQ(result.eigenvalues, expected.eigenvalues);
      EXPECT_EQ(result.estimate, expected.estimate);
      for (Index j = 0; j < 40; ++j)
        for (Index i = 0; i < 40; ++i) EXPECT_EQ(U.view()(i, j), result.eigenvalues[j] == 0 ? T(0) : expected.U(i, j));
      EXPECT_TRUE(workspace.intact());
    }
    Matrix<T> bad = A;
    bad(3, 7) += T(1);
    int k = 0;
    EXPECT_THROW(jacobi::solve_given<T>(machinery, bad, options, k), InputError);
    bad(3, 7) = T(std::numeric_limits<double>::infinity());
    EXPECT_THROW(jacobi::solve_given<T>(machinery, bad, options, k), InputError);
  }
}

/// Returns the message with which eigh() refuses A.
template <class T>
std::string refusal(MatrixView<const T> A, Backend backend) {
  try {
    eigh<T>(A, {.variant = parse_eigh_variant(variants[0]), .backend = backend});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(EighEmulation, RefusesMatricesWithTheMessageOfTheHost) {
  using T = TypeParam;
  Matrix<T> A = graded<T>(20, 4, 1);
  for (const T bad : {A(7, 3) + T(1), T(std::numeric_limits<double>::quiet_NaN())}) {
    A(7, 3) = bad;
    const std::string message = refusal<T>(A.view(), Backend::host);
    EXPECT_NE(message, "");
    EXPECT_EQ(refusal<T>(A.view(), Backend::emulation), message);
  }
}

TYPED_TEST(EighEmulation, TakesColumnsWithAStride) {
  using T = TypeParam;
  const EighOptions options{.variant = parse_eigh_variant(variants[0]), .backend = Backend::emulation};
  const auto A = graded<T>(30, 4, 1);
  Matrix<T> larger(33, 30);
  for (Index j = 0; j < 30; ++j) std::ranges::copy(A.col(j), larger.col(j).begin());
  EXPECT_EQ(eigh<T>(larger.view().block(0, 0, 30, 30), options).eigenvalues, eigh<T>(A, options).eigenvalues);
}

TEST(EighWorkspace, SufficesForMatricesOfEveryRank) {
  for (const bool complex : {false, true})
    for (const int width : {16, 32})
      for (const Index n : {1, 31, 64, 130, 512, 1100})
        for (const bool compute_v : {false, true}) {
          const HsvdOptions options{.variant = {.width = width}, .backend = Backend::emulation, .compute_v = compute_v};
          const std::size_t bytes = jacobi::solver_workspace_bytes(complex, n, options);
          for (Index rank = n; rank >= 1; rank -= n <= 130 ? 1 : 13)
            ASSERT_LE(jacobi::workspace_bytes(jacobi::make_plan(complex, n, rank, options)), bytes)
                << (complex ? "complex" : "real") << ", width " << width << ", n = " << n << ", rank " << rank;
        }
}

}  // namespace
}  // namespace pivotlab::eigh_emulation_test
