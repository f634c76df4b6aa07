// SPDX-License-Identifier: BSD-3-Clause
// The functions of the context do what is documented, in every order of lanes.
#include "kernels/exec/host_executor.hpp"

#include "tests/exec/bodies.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

namespace pivotlab::exec_test::host_executor_test {
namespace {

struct Order {
  LaneOrder order;
  std::uint64_t seed;
};

std::ostream& operator<<(std::ostream& out, const Order& order) {
  return out << static_cast<int>(order.order) << ", seed " << order.seed;
}

class InEveryOrder : public testing::TestWithParam<Order> {
 protected:
  HostExecutor executor{GetParam().order, GetParam().seed};
};

std::string name_of(const testing::TestParamInfo<Order>& order) {
  if (order.param.order == LaneOrder::forward) return "Forward";
  if (order.param.order == LaneOrder::reverse) return "Reverse";
  return "Shuffled" + std::to_string(order.param.seed);
}

INSTANTIATE_TEST_SUITE_P(Orders, InEveryOrder,
                         testing::Values(Order{LaneOrder::forward, 0}, Order{LaneOrder::reverse, 0},
                                         Order{LaneOrder::shuffled, 1}, Order{LaneOrder::shuffled, 2}),
                         name_of);

template <int K>
std::vector<double> products_by_loops(int tiles) {
  const auto a = random_numbers(tiles * 16 * K, 1), b = random_numbers(tiles * 8 * K, 2);
  auto c = random_numbers(tiles * 16 * 8, 3);
  for (int tile = 0; tile < tiles; ++tile)
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 8; ++column)
        for (int k = 0; k < K; ++k) {
          double& sum = c[(tile * 16 + row) * 8 + column];
          sum = std::fma(a[(tile * 16 + row) * K + k], b[(tile * 8 + column) * K + k], sum);
        }
  return c;
}

TEST_P(InEveryOrder, MmaIsAChainOfFmasOverAscendingK) {
  EXPECT_EQ(products<4>(executor, 3), products_by_loops<4>(6));
  EXPECT_EQ(products<8>(executor, 3), products_by_loops<8>(6));
  EXPECT_EQ(products<16>(executor, 3), products_by_loops<16>(6));
}

std::vector<std::int32_t> digit_products_by_loops(int tiles) {
  using Body = DigitProducts;
  const auto a = random_numbers(tiles * Body::digits * 16 * 32, 1),
             b = random_numbers(tiles * Body::digits * 8 * 32, 2);
  std::vector<std::int32_t> sums;
  for (int tile = 0; tile < tiles; ++tile)
    for (int level = 0; level < Body::levels; ++level)
      for (int i = 0; i < 16 * 8; ++i) {
        std::int32_t sum = 0;
        for (int d = 0; d < Body::digits; ++d)
          for (int e = 0; e < Body::digits; ++e)
            for (int k = 0; d + e == level && k < 32; ++k)
              sum += Body::digit(a[((tile * Body::digits + d) * 16 + i / 8) * 32 + k]) *
                     Body::digit(b[((tile * Body::digits + e) * 8 + i % 8) * 32 + k]);
        sums.push_back(sum);
      }
  sums.push_back(*std::ranges::max_element(sums));
  return sums;
}

TEST_P(InEveryOrder, MmaSumsProductsOfDigitsByLevels) {
  EXPECT_EQ(digit_products(executor, 3), digit_products_by_loops(6));
}

TEST_P(InEveryOrder, ShufflesAndVotesEqualPlainLoops) {
  const int blocks = 5;
  const auto x = random_numbers(blocks * Exchanges::threads, 4);
  const auto result = exchanges(executor, blocks);
  for (int i = 0; i < blocks * Exchanges::threads; ++i) {
    const double* got = &result[static_cast<std::size_t>(i * Exchanges::results)];
    const int lane = i % warp_size;
    const double* warp = &x[i - lane];
    const double* block = &x[i - i % Exchanges::threads];
    const auto in_block = [&](auto what) { return std::count_if(block, block + Exchanges::threads, what); };
    const bool large = std::any_of(warp, warp + warp_size, [](double value) { return value > 0.95; });
    EXPECT_EQ(got[0], warp[lane ^ 1] + warp[lane ^ 16]);
    EXPECT_EQ(got[1], lane ^ 5);
    EXPECT_EQ(got[2], warp[(lane * 7 + 3) % warp_size]);
    EXPECT_EQ(got[3], i - lane + 31);
    EXPECT_EQ(got[4], in_block([](double value) { return value > 0; }));
    EXPECT_EQ(got[5], large + 2);
    int most = 0;
    for (int j = i - lane; j < i - lane + warp_size; ++j) most = std::max(most, j * 31 % 37);
    EXPECT_EQ(got[7], 0x80000006u + static_cast<unsigned>(most));
    EXPECT_EQ(got[6], 43 + 1000 * in_block([](double value) { return value < -0.5; }));
  }
}

TEST_P(InEveryOrder, ABlockReductionHasTheSameBits) {
  HostExecutor forward;
  EXPECT_EQ(block_sums(executor, 20), block_sums(forward, 20));
}

TEST_P(InEveryOrder, ABlockOfAClusterReadsWhatTheOthersWroteBeforeTheirBarrier) {
  constexpr int clusters = 5, threads = ClusterSums::threads, blocks = ClusterSums::cluster_blocks;
  const auto sums = cluster_sums(executor, clusters);
  HostExecutor forward;
  EXPECT_EQ(sums, cluster_sums(forward, clusters));
  const auto x = random_numbers(clusters * blocks * threads, 11);
  for (int i = 0; i < clusters * blocks; ++i) {
    double sum = 0;
    for (int block = 0; block < blocks; ++block)
      for (int t = warp_size; t < threads; ++t)
        sum += x[static_cast<std::size_t>((i / blocks * blocks + block) * threads + t)];
    EXPECT_NEAR(sums[static_cast<std::size_t>(i)], sum, 1e-12);
  }
}

TEST_P(InEveryOrder, BlocksOfAResidentGridWaitForOneAnother) {
  constexpr int blocks = 5, rounds = 3, threads = Relay::threads;
  const auto received = relayed(executor, blocks, rounds);
  for (int block = 0; block < blocks; ++block)
    for (int i = 0; i < threads; ++i) {
      const int hops = (rounds - 1) * blocks + block;  // each brings the next thread's number
      const int added = (rounds - 1) * blocks * (blocks - 1) / 2 + block * (block - 1) / 2;
      EXPECT_EQ(received[static_cast<std::size_t>(block * threads + i)], (i + hops + 1) % threads + added);
    }
}

TEST_P(InEveryOrder, AsynchronousCopiesArriveWhenWaitedFor) {
  auto expected = random_numbers(9 * ReversedChunks::chunk, 6);
  for (int i = 0; i < 9; ++i)
    std::reverse(expected.begin() + i * ReversedChunks::chunk, expected.begin() + (i + 1) * ReversedChunks::chunk);
  EXPECT_EQ(reversed_chunks(executor, 9), expected);
}

TEST_P(InEveryOrder, SharedMemoryReachesBeyond48KiB) {
  auto expected = random_numbers(LargeReversal::count, 7);
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(large_reversal(executor), expected);
}

TEST_P(InEveryOrder, ARecordingRunsWhenReplayed) {
  auto expected = random_numbers(1000, 8);
  std::fill_n(expected.begin(), 500, 0.0);
  for (double& value : expected) value = value * 3.0 * 0.5 * 3.0 * 0.5;
  EXPECT_EQ(replayed(executor, 2, [] {}), expected);
  EXPECT_EQ(replayed(executor, 0, [] {}), random_numbers(1000, 8));
}

TEST_P(InEveryOrder, SideBranchesAreOrderedWithTheMainChainWhereTheyMeet) {
  const std::vector<double> in_order = with_side_branches(executor, false);
  EXPECT_EQ(in_order.front(), 1);
  EXPECT_EQ(with_side_branches(executor, true), in_order);
}

TEST_P(InEveryOrder, LaterLaunchesDoNotWaitForASideBranch) {
  EXPECT_EQ(received_by_side_branch(executor), 7.0);
}

TEST_P(InEveryOrder, ASideBranchRunsAsLateAsItMay) {
  const auto digits = uploaded(executor, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  const auto launches = executor.record([&] {
    const auto launch = [&](int digit) { executor.launch<Append>(1, 0, {digits.data(), digits.data() + digit}); };
    launch(1);
    executor.beside([&] {
      launch(2);
      launch(3);
    });
    launch(4);
    executor.beside([&] { launch(5); });
    launch(6);
    executor.join();
    launch(7);
    executor.beside([&] { launch(8); });
  });
  executor.replay(launches);
  EXPECT_EQ(downloaded(executor, digits).front(), 14236578);
}

}  // namespace
}  // namespace pivotlab::exec_test::host_executor_test
