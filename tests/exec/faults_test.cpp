// SPDX-License-Identifier: BSD-3-Clause
// Faults of a kernel are detected on the host, by a result that depends on the order of lanes or by an error.
#include "kernels/exec/host_executor.hpp"
#include "tests/exec/bodies.hpp"
#include "tests/exec/faulty_bodies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <new>
#include <string>

namespace pivotlab::exec_test::faults_test {
namespace {

using testing::HasSubstr;

template <Fault fault>
std::vector<double> rotated(LaneOrder order, int* unwound = nullptr, int blocks = 1) {
  using Body = Rotation<fault>;
  HostExecutor executor(order, 1);
  const auto x = uploaded(executor, random_numbers(blocks * Body::threads, 9));
  executor.launch<Body>(blocks, Body::shared_bytes, {x.data(), unwound});
  return downloaded(executor, x);
}

template <Fault fault, class Error>
std::string error_of() {
  try {
    rotated<fault>(LaneOrder::forward);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

template <ClusterFault fault>
std::vector<double> rotated_in_clusters(LaneOrder order) {
  using Body = ClusterRotation<fault>;
  HostExecutor executor(order, 1);
  constexpr int blocks = 3 * Body::cluster_blocks;
  const auto x = uploaded(executor, random_numbers(blocks * Body::threads, 12));
  executor.launch<Body>(blocks, Body::shared_bytes, {x.data()});
  return downloaded(executor, x);
}

template <bool waits, bool synchronizes>
std::vector<double> fetched(LaneOrder order) {
  using Body = Fetch<waits, synchronizes>;
  HostExecutor executor(order, 1);
  const auto from = uploaded(executor, random_numbers(2 * Body::threads, 10));
  const auto to = executor.allocate<double>(from.size());
  executor.launch<Body>(1, Body::shared_bytes, {from.data(), to.data()});
  return downloaded(executor, to);
}

TEST(Faults, NoneGivesTheSameResultInEveryOrder) {
  const auto x = random_numbers(128, 9);
  const auto result = rotated<Fault::none>(LaneOrder::forward);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(result[i], x[(i / 32 * 32 + (i + 1) % 32 + 32) % 128]);
  EXPECT_EQ(rotated<Fault::none>(LaneOrder::reverse), result);
  EXPECT_EQ(rotated<Fault::none>(LaneOrder::shuffled), result);
}

TEST(Faults, DetectsMissingBarrier) {
  EXPECT_NE(rotated<Fault::no_barrier>(LaneOrder::forward), rotated<Fault::no_barrier>(LaneOrder::reverse));
  EXPECT_NE(rotated<Fault::no_barrier>(LaneOrder::forward), rotated<Fault::no_barrier>(LaneOrder::shuffled));
}

TEST(Faults, DetectsMissingWarpBarrier) {
  constexpr Fault fault = Fault::no_barrier_of_the_warp;
  EXPECT_NE(rotated<fault>(LaneOrder::forward), rotated<fault>(LaneOrder::reverse));
  EXPECT_NE(rotated<fault>(LaneOrder::forward), rotated<fault>(LaneOrder::shuffled));
}

TEST(Faults, DetectsBlocksThatWaitForOneAnother) {
  for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::shuffled}) {
    HostExecutor executor(order, 1);
    const auto boxes = executor.allocate<NumberedDouble>(3);
    executor.fill_zero(boxes.data(), 3);
    try {
      executor.launch<WaitForEver>(3, 0, {boxes.data(), nullptr});
      ADD_FAILURE() << "no error";
    } catch (const KernelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("WaitForEver: all blocks wait for one another"));
    }
  }
}

TEST(Faults, DetectsMissingBarrierOfTheCluster) {
  constexpr auto none = ClusterFault::none, missing = ClusterFault::no_barrier;
  const auto result = rotated_in_clusters<none>(LaneOrder::forward);
  EXPECT_EQ(rotated_in_clusters<none>(LaneOrder::reverse), result);
  EXPECT_EQ(rotated_in_clusters<none>(LaneOrder::shuffled), result);
  EXPECT_NE(rotated_in_clusters<missing>(LaneOrder::forward), result);
}

TEST(Faults, ABarrierOfTheClusterThatABlockSkipsIsReported) {
  try {
    rotated_in_clusters<ClusterFault::a_block_skips>(LaneOrder::forward);
    FAIL();
  } catch (const DivergentBarrier& error) {
    EXPECT_THAT(error.what(), HasSubstr("block 0: thread 0 waits at cluster_sync (faulty_bodies.hpp:"));
    EXPECT_THAT(error.what(), HasSubstr("but block 2, thread 0 has ended (96 of 128 threads"));
  }
}

TEST(Faults, SharedMemoryOfABlockThatTheClusterHasNotIsReported) {
  try {
    rotated_in_clusters<ClusterFault::no_such_rank>(LaneOrder::forward);
    FAIL();
  } catch (const SharedMemoryOverrun& error) {
    EXPECT_THAT(error.what(), HasSubstr("block 0, thread 0: block 4 of a cluster of 4"));
  }
}

TEST(Faults, BlocksThatMakeNoWholeClustersAreRefused) {
  HostExecutor executor;
  EXPECT_THROW(executor.launch<ClusterSums>(17, ClusterSums::shared_bytes, {nullptr, nullptr}), KernelError);
}

TEST(Faults, AnAsynchronousCopyNotWaitedForDoesNotArrive) {
  for (const double x : fetched<false, true>(LaneOrder::forward)) EXPECT_TRUE(std::isnan(x));
}

TEST(Faults, DetectsAsynchronousCopyWithoutBarrier) {
  EXPECT_NE((fetched<true, false>(LaneOrder::forward)), (fetched<true, true>(LaneOrder::forward)));
  EXPECT_EQ((fetched<true, true>(LaneOrder::reverse)), (fetched<true, true>(LaneOrder::forward)));
}

TEST(Faults, ABarrierThatSomeThreadsSkipIsReported) {
  const auto message = error_of<Fault::some_threads_skip, DivergentBarrier>();
  EXPECT_THAT(message, HasSubstr("Rotation<"));
  EXPECT_THAT(message, HasSubstr("block 0: thread 0 waits at sync (faulty_bodies.hpp:"));
  EXPECT_THAT(message, HasSubstr("thread 1 has ended (21 of 32 threads"));
}

TEST(Faults, ABarrierThatWarpsSkipIsReported) {
  EXPECT_THAT((error_of<Fault::warps_skip, DivergentBarrier>()), HasSubstr("thread 64 has ended (96 of 128 threads"));
}

TEST(Faults, DifferentBarriersAreReported) {
  EXPECT_THAT((error_of<Fault::other_barrier, DivergentBarrier>()), HasSubstr("thread 77 waits at sync_warp"));
  EXPECT_THAT((error_of<Fault::other_place, DivergentBarrier>()), HasSubstr("but thread 96 waits at sync ("));
  EXPECT_THAT((error_of<Fault::lanes_skip_shuffle, DivergentBarrier>()), HasSubstr("thread 0 waits at shuffle of int"));
}

TEST(Faults, OverrunsOfSharedArraysAreReported) {
  const auto message = error_of<Fault::index_too_large, SharedMemoryOverrun>();
  EXPECT_THAT(message, HasSubstr("Rotation<"));
  EXPECT_THAT(message, HasSubstr("block 0, thread 127: element 128 of a shared array of 128"));
  EXPECT_THAT((error_of<Fault::index_negative, SharedMemoryOverrun>()), HasSubstr("thread 0: element -1 of"));
  EXPECT_THAT((error_of<Fault::index_after_arithmetic, SharedMemoryOverrun>()), HasSubstr("thread 64: element 128 of"));
  EXPECT_THAT((error_of<Fault::vector_across_the_end, SharedMemoryOverrun>()),
              HasSubstr("thread 126: elements 126 to 127 of a shared array of 127"));
  EXPECT_THAT((error_of<Fault::vector_misaligned, SharedMemoryOverrun>()), HasSubstr("is no multiple of 16 bytes"));
  EXPECT_THAT((error_of<Fault::array_too_large, SharedMemoryOverrun>()),
              HasSubstr("a shared array of 1024 bytes at offset 16, but the block has 1024 bytes"));
  EXPECT_THAT((error_of<Fault::array_misaligned, SharedMemoryOverrun>()), HasSubstr("is no multiple of 8 bytes"));
}

TEST(Faults, AnExceptionOfTheBodyIsPassedOn) {
  EXPECT_EQ((error_of<Fault::throws, std::runtime_error>()), "from the body");
}

TEST(Faults, AFailedBlockLeavesNothingBehind) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    int unwound = 0;
    EXPECT_THROW(rotated<Fault::index_negative>(LaneOrder::shuffled, &unwound), SharedMemoryOverrun);
    EXPECT_GT(unwound, 0);
    EXPECT_THROW(rotated<Fault::some_threads_skip>(LaneOrder::reverse, &(unwound = 0)), DivergentBarrier);
    EXPECT_EQ(unwound, 32) << "the warp that diverged; the others had not begun";
    EXPECT_THROW(rotated<Fault::warps_skip>(LaneOrder::reverse, &(unwound = 0)), DivergentBarrier);
    EXPECT_EQ(unwound, 128);
    EXPECT_EQ(rotated<Fault::none>(LaneOrder::reverse), rotated<Fault::none>(LaneOrder::forward));
  }
}

