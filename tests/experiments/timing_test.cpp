// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/disturbance.hpp>
#include <experiments/engine/timing.hpp>

#include <cmath>
#include <fstream>

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

TEST(LowerQuartileInterval, HasTheProbabilitiesOfTheBinomialDistribution) {
  const auto up_to = [](int n) {
    std::vector<double> x;
    for (int k = 1; k <= n; ++k) x.push_back(k);
    return x;
  };
  // The number of 30 samples that are below the quartile has the distribution B(30, 0.25). Tables give the probability
  // 0.01060 for at most 2, 0.02682 for 3, 0.05066 for at least 12, and 0.02159 for at least 13.
  const QuantileInterval interval = lower_quartile_interval(up_to(30), 0.95);
  EXPECT_EQ(interval.lower, 3);
  EXPECT_EQ(interval.upper, 13);
  EXPECT_NEAR(interval.confidence, 1 - 0.01060 - 0.02159, 1e-4);
  const QuantileInterval few = lower_quartile_interval(up_to(3), 0.95);
  EXPECT_EQ(few.lower, 1);
  EXPECT_EQ(few.upper, 3);
  EXPECT_NEAR(few.confidence, 1 - 0.421875 - 0.015625, 1e-12);
  EXPECT_EQ(lower_quartile_interval({}, 0.9).confidence, 0);
}

TEST(Samples, StopOnceTheLowerQuartileIsKnown) {
  const Timing timing{.min_repeats = 5, .max_repeats = 300, .until = 0.02, .budget_s = 10};
  const auto samples = [](int count, double step) {
    std::vector<double> x;
    for (int k = 0; k < count; ++k) x.push_back(0.01 * (1 + step * k / count));
    return Samples{x, x};
  };
  EXPECT_TRUE(samples(30, 0.05).enough(timing));
  EXPECT_FALSE(samples(29, 0.05).enough(timing));  // the quartile of so few is not used
  EXPECT_FALSE(samples(30, 0.2).enough(timing));
  EXPECT_TRUE(samples(300, 0.2).enough(timing));
  Samples noisy = samples(30, 0.2);
  noisy.retaken_wall_s = 10;
  EXPECT_TRUE(noisy.enough(timing));  // the budget is spent
}

TEST(Samples, AreTakenAgainWithinTheBudget) {
  const Timing until{.min_repeats = 5, .max_repeats = 300, .until = 0.02, .budget_s = 10};
  Samples samples{{0.1}, {0.1}};
  EXPECT_FALSE(samples.may_retake({.min_repeats = 5, .max_repeats = 300}, 0.1));
  EXPECT_TRUE(samples.may_retake(until, 0.1));
  samples.retaken_wall_s = 9.9;
  EXPECT_FALSE(samples.may_retake(until, 0.1));  // it is one of the first five, which are kept whatever disturbs them
  samples.wall_s.assign(5, 0.1);
  EXPECT_TRUE(samples.may_retake(until, 0.1));
}

TEST(Samples, OfEarlierPassesEndNoPass) {
  const Timing timing{.min_repeats = 5, .max_repeats = 100, .until = 0.02, .budget_s = 2};
  Samples samples{std::vector<double>(60, 0.1), std::vector<double>(60, 0.1)};
  EXPECT_TRUE(samples.enough(timing));
  samples.earlier = 60;  // 6 s
  EXPECT_FALSE(samples.enough(timing));
  EXPECT_TRUE(samples.may_retake(timing, 0.1));
  samples.wall_s.resize(80, 0.1), samples.compute_s.resize(80, 0.1);
  EXPECT_TRUE(samples.enough(timing));  // 2 s of this one
}

TEST(PassTimes, AreThoseOfTheNumbersOfSamples) {
  EXPECT_EQ(pass_times({1, 2, 3, 8, 9}, {3, 2}), (std::vector<double>{2, 8.5}));
  EXPECT_EQ(pass_times({1, 2, 3}, {}), std::vector<double>{2});
  EXPECT_EQ(pass_times({1, 2, 3}, {3, 2}), std::vector<double>{2});  // samples were added without passes
}

TEST(OwnTime, IsTheLowerQuartileOfManySamples) {
  std::vector<double> samples(20, 1.0);
  samples.resize(29, 2.0);
  EXPECT_EQ(own_time(samples), 1);
  samples.resize(41, 2.0);
  EXPECT_EQ(own_time(samples), 1);  // the median is 2
}

TEST(Disturbance, IsSeenByWaitsAndByTheProbe) {
  const double least = LoadWatch().end().probe_s;  // known from now on
  EXPECT_FALSE((Beside{.probe_s = least, .waited_s = 9e-6}.disturbs(1e-3)));
  EXPECT_TRUE((Beside{.probe_s = least, .waited_s = 11e-6}.disturbs(1e-3)));
  EXPECT_TRUE((Beside{.probe_s = 10 * least}.disturbs(1e-3)));
}

TEST(Disturbance, IsThatOfThisProcessAndItsChildren) {
  const auto waits = waits_for_cores();
  if (waits.empty()) GTEST_SKIP() << "the system does not tell waits";
  EXPECT_TRUE(waits.contains(::getpid()));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte;
    ::_exit(::read(ends[0], &byte, 1) == 1 ? 0 : 1);
  }
  const bool is_seen = waits_for_cores().contains(child);
  EXPECT_EQ(::write(ends[1], "x", 1), 1);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]), ::close(ends[1]);
  const bool tells_children = std::ifstream(fmt::format("/proc/self/task/{}/children", ::getpid())).is_open();
  EXPECT_EQ(is_seen, tells_children);
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
