// SPDX-License-Identifier: BSD-3-Clause
// Refinements on a GPU against values in closed form. PIVOTLAB_GPU_LARGE=1 takes n = 9728, too, and prints times.
#include <tests/gpu_test.hpp>

#include <tests/refine/refine_problems.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <pivotlab/gsvd_tangent.hpp>
#include <random>

namespace pivotlab::refine_gpu_test {
namespace {

using namespace test;

class RefineOnGpu : public GpuTest {};

void expect_truth(Index n, double disturbance) {
  refine_sines(n, disturbance, {.backend = Backend::cuda},
               [&](const char* name, const auto& truth, const Refined<double>& refined) {
                 const Accuracy accuracy = accuracy_of(refined, truth);
                 std::cout << name << ", n = " << n << ": " << refined.steps << " steps, " << refined.compute_seconds
                           << " s, determined " << accuracy.determined << ", largest relative bound "
                           << accuracy.largest_bound << ", error/bound " << accuracy.largest_excess << ", ulps "
                           << accuracy.largest_in_ulps << std::endl;
                 EXPECT_EQ(accuracy.determined, n) << name;
                 EXPECT_LE(accuracy.largest_excess, 1) << name;
                 EXPECT_LE(accuracy.largest_in_ulps, 0.51) << name;
               });
}

TEST_F(RefineOnGpu, ValuesInClosedFormAreWithinTheirBounds) {
  expect_truth(50, 1e-9);
  expect_truth(500, 1e-12);
}

TEST_F(RefineOnGpu, LargeProblems) {
  if (std::getenv("PIVOTLAB_GPU_LARGE") == nullptr) GTEST_SKIP() << "PIVOTLAB_GPU_LARGE is not set";
  for (const Index n : {2048, 4096, 9728}) expect_truth(n, 1e-15);
}

Matrix<double> gaussian(Index n, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> draw;
  Matrix<double> A(n, n);
  for (Index k = 0; k < A.size(); ++k) A.data()[k] = draw(engine);
  return A;
}

/// The pair (G, F) has the reciprocal values, from other vectors and sums.
TEST_F(RefineOnGpu, SwappedPairsHaveReciprocalValues) {
  const Index n = std::getenv("PIVOTLAB_GPU_LARGE") ? 9728 : 300;
  const Matrix<double> F = gaussian(n, 1), G = gaussian(n, 2);
  const auto refined = [&](const Matrix<double>& A, const Matrix<double>& B) {
    const auto solved =
        gsvd_tangent<double>(A.view(), B.view(), {.variant = {}, .backend = Backend::cuda, .estimate_errors = false});
    const auto result = refine_gsvd<double>(A.view(), B.view(), solved.Z.view(), {.backend = Backend::cuda});
    double bound = 0;
    for (Index j = 0; j < n; ++j) bound = std::max(bound, result.bound[j] / result.values[j]);
    std::cout << "random pair, n = " << n << ": solver " << solved.compute_seconds << " s, " << result.steps
              << " steps, " << result.compute_seconds << " s, determined "
              << std::count(result.determined.begin(), result.determined.end(), true) << ", largest relative bound "
              << bound << std::endl;
    return result;
  };
  const auto one = refined(F, G), other = refined(G, F);
  double largest = 0;
  for (Index j = 0; j < n; ++j) {
    const Quad x = Quad(one.values[j]) + Quad(one.values_lo[j]);
    const Quad y = Quad(other.values[n - 1 - j]) + Quad(other.values_lo[n - 1 - j]);
    const double difference = std::fabs(static_cast<double>(x * y - Quad(1)));
    largest = std::max(largest, difference);
    EXPECT_TRUE(one.determined[j]);
    EXPECT_LE(difference, 1.001 * (one.bound[j] / one.values[j] + other.bound[n - 1 - j] / other.values[n - 1 - j]));
  }
  std::cout << "largest difference of a product from 1: " << largest << std::endl;
}

}  // namespace
}  // namespace pivotlab::refine_gpu_test
