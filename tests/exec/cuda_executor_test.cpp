// SPDX-License-Identifier: BSD-3-Clause
// The device gives the same bits as the emulation.
#include "kernels/exec/device_memory.hpp"
#include "kernels/exec/host_executor.hpp"
#include "tests/exec/bodies.hpp"
#include "tests/exec/on_cuda.hpp"
#include "tests/gpu_matrix.hpp"
#include "tests/gpu_test.hpp"

namespace pivotlab::exec_test::cuda_executor_test {
namespace {

class CudaExecutorTest : public GpuTest {
 protected:
  HostExecutor host;
};

TEST_F(CudaExecutorTest, MultipliesOnTensorCoresLikeAChainOfFmas) {
  EXPECT_EQ(on_cuda::products(4, 300), products<4>(host, 300));
  EXPECT_EQ(on_cuda::products(8, 300), products<8>(host, 300));
  EXPECT_EQ(on_cuda::products(16, 300), products<16>(host, 300));
}

TEST_F(CudaExecutorTest, MultipliesDigits) {
  EXPECT_EQ(on_cuda::digit_products(300), digit_products(host, 300));
}

TEST_F(CudaExecutorTest, ShufflesVotesAndCounts) {
  EXPECT_EQ(on_cuda::exchanges(20), exchanges(host, 20));
}

TEST_F(CudaExecutorTest, SumsBlocks) {
  EXPECT_EQ(on_cuda::block_sums(100), block_sums(host, 100));
}

TEST_F(CudaExecutorTest, SumsClusters) {
  EXPECT_EQ(on_cuda::cluster_sums(20), cluster_sums(host, 20));
}

TEST_F(CudaExecutorTest, RelaysMessagesBetweenBlocks) {
  EXPECT_EQ(on_cuda::relayed(100, 300), relayed(host, 100, 300));
}

TEST_F(CudaExecutorTest, CopiesAsynchronously) {
  EXPECT_EQ(on_cuda::reversed_chunks(50), reversed_chunks(host, 50));
}

TEST_F(CudaExecutorTest, UsesMoreThan48KiBOfSharedMemory) {
  EXPECT_EQ(on_cuda::large_reversal(), large_reversal(host));
}

TEST_F(CudaExecutorTest, ReplaysRecordingsThatOtherThreadsDoNotDisturb) {
  EXPECT_EQ(on_cuda::replayed(5), replayed(host, 5, [] {}));
  EXPECT_EQ(on_cuda::replayed_cluster_sums(20), cluster_sums(host, 20));
}

TEST_F(CudaExecutorTest, SideBranchesAreOrderedWithTheMainChainWhereTheyMeet) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(on_cuda::with_side_branches(true), with_side_branches(host, false));
  EXPECT_EQ(on_cuda::with_side_branches(false), with_side_branches(host, false));
}

TEST_F(CudaExecutorTest, LaterLaunchesDoNotWaitForASideBranch) {
  EXPECT_EQ(on_cuda::received_by_side_branch(), 7.0);
}

TEST_F(CudaExecutorTest, ARecordingThatFailsIsDropped) {
  EXPECT_EQ(on_cuda::product_after_failed_recording(), 5.0);
}

TEST_F(CudaExecutorTest, ReportsAFailedCallWithItsPlace) {
  const std::string message = on_cuda::message_of_failed_launch();
  EXPECT_NE(message.find("cuda_executor.cu:"), std::string::npos) << message;
  EXPECT_NE(message.find("cudaFuncSetAttribute"), std::string::npos) << message;
  EXPECT_NE(message.find("cudaErrorInvalidValue"), std::string::npos) << message;
}

TEST_F(CudaExecutorTest, ThrowsBadAllocWhenMemoryDoesNotSuffice) {
  EXPECT_TRUE(on_cuda::allocation_failed_cleanly());
}

TEST_F(CudaExecutorTest, KeepsMemoryForTheNextAllocation) {
  constexpr std::size_t bytes = std::size_t(8) << 20;
  cuda::release(cuda::allocate_bytes(1));  // the context exists from here on
  cuda::release_kept();
  const std::size_t all = test::free_gpu_memory();
  void* const first = cuda::allocate_bytes(bytes);
  cuda::release(first);
  EXPECT_LE(test::free_gpu_memory(), all - bytes);
  EXPECT_EQ(cuda::allocate_bytes(bytes), first);
  cuda::release(first);
  cuda::release_kept();
  EXPECT_EQ(test::free_gpu_memory(), all);
}

TEST_F(CudaExecutorTest, UsesNothingFromBeforeAReset) {
  cuda::release(cuda::allocate_bytes(1 << 20));
  const std::uint64_t before = cuda::context();
  EXPECT_NE(before, 0u);
  EXPECT_TRUE(cuda::is_idle(before));
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaFree(nullptr), cudaSuccess);  // makes a context
  EXPECT_NE(cuda::context(), before);
  EXPECT_NE(cuda::context(), 0u);
  EXPECT_FALSE(cuda::is_idle(before));
}

}  // namespace
}  // namespace pivotlab::exec_test::cuda_executor_test