TEST(Faults, TheFirstOfTheFailedBlocksIsReported) {
  try {
    rotated<Fault::index_too_large>(LaneOrder::reverse, nullptr, 50);
    FAIL();
  } catch (const SharedMemoryOverrun& error) {
    EXPECT_THAT(error.what(), HasSubstr("block 49,"));
  }
}

TEST(Faults, MoreSharedMemoryThanABlockCanHaveIsRefused) {
  HostExecutor executor;
  EXPECT_THROW(executor.launch<Scale>(1, 227 * 1024 + 1, {nullptr, 0, 1.0}), KernelError);
  EXPECT_NO_THROW(executor.launch<Scale>(1, 227 * 1024, {nullptr, 0, 1.0}));
}

TEST(Faults, MemoryThatDoesNotSufficeIsBadAlloc) {
  HostExecutor executor;
  EXPECT_THROW(executor.allocate<double>(std::numeric_limits<std::size_t>::max() / 4), std::bad_alloc);
}

TEST(Faults, FreshMemoryIsFullOfNaNs) {
  HostExecutor executor;
  for (const double x : downloaded(executor, executor.allocate<double>(100))) EXPECT_TRUE(std::isnan(x));
}

TEST(Faults, ARecordingThatFailsIsDropped) {
  HostExecutor executor;
  EXPECT_EQ(product_after_failed_recording(executor), 5.0);
}

}  // namespace
}  // namespace pivotlab::exec_test::faults_test
