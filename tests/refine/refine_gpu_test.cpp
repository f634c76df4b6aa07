// SPDX-License-Identifier: BSD-3-Clause
// Refinements on a GPU against values in closed form. PIVOTLAB_GPU_LARGE=1 takes n = 9728, too, and prints times.
#include <tests/gpu_test.hpp>

#include <tests/refine/refine_problems.hpp>

#include <cstdlib>
#include <iostream>

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

}  // namespace
}  // namespace pivotlab::refine_gpu_test
