// SPDX-License-Identifier: BSD-3-Clause
// HEV-2STAGE, emulated: values and estimates against the Jacobi method's, subsets of vectors, values alone, and what
// it refuses.
#include "defects.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/jacobi/device/two_stage_driver.hpp"

#include <pivotlab/baselines.hpp>
#include <pivotlab/device_eigh.hpp>
#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace pivotlab::two_stage_eigh_test {
namespace {

using namespace pivotlab::test;

template <class T>
class TwoStageEigh : public testing::Test {
 protected:
  void SetUp() override {
    if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  }
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(TwoStageEigh, Scalars);

EighOptions emulated(const char* name = "HEV-2STAGE") {
  return {.variant = parse_eigh_variant(name), .backend = Backend::emulation};
}

template <class T>
Matrix<T> random_hermitian(Index n, unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  return hermitian(random_matrix<T>(n, n, generator));
}

/// 2^exponent·A.
template <class T>
Matrix<T> scaled(Matrix<T> A, int exponent) {
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], exponent);
  return A;
}

/// Columns of A with these places.
template <class T>
Matrix<T> columns(const Matrix<T>& A, Index first, Index count) {
  Matrix<T> part(A.rows(), count);
  for (Index j = 0; j < count; ++j) std::ranges::copy(A.col(first + j), part.col(j).begin());
  return part;
}

/// Returns the largest modulus of an element of A − B; infinite for different shapes.
template <class T>
double largest_difference(const Matrix<T>& A, const Matrix<T>& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (Index i = 0; i < A.size(); ++i) largest = std::max(largest, std::abs(A.data()[i] - B.data()[i]));
  return largest;
}
template <class T>
bool equal(const Matrix<T>& A, const Matrix<T>& B) {
  return largest_difference(A, B) == 0;
}

TYPED_TEST(TwoStageEigh, HasTheValuesOfTheJacobiMethodWithinItsBound) {
  using T = TypeParam;
  for (const auto& A : {random_hermitian<T>(1), random_hermitian<T>(2), random_hermitian<T>(3), random_hermitian<T>(40),
                        random_hermitian<T>(70), graded<T>(40, 12, 3), quasi_definite<T>(33, 20, 4)}) {
    SCOPED_TRACE(A.rows());
    const auto r = eigh<T>(A, emulated()), jacobi = eigh<T>(A);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_LE(largest_defect(A, r), 4.0);
    const double norm = std::max(std::abs(r.eigenvalues.front()), std::abs(r.eigenvalues.back()));
    const double bound = 2 * static_cast<double>(A.rows() + 4) * 0x1p-53 * norm;
    for (std::size_t j = 0; j < r.eigenvalues.size(); ++j) {
      EXPECT_NEAR(r.eigenvalues[j], jacobi.eigenvalues[j], bound);
      EXPECT_NEAR(r.estimate[j] * std::abs(r.eigenvalues[j]), std::min(bound, std::abs(r.eigenvalues[j])),
                  1e-10 * bound);
      EXPECT_EQ(r.noise[j], 10 * r.estimate[j] >= 1);
      EXPECT_TRUE(r.noise[j] || std::signbit(r.eigenvalues[j]) == std::signbit(jacobi.eigenvalues[j]));
    }
    EXPECT_EQ(r.inertia.positive + r.inertia.negative + r.inertia.zero, A.rows());
  }
}

// Eigenvalues over twelve decades, of which the solver determines the upper ones.
TYPED_TEST(TwoStageEigh, MarksSmallEigenvaluesOfGradedMatricesAsNoise) {
  const auto A = graded<TypeParam>(30, 12, 3);
  const auto r = eigh<TypeParam>(A, emulated());
  const auto truth = true_eigenvalues(A);
  const auto errors = relative_errors(r.eigenvalues, truth);
  Index noise = 0;
  for (std::size_t j = 0; j < errors.size(); ++j) {
    noise += r.noise[j];
    EXPECT_LE(errors[j], r.noise[j] ? std::numeric_limits<double>::infinity() : r.estimate[j]);
  }
  EXPECT_GE(noise, 5);
  EXPECT_LE(noise, 25);
}

TYPED_TEST(TwoStageEigh, HasTheResultOfTheWholeInSubsetsAndValuesAlone) {
  using T = TypeParam;
  constexpr Index n = 40;
  const auto A = random_hermitian<T>(n, 7);
  const auto all = eigh<T>(A, emulated());
  const auto part = [&](const char* name, const EighSubset& subset) {
    EighOptions options = emulated(name);
    if (parse_eigh_variant(name).pivoting == Pivoting::rook) options.backend = Backend::host;
    options.subset = subset;
    return eigh<T>(A, options);
  };
  const auto expect = [&](const EighResult<T>& whole, const EighResult<T>& r, Index first, Index count) {
    EXPECT_EQ(r.eigenvalues, whole.eigenvalues);
    EXPECT_EQ(r.estimate, whole.estimate);
    const double rounding = r.rank == 0 ? n * 0x1p-52 : 0;  // of products with other numbers of columns
    EXPECT_LE(largest_difference(r.U, columns(whole.U, first, count)), rounding) << first << " " << count;
  };
  for (const char* name : {"HEV-2STAGE", "HEV-2STAGE;refine", "HEV-RK-ME-BO"}) {
    SCOPED_TRACE(name);
    const auto whole = part(name, {});
    const auto& lambda = whole.eigenvalues;
    expect(whole, part(name, {.first = 3, .count = 5}), 3, 5);
    expect(whole, part(name, {.first = 31}), 31, 9);
    expect(whole, part(name, {.above = lambda[20], .most = lambda[7]}), 7, 13);  // the lower bound is not within
    expect(whole, part(name, {.first = 10, .count = 5, .above = lambda[12]}), 10, 2);
    expect(whole, part(name, {.above = 2 * lambda[0]}), 40, 0);
  }
  EighOptions options = emulated();
  options.vectors = false;
  const auto values = eigh<T>(A, options);
  for (std::size_t j = 0; j < n; ++j)  // divide and conquer without vectors rounds otherwise
    EXPECT_NEAR(values.eigenvalues[j], all.eigenvalues[j], n * 0x1p-53 * std::abs(all.eigenvalues[0]));
  EXPECT_EQ(values.U.size(), 0);
  for (const EighSubset& wrong : {EighSubset{.first = -1},
                                  {.first = 38, .count = 3},
                                  {.count = -2},
                                  {.first = 41},
                                  {.above = std::numeric_limits<double>::quiet_NaN()}})
    EXPECT_THROW(part("HEV-2STAGE", wrong), InputError);
}

