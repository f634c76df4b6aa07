// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <experiments/engine/timing.hpp>

#include <cmath>

namespace pivotlab::experiments::timing_test {
namespace {

TEST(Quartiles, InterpolateBetweenOrderStatistics) {
  const Quartiles q = quartiles({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(q.q1, 1.75);
  EXPECT_DOUBLE_EQ(q.median, 2.5);
  EXPECT_DOUBLE_EQ(q.q3, 3.25);
  EXPECT_DOUBLE_EQ(quartiles({7}).q1, 7);
  EXPECT_TRUE(std::isnan(quartiles({}).median));
}

TEST(RelativeSpread, NeedsThreeSamples) {
  EXPECT_TRUE(std::isnan(relative_spread({1, 1})));
  EXPECT_EQ(relative_spread({0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(relative_spread({1, 2, 3}), 0.5);
}

TEST(Samples, StopBySpreadBudgetOrMaximum) {
  const Timing timing{.min_repeats = 2, .max_repeats = 5, .relative_spread = 0.05, .budget_s = 10};
  const auto enough = [&](std::vector<double> wall) { return Samples{wall, wall}.enough(timing); };
  EXPECT_FALSE(enough({}));
  EXPECT_FALSE(enough({100}));
  EXPECT_FALSE(enough({1, 1}));
  EXPECT_TRUE(enough({1, 1, 1.01}));
  EXPECT_FALSE(enough({1, 2, 1}));
  EXPECT_TRUE(enough({6, 4}));
  EXPECT_TRUE(enough({1, 2, 1, 2, 1}));
}

TEST(Flags, TellOfNoiseAndOfOthersOnTheMachine) {
  const auto flags_of = [](std::vector<double> seconds, double others_cpu_s, int threads) {
    return flags({seconds, seconds, others_cpu_s}, {}, threads, 4);
  };
  using Flags = std::vector<std::string>;
  EXPECT_EQ(flags_of({1, 1, 1}, 0.3, 4), Flags{});
  EXPECT_EQ(flags_of({1, 1, 1}, 3, 4), Flags{"loaded"});
  EXPECT_EQ(flags_of({1, 1, 1}, 3, 3), Flags{});  // one core was enough for them
  EXPECT_EQ(flags_of({1, 2, 3}, 18, 2), (Flags{"noisy", "loaded"}));
  EXPECT_EQ(flags_of({0.01}, 0.04, 4), Flags{});  // too short for the flag
}

TEST(CrowdedSamples, AreThoseBesideWhichTooFewCoresAreLeft) {
  const auto crowded = [](std::vector<int> others, int threads) {
    return crowded_samples({.compute_s = {}, .wall_s = {}, .others_running = std::move(others)}, threads, 4);
  };
  EXPECT_EQ(crowded({4, 4, 9}, 1), 3);
  EXPECT_EQ(crowded({3, 0, 3}, 1), 0);  // one core is left
  EXPECT_EQ(crowded({0, 0, 1}, 4), 1);
  EXPECT_EQ(crowded({}, 4), 0);
}

}  // namespace
}  // namespace pivotlab::experiments::timing_test
