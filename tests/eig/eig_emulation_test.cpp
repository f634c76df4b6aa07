// SPDX-License-Identifier: BSD-3-Clause
// The device's kernels, run on the host by fibers: correct decompositions in as many sweeps as on the host, and the
// same bits for every order of the threads of a block.
#include "device.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::eig_emulation_test {
namespace {

using namespace test;
using eig_detail::decompose_batch;

void expect_as_on_host(const Matrix<Complex>& A, const char* variant) {
  const auto by_host = eig<Complex>(A, everything(variant, Backend::host));
  const auto emulated = eig<Complex>(A, everything(variant, Backend::emulation));
  EXPECT_EQ(fault(A, emulated, 1e-13), "");
  EXPECT_LE(emulated.sweeps(), by_host.sweeps() + 2);
}

TEST(EigEmulation, DecomposesMatricesOfEveryOrder) {
  for (const char* variant : device_variants)
    for (const Index n : {1, 2, 3, parse_eig_variant(variant).block == 32 ? 33 : 18}) {
      SCOPED_TRACE(std::string(variant) + ", n = " + std::to_string(n));
      expect_as_on_host(gaussian(n, 3), variant);
    }
  for (const Index n : {31, 48}) {
    SCOPED_TRACE(n);
    expect_as_on_host(gaussian(n, 3), "ZEIG-(RR);b=16");
  }
}

TEST(EigEmulation, TreatsMatricesOfEveryKindAsTheHostDoes) {
  for (const TestMatrix& problem : device_problems()) {  // TreatsBatchesOfEveryKindAsTheHostDoes has the fused form.
    SCOPED_TRACE(problem.name);
    const auto by_host = eig<Complex>(problem.A, everything("ZEIG-(RR);b=8", Backend::host));
    const auto emulated = eig<Complex>(problem.A, everything("ZEIG-(RR);b=8", Backend::emulation));
    EXPECT_EQ(emulated.status, by_host.status);
    EXPECT_LE(emulated.sweeps(), by_host.sweeps() + 2);
    const bool has_pairs = by_host.status == Status::passed && by_host.history.back().norm > 0;
    EXPECT_EQ(has_pairs ? fault(problem.A, emulated, 1e-12) : "", "");
  }
}

TEST(EigEmulation, TakesTheOptionsOfAVariant) {
  for (const char* variant :
       {"ZEIG-(RR);b=16;balance=off", "ZEIG-(RR);b=16;diagonal=off", "ZEIG-(RR);b=16;damping=0.75",
        "ZEIG-(RR);b=16;exponent=0.25", "ZEIG-(RR);fused;shear=off", "ZEIG-(RR);unitary=off"}) {
    SCOPED_TRACE(variant);
    EigOptions by_host = everything(variant, Backend::host), by_emulation = everything(variant, Backend::emulation);
    by_host.max_sweeps = by_emulation.max_sweeps = 2;
    const Matrix<Complex> A = badly_scaled(32, 10, 3).A;  // one pair of blocks, as on the host
    const auto expected = eig<Complex>(A, by_host), found = eig<Complex>(A, by_emulation);
    ASSERT_EQ(found.sweeps(), expected.sweeps());
    // by blocks the host finds transformations in single precision; what an option changes is thousands of times larger
    const double tolerance = by_host.variant.form == EigForm::blocked ? 1e-5 : 1e-10;
    for (std::size_t k = 0; k < found.history.size(); ++k) {
      EXPECT_NEAR(found.history[k].norm / expected.history[k].norm, 1, tolerance);
      EXPECT_NEAR(found.history[k].lower / expected.history[k].norm,
                  expected.history[k].lower / expected.history[k].norm, tolerance);
    }
  }
}

TEST(EigEmulation, TakesAnEmptyMatrix) {
  const auto result = eig<Complex>(Matrix<Complex>(0, 0), everything("ZEIG-(RR);b=16", Backend::emulation));
  EXPECT_EQ(result.status, Status::passed);
  EXPECT_TRUE(result.eigenvalues.empty());
}

TEST(EigEmulation, RefinesAsTheHostDoes) {
  const Matrix<Complex> A = gaussian(40, 6);
  const auto plain = eig<Complex>(A, everything("ZEIG-(RR);b=16", Backend::emulation));
  const auto refined = eig<Complex>(A, everything("ZEIG-(RR);b=16;refine", Backend::emulation));
  EXPECT_GT(refined.refined, 30);
  EXPECT_LT(right_residual(A, refined), right_residual(A, plain));
}

// Two sweeps, with some pairs of blocks in each round.
TEST(EigEmulation, GivesTheSameBitsInEveryOrderOfThreads) {
  for (const char* variant : device_variants) {
    SCOPED_TRACE(variant);
    EigOptions options = everything(variant, Backend::emulation);
    options.max_sweeps = 2;
    const Matrix<Complex> A = gaussian(options.variant.block == 32 ? 40 : 34, 5);
    expect_the_same_bits_in_every_order(A, options);
  }
}

TEST(EigEmulation, DecomposesBatchesOfEveryOrder) {
  for (const Index n : {1, 2, 3, 15, 16, 31, 32, 33, 64}) {
    SCOPED_TRACE(n);
    constexpr Index count = 2;
    const Matrix<Complex> A = gaussian_batch(n, count, 17);
    const auto results = eig_batched<Complex>(A, everything("ZEIG-(RR)", Backend::emulation));
    ASSERT_EQ(std::ssize(results), count);
    for (Index k = 0; k < count; ++k) {
      const Matrix<Complex> one(A.view().cols_range(k * n, n));
      const auto by_host = eig<Complex>(one, everything("ZEIG-(RR);fused", Backend::host));
      const auto& result = results[static_cast<std::size_t>(k)];
      EXPECT_EQ(fault(one, result, 1e-13), "");
      EXPECT_LE(result.sweeps(), by_host.sweeps() + 2);
    }
  }
}

TEST(EigEmulation, TreatsBatchesOfEveryKindAsTheHostDoes) {
  for (const TestMatrix& problem : device_problems()) {
    SCOPED_TRACE(problem.name);
    const auto by_host = eig<Complex>(problem.A, everything("ZEIG-(RR);fused", Backend::host));
    const auto results = eig_batched<Complex>(problem.A, everything("ZEIG-(RR);fused", Backend::emulation));
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].status, by_host.status);
    EXPECT_LE(results[0].sweeps(), by_host.sweeps() + 2);
    EXPECT_EQ(by_host.history.back().norm > 0 ? fault(problem.A, results[0], 1e-12) : "", "");
  }
}

