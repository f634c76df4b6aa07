// SPDX-License-Identifier: BSD-3-Clause
// The kernels and inputs of gsvd_kernels_benchmark run in emulation, for every kernel and shape.
#include "benchmarks/gsvd_kernels_on.hpp"
#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/device/solver_plan.hpp"

#include <gtest/gtest.h>

namespace pivotlab::benchmarks::kernel_bench_test {
namespace {

std::unique_ptr<KernelBench> emulated_bench(const std::string& variant, Index n) {
  const NamedGsvdVariant named = parse_gsvd_variant(variant);
  return make_kernel_bench<HostExecutor>(
      device::make_plan(named.type == ScalarType::z, n, n, n, {.variant = named.variant}));
}

TEST(KernelBench, RunsEveryKernelOfEveryShape) {
  for (const char* variant :
       {"DHZ0-(ME-BO-ME);w=16", "ZHZ0-(ME-BO-ME);factor=qr", "DHZ0-(ME-BO-ME);w=32;factor=pivoted",
        "ZHZ0-(ME-BO-ME);w=32", "DHZ0-(ME-BO-ME);w=32;mixed", "ZHZ0-(ME-BO-ME);mixed"}) {
    SCOPED_TRACE(variant);
    const auto bench = emulated_bench(variant, 32);
    for (const Kernel kernel :
         {Kernel::gram, Kernel::cholesky_factor, Kernel::qr_factor, Kernel::diagonalize_tile, Kernel::post_multiply}) {
      const KernelTiming timing = bench->time(kernel, 2);
      EXPECT_GT(timing.seconds, 0);
      EXPECT_EQ(timing.inner_sweeps, 1);
    }
  }
}

TEST(KernelBench, DiagonalizesTilesThatNeedSeveralInnerSweeps) {
  const KernelTiming timing = emulated_bench("DHZ3-(ME-FB-ME)", 32)->time(Kernel::diagonalize_tile, 2);
  EXPECT_GT(timing.inner_sweeps, 3);
}

}  // namespace
}  // namespace pivotlab::benchmarks::kernel_bench_test