TYPED_TEST(TwoStageEigh, PowersOfTwoChangeNoBit) {
  using T = TypeParam;
  const auto A = random_hermitian<T>(20, 9);
  const auto expected = eigh<T>(A, emulated());
  for (const int exponent : {-1000, -1, 1000}) {
    const auto r = eigh<T>(scaled(A, exponent), emulated());
    for (std::size_t j = 0; j < 20; ++j) EXPECT_EQ(r.eigenvalues[j], std::ldexp(expected.eigenvalues[j], exponent));
    EXPECT_TRUE(equal(r.U, expected.U));
  }
  EXPECT_THROW(eigh<T>(scaled(random_hermitian<T>(40), 1021), emulated()), InputError);  // an eigenvalue overflows
}

TYPED_TEST(TwoStageEigh, KnowsZeroMatrices) {
  using T = TypeParam;
  EXPECT_EQ(eigh<T>(Matrix<T>(0, 0), emulated()).status, Status::passed);
  const auto r = eigh<T>(Matrix<T>(3, 3), emulated());
  EXPECT_EQ(r.inertia.zero, 3);
  EXPECT_EQ(r.estimate, std::vector<double>(3, 0.0));
  EXPECT_EQ(largest_defect(Matrix<T>(3, 3), r), 0);
  EighOptions options = emulated();
  options.subset = {.first = 1, .count = 2};
  EXPECT_TRUE(equal(eigh<T>(Matrix<T>(3, 3), options).U, columns(r.U, 1, 2)));
}

/// Returns the message with which eigh() refuses A.
template <class Error, class T>
std::string refusal(const Matrix<T>& A, const EighOptions& options) {
  try {
    eigh<T>(A, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(TwoStageEigh, RefusesMatricesWithTheMessageOfTheHost) {
  using T = TypeParam;
  std::vector<Matrix<T>> bad(3, random_hermitian<T>(20));
  bad[0](7, 3) += T(1);
  bad[1](7, 3) = T(std::numeric_limits<double>::quiet_NaN());
  bad[2](5, 5) = T(std::numeric_limits<double>::infinity());
  if constexpr (is_complex<T>) (bad.emplace_back(random_hermitian<T>(20)))(4, 4) += T(0, 1);
  for (const auto& A : bad) {
    const std::string message = refusal<InputError>(A, {});
    EXPECT_NE(message, "");
    EXPECT_EQ(refusal<InputError>(A, emulated()), message);
  }
}

TYPED_TEST(TwoStageEigh, SaysWhatToTakeInstead) {
  using T = TypeParam;
  const Matrix<T> A = Matrix<T>::identity(3);
  EXPECT_TRUE(refusal<NotSupported>(A, {.variant = parse_eigh_variant("HEV-2STAGE")})
                  .starts_with("variant HEV-2STAGE: it runs on a GPU; take the backend cuda"));
  EXPECT_NE(DeviceEigh<T>::workspace_bytes(16896, emulated()), 0u);
  EXPECT_THROW(DeviceEigh<T>::workspace_bytes(16897, emulated()), NotSupported);
  using Long = Rebind<T, long double>;
  EXPECT_NE(refusal<NotSupported>(Matrix<Long>::identity(3), emulated()), "");
}

// The form for matrices that are in device memory: one after the other, in one workspace, in every order of threads.
TYPED_TEST(TwoStageEigh, SolvesForMatricesOfTheDevice) {
  using T = TypeParam;
  constexpr Index n = 40;
  for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::shuffled}) {
    GuardedWorkspace workspace(jacobi::two_stage_workspace_bytes<T>(n));
    const auto device = jacobi::make_emulated_two_stage<T>(n, order, workspace.data());
    for (const auto& A : {random_hermitian<T>(n), scaled(random_hermitian<T>(n, 2), 900), Matrix<T>(n, n)}) {
      EighOptions options = emulated();
      options.subset = {.first = 4, .count = 7};
      const auto expected = eigh<T>(A, options);
      Surrounded<T> given(A), U(Matrix<T>(n, 7));
      EighResult<T> result;
      jacobi::solve_in_two_stages<T>(*device, given.view(), true, options.subset, result);
      device->export_x(U.view());
      EXPECT_EQ(result.eigenvalues, expected.eigenvalues);
      EXPECT_EQ(result.estimate, expected.estimate);
      for (Index j = 0; j < 7; ++j)
        for (Index i = 0; i < n; ++i) EXPECT_EQ(U.view()(i, j), expected.U(i, j));
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) EXPECT_EQ(given.view()(i, j), A(i, j));
      EXPECT_TRUE(workspace.intact());
    }
  }
}

}  // namespace
}  // namespace pivotlab::two_stage_eigh_test