TEST(EigEmulation, BatchBitsIndependentOfThreadOrder) {
  EigOptions options = everything("ZEIG-(RR);fused", Backend::emulation);
  options.max_sweeps = 3;
  for (const Index n : {5, 20, 40}) {
    SCOPED_TRACE(n);
    const Matrix<Complex> A = gaussian_batch(n, 2, 8);
    const auto forward = decompose_batch(A, options);
    for (const LaneOrder order : other_orders) {
      const auto other = decompose_batch(A, options, order);
      for (std::size_t k = 0; k < forward.size(); ++k) EXPECT_EQ(difference(other[k], forward[k]), "");
    }
  }
}

TEST(EigEmulation, SaysWhenItHasNotConverged) {
  EigOptions options = everything("ZEIG-(RR);b=8", Backend::emulation);
  options.max_sweeps = 1;
  const Matrix<Complex> A = gaussian(20, 9);
  EXPECT_EQ(eig<Complex>(A, options).status, Status::not_converged);
  EXPECT_EQ(eig_batched<Complex>(A, options)[0].status, Status::not_converged);
}

TEST(EigEmulation, RefusesScalarsWithoutKernels) {
  const Matrix<std::complex<long double>> A(2, 2);
  const EigOptions options{.backend = Backend::emulation};
  EXPECT_THROW(eig<std::complex<long double>>(A, options), NotSupported);
  EXPECT_THROW(eig_batched<std::complex<long double>>(A, options), NotSupported);
}

}  // namespace
}  // namespace pivotlab::eig_emulation_test
