// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition on a GPU: the bits of the emulation for every form, order and kind of matrix, the committed
// digests, the same bits in every run, and errors for unsupported cases. For compute-sanitizer take EigGpuSmall*.
#include "device.hpp"
#include "kernels/eig/device/solver_plan.hpp"
#include "tests/digests/digests.hpp"
#include "tests/gpu_test.hpp"

#include <pivotlab/error.hpp>

#include <new>

namespace pivotlab::eig_gpu_test {
namespace {

using namespace test;
using eig_detail::decompose_batch;
using eig_detail::decompose_emulated;
using eig_detail::decompose_on_cuda;

class EigGpuSmall : public GpuTest {};

// A few sweeps are enough to compare bits; the emulation is slow.
void expect_bits_of_emulation(const Matrix<Complex>& A, const char* variant, int sweeps) {
  EigOptions options = everything(variant, Backend::cuda);
  options.max_sweeps = sweeps;
  EXPECT_EQ(difference(decompose_on_cuda(A, options), decompose_emulated(A, options)), "");
}

TEST_F(EigGpuSmall, HasTheBitsOfTheEmulationForEveryOrderAndForm) {
  for (const char* variant : device_variants)
    for (const Index n : {1, 2, 3, 31, 33, 65}) {
      SCOPED_TRACE(std::string(variant) + ", n = " + std::to_string(n));
      expect_bits_of_emulation(gaussian(n, 3), variant, 2);
    }
  expect_bits_of_emulation(gaussian(130, 3), "ZEIG-(RR);b=16", 2);
}

TEST_F(EigGpuSmall, HasTheBitsOfTheEmulationForEveryKindOfMatrix) {
  for (const TestMatrix& problem : device_problems()) {
    SCOPED_TRACE(problem.name);
    expect_bits_of_emulation(problem.A, "ZEIG-(RR);b=8", 4);
  }
}

TEST_F(EigGpuSmall, HasTheBitsOfTheEmulationForSweepsInSinglePrecision) {
  for (const char* variant : {"ZEIG-(RR);b=8;mixed", "ZEIG-(ME);b=16;mixed", "ZEIG-(RR);b=32;mixed"})
    for (const Index n : {2, 33, 65}) {
      SCOPED_TRACE(std::string(variant) + ", n = " + std::to_string(n));
      EigOptions options{.variant = parse_eig_variant(variant), .triangular_form = true, .max_sweeps = 2};
      const Matrix<Complex> A = gaussian(n, 3);
      EXPECT_EQ(difference(decompose_on_cuda(A, options), decompose_emulated(A, options)), "");
    }
}

TEST_F(EigGpuSmall, HasTheBitsOfTheEmulationForBatches) {
  for (const Index n : {1, 2, 3, 15, 16, 31, 32, 33, 64}) {
    SCOPED_TRACE(n);
    const Matrix<Complex> A = gaussian_batch(n, 3, 11);
    const auto by_device = decompose_batch(A, everything("ZEIG-(RR);fused", Backend::cuda));
    const auto emulated = decompose_batch(A, everything("ZEIG-(RR);fused", Backend::emulation));
    for (std::size_t k = 0; k < emulated.size(); ++k) EXPECT_EQ(difference(by_device[k], emulated[k]), "");
  }
}

class EigGpu : public GpuTest {};

// Orders for which every block of the grid has work.
TEST_F(EigGpu, DecomposesHundredsOfRows) {
  for (const char* variant : device_variants)
    for (const Index n : {257, 512}) {
      SCOPED_TRACE(std::string(variant) + ", n = " + std::to_string(n));
      EigOptions options{.variant = parse_eig_variant(variant), .backend = Backend::cuda};
      const Matrix<Complex> A = gaussian(n, 2);
      const auto result = eig<Complex>(A, options);
      EXPECT_EQ(fault(A, result, 2e-15 * static_cast<double>(n)), "");
      EXPECT_LE(result.sweeps(), 25);
    }
}

TEST_F(EigGpu, IsAsAccurateWithSweepsInSinglePrecision) {
  for (const Index n : {257, 512, 1024}) {
    SCOPED_TRACE(n);
    const EigOptions options{.variant = parse_eig_variant("ZEIG-(RR);b=16;mixed"), .backend = Backend::cuda};
    const Matrix<Complex> A = gaussian(n, 2);
    const auto first = eig<Complex>(A, options), second = eig<Complex>(A, options);
    EXPECT_EQ(fault(A, first, 2e-15 * static_cast<double>(n)), "");
    EXPECT_EQ(first.eigenvalues, second.eigenvalues);
  }
}

TEST_F(EigGpu, FindsTheTrueEigenvalues) {
  for (const TestMatrix& problem : {normal_matrix("normal", random_spectrum(64, 4), 5),
                                    with_condition("condition 100", 64, 1e2, 6), cyclic_shift(32)}) {
    SCOPED_TRACE(problem.name);
    const auto result = eig<Complex>(problem.A, {.backend = Backend::cuda});
    EXPECT_LE(eigenvalue_error(result.eigenvalues, problem.truth), 1e-13 * two_norm(problem.A));
  }
}

TEST_F(EigGpu, DecomposesThousandsOfMatricesAtOnce) {
  const Index n = 32, count = 5000;  // more than one launch takes
  const Matrix<Complex> A = gaussian_batch(n, count, 1);
  const auto results = eig_batched<Complex>(A, {.backend = Backend::cuda});
  ASSERT_EQ(std::ssize(results), count);
  for (Index k = 0; k < count; k += 37)
    EXPECT_EQ(fault(Matrix<Complex>(A.view().cols_range(k * n, n)), results[static_cast<std::size_t>(k)], 1e-13), "");
}

TEST_F(EigGpu, GivesTheSameBitsInEveryRun) {
  for (const char* variant : device_variants) {
    SCOPED_TRACE(variant);
    EigOptions options = everything(variant, Backend::cuda);
    options.max_sweeps = 4;
    const Matrix<Complex> A = gaussian(300, 4);
    const auto first = decompose_on_cuda(A, options);
    for (int run = 0; run < 3; ++run) EXPECT_EQ(difference(decompose_on_cuda(A, options), first), "");
  }
}

TEST_F(EigGpu, SaysWhenTheMemoryDoesNotSuffice) {
  eig_device::SolverPlan plan = eig_device::make_plan(32, {});
  plan.order = std::int64_t(1) << 19;
  EXPECT_THROW(eig_device::make_cuda_solver(plan), std::bad_alloc);
  const Matrix<Complex> A = gaussian(40, 1);  // the GPU is usable afterwards
  EXPECT_EQ(fault(A, eig<Complex>(A, {.backend = Backend::cuda}), 1e-13), "");
}

TEST_F(EigGpu, RefusesScalarsWithoutKernels) {
  const Matrix<std::complex<long double>> A(2, 2);
  EXPECT_THROW(eig<std::complex<long double>>(A, {.backend = Backend::cuda}), NotSupported);
}

class EigGpuDigest : public GpuTest {};

TEST_F(EigGpuDigest, IsTheCommittedOne) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

}  // namespace
}  // namespace pivotlab::eig_gpu_test
