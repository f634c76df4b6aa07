// SPDX-License-Identifier: BSD-3-Clause
// The factorization on a GPU: with complete pivoting the bits of the host for every shape and structure; the same bits
// in every run, and errors for unsupported cases. For compute-sanitizer take LdltGpuSmall*.
#include "device.hpp"
#include "kernels/ldlt/device/inverse_kernels.hpp"
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "tests/digests/digests.hpp"
#include "tests/extended/host_machine.hpp"
#include "tests/gpu_test.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::ldlt_gpu_test {
namespace {

using namespace test;

using Scalars = ::testing::Types<double, std::complex<double>>;

template <class T>
class LdltGpuSmall : public GpuTest {};
TYPED_TEST_SUITE(LdltGpuSmall, Scalars);

TYPED_TEST(LdltGpuSmall, HasTheBitsOfTheHostWithCompletePivoting) {
  using T = TypeParam;
  for (const auto& problem : device_problems<T>())
    for (const double alpha : {usual_alpha, 0.15, 0.9}) {
      SCOPED_TRACE(problem.name + ", alpha " + std::to_string(alpha));
      LdltOptions options{.variant = {.alpha = alpha}, .symmetry = problem.symmetry};
      const auto by_host = ldlt<T>(problem.A, options);
      options.backend = Backend::cuda;
      EXPECT_EQ(difference(ldlt<T>(problem.A, options), by_host), "");
    }
}

TYPED_TEST(LdltGpuSmall, MatchesEmulationForPartialAndRookPivoting) {
  using T = TypeParam;
  for (const auto& problem : device_problems<T>())
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook})
      for (const double alpha : {usual_alpha, 0.15}) {
        SCOPED_TRACE(problem.name + ", " + std::string(to_string(pivoting)) + ", alpha " + std::to_string(alpha));
        LdltOptions options{.variant = {.pivoting = pivoting, .alpha = alpha}, .symmetry = problem.symmetry};
        options.backend = Backend::emulation;
        const auto emulated = ldlt<T>(problem.A, options);
        options.backend = Backend::cuda;
        EXPECT_EQ(difference(ldlt<T>(problem.A, options), emulated), "");
      }
}

TYPED_TEST(LdltGpuSmall, PanelsOfTwoChunksMatchEmulation) {
  using T = TypeParam;
  const auto packed = pack<T>(structured<T>(Structure::dense, 400, 2), InputTriangle::lower);
  const ldlt_device::Design wide{.wide_panels_from = 150};
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
    const LdltOptions options{.variant = {.pivoting = pivoting}};
    EXPECT_EQ(
        difference(ldlt_on_cuda<T>(packed, options, wide), ldlt_emulated<T>(packed, options, LaneOrder::forward, wide)),
        "")
        << to_string(pivoting);
  }
}

TYPED_TEST(LdltGpuSmall, MatchesEmulationWithoutSearch) {
  using T = TypeParam;
  for (const auto& problem : unsearched_problems<T>())
    for (const int depth : {0, 1, 2}) {
      SCOPED_TRACE(problem.name + ", depth " + std::to_string(depth));
      LdltOptions options{.variant = {.pivoting = Pivoting::none, .depth = depth}, .symmetry = problem.symmetry};
      options.backend = Backend::emulation;
      const auto emulated = ldlt<T>(problem.A, options);
      options.backend = Backend::cuda;
      const auto f = ldlt<T>(problem.A, options);
      EXPECT_EQ(f.refusal, emulated.refusal);
      EXPECT_EQ(difference(f, emulated), "");
    }
}

TYPED_TEST(LdltGpuSmall, HasTheBitsOfTheHostForEquilibratedMatrices) {
  using T = TypeParam;
  auto A = structured<T>(Structure::saddle_point, 130, 5);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) = times_power_of_two(A(i, j), static_cast<int>(i % 41 + j % 41) - 40);
  LdltOptions options{.variant = {.equilibrate = true}};
  const auto by_host = ldlt<T>(A, options);
  options.backend = Backend::cuda;
  EXPECT_EQ(difference(ldlt<T>(A, options), by_host), "");
}

// The last bits of cuBLAS are unknown.
TYPED_TEST(LdltGpuSmall, InverseSumsMatchEmulation) {
  using T = TypeParam;
  for (const Index n : {1, 33, 64, 250}) {
    const auto M = ldlt<T>(structured<T>(Structure::dense, n, 4), {.variant = {.pivoting = Pivoting::rook}}).M;
    std::vector<double> weights;
    for (Index i = 0; i < n; ++i) weights.push_back(std::ldexp(1, static_cast<int>(i % 7) - 3));
    const auto sums = ldlt_device::inverse_sums_on_cuda<T>(M.view(), weights);
    ASSERT_TRUE(sums.has_value()) << "cuBLAS is not found";
    const auto expected = ldlt_device::InverseSumsOnDevice<pivotlab::test::HostMachine, T>(100).of(M.view(), weights);
    EXPECT_NEAR(sums->weighted, expected.weighted, 1e-10 * expected.weighted) << n;
    EXPECT_NEAR(sums->product, expected.product, 1e-10 * expected.product) << n;
    ASSERT_EQ(sums->of_rows.size(), expected.of_rows.size());
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(sums->of_rows[i], expected.of_rows[i], 1e-10 * expected.of_rows[i]) << n;
  }
}

template <class T>
class LdltGpu : public GpuTest {};
TYPED_TEST_SUITE(LdltGpu, Scalars);

// Orders for which every block of the grid has work, in and beyond the L2 cache.
TYPED_TEST(LdltGpu, HasTheBitsOfTheHostForThousandsOfRows) {
  using T = TypeParam;
  for (const Index n : {700, 1500, is_complex<T> ? 2100 : 3000}) {
    SCOPED_TRACE(n);
    const auto A = structured<T>(Structure::dense, n, 2);
    LdltOptions options;
    const auto by_host = ldlt<T>(A, options);
    options.backend = Backend::cuda;
    EXPECT_EQ(difference(ldlt<T>(A, options), by_host), "");
  }
}

TYPED_TEST(LdltGpu, PreparesEachTriangleAsTheHostDoes) {
  using T = TypeParam;
  const Index n = is_complex<T> ? 2100 : 3000;
  Matrix<T> A = structured<T>(Structure::dense, n, 2);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A(i, j) = times_power_of_two(A(i, j), static_cast<int>(i % 41 + j % 41) - 40);
  const auto packed = pack<T>(A, InputTriangle::lower);
  LdltOptions options{.variant = {.pivoting = Pivoting::rook, .equilibrate = true}};
  const auto by_host = ldlt<T>(packed, options);
  options.backend = Backend::cuda;
  const auto of_packed = ldlt<T>(packed, options);
  EXPECT_EQ(of_packed.scaling, by_host.scaling);
  EXPECT_EQ(of_packed.norm_inf, by_host.norm_inf);
  for (const InputTriangle triangle : {InputTriangle::whole, InputTriangle::lower, InputTriangle::upper}) {
    options.triangle = triangle;
    EXPECT_EQ(difference(ldlt<T>(A, options), of_packed), "") << int(triangle);
  }
  Matrix<T> larger(n + 5, n);
  for (Index j = 0; j < n; ++j) std::copy_n(&A(0, j), n, &larger(5, j));
  EXPECT_EQ(difference(ldlt_on_cuda<T>(MatrixView<const T>(larger.view().block(5, 0, n, n)), options), of_packed), "");
  options.triangle = InputTriangle::whole;
  A(5, n - 2) += T(1);
  EXPECT_THROW(ldlt<T>(A, options), InputError);
}

TYPED_TEST(LdltGpu, ChoosesThePivotsOfTheHostInPanels) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
      SCOPED_TRACE(to_string(pivoting));
      const DeviceProblem<T> problem{"", structured<T>(Structure::dense, 700, 6, symmetry), symmetry};
      LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = symmetry};
      const auto by_host = ldlt<T>(problem.A, options);
      options.backend = Backend::cuda;
      EXPECT_EQ(panel_fault(problem, ldlt<T>(problem.A, options), by_host), "");
    }
}

// Orders for which every block of the update has many tiles.
TYPED_TEST(LdltGpu, SolvesThousandsOfEquationsInPanels) {
  using T = TypeParam;
  const Index n = is_complex<T> ? 2100 : 3000;
  const auto A = structured<T>(Structure::dense, n, 8);
  Matrix<T> B(n, 1);
  for (Index i = 0; i < n; ++i) B(i, 0) = T(1);
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
    const auto f = ldlt<T>(A, LdltOptions{.variant = {.pivoting = pivoting}, .backend = Backend::cuda});
    EXPECT_LT(f.solve_refined(A, B, InputTriangle::whole, 0).backward_error, 1e-13) << to_string(pivoting);
  }
}

TYPED_TEST(LdltGpu, GivesTheSameBitsInEveryRun) {
  using T = TypeParam;
  const auto A = structured<T>(Structure::zero_diagonal, 1000, 4);
  for (const Pivoting pivoting : all_pivotings) {
    const LdltOptions options{.variant = {.pivoting = pivoting}, .backend = Backend::cuda};
    const auto first = ldlt<T>(A, options);
    for (int run = 0; run < 5; ++run) EXPECT_EQ(difference(ldlt<T>(A, options), first), "");
  }
}

class LdltGpuSteered : public GpuTest {};

TEST_F(LdltGpuSteered, HasTheBitsOfTheWholeSearch) {
  for (const Structure structure : {Structure::dense, Structure::small_integers, Structure::zero_diagonal}) {
    const auto packed = pack<double>(structured<double>(structure, 1500, 4), InputTriangle::lower);
    EXPECT_EQ(difference(ldlt_on_cuda<double>(packed, {}, {.steered = true}),
                         ldlt_on_cuda<double>(packed, {}, {.steered = false})),
              "")
        << int(structure);
  }
}

class LdltGpuDigest : public GpuTest {};

TEST_F(LdltGpuDigest, IsTheCommittedOne) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

class LdltGpuFacts : public GpuTest {};

// Table 3.2 of the thesis and section 3.3.
TEST_F(LdltGpuFacts, HoldOnAGpu) {
  const LdltOptions options{.backend = Backend::cuda};
  const auto by_hadamard = ldlt<double>(hadamard(1024), options);
  EXPECT_EQ(by_hadamard.pivots(1), 1024);
  EXPECT_EQ(by_hadamard.swaps_1x1, 0);
  const auto by_clement = ldlt<double>(clement(1024), options);
  EXPECT_EQ(by_clement.pivots(2), 512);
  EXPECT_EQ(ldlt<double>(hilbert(2000), options).rank, ldlt<double>(hilbert(2000)).rank);
}

TEST_F(LdltGpuFacts, RefusesScalarsWithoutKernels) {
  const Matrix<long double> A(2, 2);
  EXPECT_THROW(ldlt<long double>(A, LdltOptions{.backend = Backend::cuda}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::ldlt_gpu_test
