// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/compare.hpp>
#include <experiments/engine/noise.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/timing.hpp>
#include <tests/experiments/scratch.hpp>
// GoogleTest comes first.
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

namespace pivotlab::experiments::compare_test {
namespace {

using nlohmann::json;

TEST(EstimateRatio, HasTheConfidenceOfTheMannWhitneyTables) {
  const std::vector<double> one = {1}, three = {1, 2, 3}, four = {1, 2, 3, 4}, five = {1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(estimate_ratio(one, one, 0.9).confidence, 0);
  EXPECT_DOUBLE_EQ(estimate_ratio(three, three, 0.9).confidence, 1 - 2 * 1.0 / 20);
  EXPECT_DOUBLE_EQ(estimate_ratio(four, four, 0.9).confidence, 1 - 2 * 2.0 / 70);      // U ≤ 1: 2 of C(8,4)
  EXPECT_NEAR(estimate_ratio(five, five, 0.95).confidence, 1 - 2 * 4.0 / 252, 1e-12);  // the tables' critical U is 2
}

TEST(EstimateRatio, IsTheMedianOfAllRatios) {
  const RatioEstimate estimate = estimate_ratio({1, 2, 4}, {2, 4, 8}, 0.9);
  EXPECT_DOUBLE_EQ(estimate.ratio, 2);
  EXPECT_DOUBLE_EQ(estimate.lower, 0.5);
  EXPECT_DOUBLE_EQ(estimate.upper, 8);
}

RC_GTEST_PROP(EstimateRatio, IsInvertedWhenTheSidesAreSwapped, ()) {
  const auto samples = [] {
    std::vector<double> result;
    for (const int x : *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 100))))
      result.push_back(x);
    if (result.size() > 12) result.resize(12);
    return result;
  };
  const auto a = samples(), b = samples();
  const RatioEstimate there = estimate_ratio(a, b, 0.9), back = estimate_ratio(b, a, 0.9);
  RC_ASSERT(std::abs(there.ratio * back.ratio - 1) < 1e-12);
  RC_ASSERT(std::abs(there.lower * back.upper - 1) < 1e-12);
  RC_ASSERT(there.confidence == back.confidence);
  RC_ASSERT(there.lower <= there.ratio && there.ratio <= there.upper);
}

TEST(EstimateRatio, EnclosesTheTruthAsOftenAsItSays) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> noise(0, 0.2);
  int enclosed = 0;
  constexpr int kTrials = 4000;
  double confidence = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> a(5), b(6);
    for (double& x : a) x = noise(random);
    for (double& x : b) x = 1.5 * noise(random);
    const RatioEstimate estimate = estimate_ratio(a, b, 0.9);
    confidence = estimate.confidence;
    enclosed += estimate.lower <= 1.5 && 1.5 <= estimate.upper;
  }
  EXPECT_GE(confidence, 0.9);
  EXPECT_NEAR(static_cast<double>(enclosed) / kTrials, confidence, 0.02);
}

/// Runs of the fake method whose times the tests set.
class CompareRuns : public testing::Test {
 protected:
  std::filesystem::path make_run(const char* name, const std::vector<double>& seconds, const char* solver = "quick",
                                 std::vector<Value> sizes = integers({1, 2})) const {
    RunOptions options;
    options.out = scratch_.path() / name;
    const RunSummary summary =
        run_quietly(make_plan(fake_spec({{"size", sizes}, {"solver", texts({solver})}}), find_fake), options);
    for (json record : read_records(summary.directory)) {
      record["time"]["compute_s"]["samples"] = seconds;
      record["time"]["compute_s"]["median"] = seconds[seconds.size() / 2];
      record["time"]["flags"] = json::array();
      record["time"].erase("crowded_samples");
      record["time"].erase("core_s");
      record["time"].erase("disturbed_samples");
      put_record(summary.directory, record);
    }
    return summary.directory;
  }
  ComparisonSet compared(const std::vector<double>& a, const std::vector<double>& b, const char* solver_a = "quick",
                         const char* solver_b = "quick") const {
    static int count = 0;
    const std::string name = std::to_string(++count);
    CompareOptions options;
    options.ignore = {"solver"};
    return compare(make_run((name + "a").c_str(), a, solver_a), make_run((name + "b").c_str(), b, solver_b), options);
  }
  Verdict verdict(const std::vector<double>& a, const std::vector<double>& b) const {
    return compared(a, b).pairs.at(0).verdict;
  }
  const ScratchFolder scratch_;
};

/// Times around t.
std::vector<double> around(double t) {
  return {t, 1.01 * t, 1.02 * t, 1.005 * t, 1.015 * t, 0.99 * t, 0.995 * t};
}

TEST_F(CompareRuns, SaysOnlyWhatTheSamplesTell) {
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {1, 1.01, 1.02}), Verdict::same);
  EXPECT_EQ(verdict(around(1), around(1.2)), Verdict::slower);
  EXPECT_EQ(verdict(around(1), around(0.8)), Verdict::faster);
  EXPECT_EQ(verdict({1, 1.2, 1.4}, {1.1, 1.3, 1.5}), Verdict::unsure);
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {1.2, 1.21, 1.22}), Verdict::unsure);  // too few
  EXPECT_EQ(verdict({1}, {20}), Verdict::slower);                           // beyond the factor for single samples
  EXPECT_EQ(verdict({1}, {0.4}), Verdict::faster);
  EXPECT_EQ(verdict({0.001}, {0.009}), Verdict::unsure);              // a slice of the scheduler's time
  EXPECT_EQ(verdict(around(1), around(1.04)), Verdict::unsure);       // slower, but perhaps by less than 5 %
  EXPECT_EQ(verdict(around(1e-5), around(3e-5)), Verdict::unsure);    // within what differs between processes
  EXPECT_EQ(verdict(around(1e-3), around(1.2e-3)), Verdict::slower);  // not
}

TEST_F(CompareRuns, SaysWhyItIsUnsure) {
  const auto why = [](const ComparisonSet& set) { return set.pairs.at(0).why; };
  // Wholly above the threshold: with two samples on each side that happens by chance in every third comparison.
  const ComparisonSet few = compared({1, 1}, {1.2, 1.2});
  EXPECT_GT(few.pairs.at(0).ratio.lower, 1.05);
  EXPECT_EQ(why(few), "2 and 2 samples cannot show a difference; take 5 each");
  EXPECT_EQ(why(compared({1}, {1.2, 1.2, 1.2, 1.2})), "1 and 4 samples cannot show a difference; take 5 each");
  EXPECT_EQ(why(compared({1, 1.2, 1.4, 1, 1.2, 1.4}, {1.1, 1.3, 1.5, 1.1, 1.3, 1.5})),
            "the interval reaches across the threshold of 5%");
  EXPECT_EQ(why(compared(around(1e-5), around(3e-5))),
            "the difference is not beyond noise, that of processes or of the other cases");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "quick", "incorrect")), "B did not pass");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "quick")), "A did not pass");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "unconverged")), "A and B did not pass");
  EXPECT_EQ(why(compared({1, 1.01, 1.02}, {1, 1.01, 1.02})), "");
}

TEST_F(CompareRuns, ReportsUndecided) {
  EXPECT_FALSE(compared({1, 1}, {1.2, 1.2}).decided());
  EXPECT_FALSE(compared({1, 1.2, 1.4}, {1.1, 1.3, 1.5}).decided());
  EXPECT_FALSE(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "quick").decided());
  EXPECT_TRUE(compared(around(1), around(1.2)).decided());  // slower
  EXPECT_TRUE(compared({1, 1.01, 1.02}, {1, 1.01, 1.02}).decided());
  const ComparisonSet perhaps_faster = compared({1, 1.01, 1.02}, {0.96, 0.97, 0.98});
  EXPECT_EQ(perhaps_faster.count(Verdict::unsure), 2u);
  EXPECT_TRUE(perhaps_faster.decided());  // not slower in any case
}

TEST_F(CompareRuns, BlamesNoLoadedMachineOnTheProgram) {
  const auto a = make_run("a", around(1)), b = make_run("b", around(1.9));
  EXPECT_EQ(compare(a, b).count(Verdict::slower), 2u);
  const json record = read_records(b).at(0);
  const auto with = [&](const char* member, const json& value) {
    json changed = record;
    changed["time"][member] = value;
    put_record(b, changed);
    return compare(a, b).pairs;
  };
  for (const auto& pairs : {with("flags", {"loaded"}), with("crowded_samples", 2)}) {
    EXPECT_EQ(pairs[0].verdict, Verdict::unsure);
    EXPECT_EQ(pairs[0].why, "other work ran beside B; measure again on an idle machine");
    EXPECT_EQ(pairs[1].verdict, Verdict::slower);
  }
  EXPECT_EQ(with("crowded_samples", 1)[0].verdict, Verdict::slower);  // one of seven

  const std::vector<double> usual(7, 1e-5);
  json of_a = read_records(a).at(1);
  of_a["time"]["core_s"] = usual;
  put_record(a, of_a);
  EXPECT_EQ(with("core_s", usual)[0].verdict, Verdict::slower);
  EXPECT_EQ(with("core_s", {1e-5, 1e-5, 1.7e-5, 1e-5, 1e-5, 1e-5, 1e-5})[0].verdict, Verdict::slower);
  const Comparison slowed = with("core_s", {1e-5, 1.1e-5, 1.7e-5, 1e-5, 1.8e-5, 1e-5, 1e-5})[0];
  EXPECT_EQ(slowed.verdict, Verdict::unsure);
  EXPECT_EQ(slowed.why, "the core was slower beside B than it usually is; measure again on an idle machine");
  // All samples of B's case: only another case shows how fast the core can be.
  EXPECT_EQ(with("core_s", std::vector<double>(7, 1.7e-5))[0].verdict, Verdict::unsure);
}

TEST_F(CompareRuns, CountsSamplesThatWereDisturbedRatherThanOtherTasks) {
  const auto a = make_run("a", around(1)), b = make_run("b", around(1.9));
  json record = read_records(b).at(0);
  const auto verdict_with = [&](int disturbed) {
    record["time"].update({{"flags", {"loaded"}}, {"crowded_samples", 7}, {"disturbed_samples", disturbed}});
    put_record(b, record);
    return compare(a, b).pairs.at(0).verdict;
  };
  EXPECT_EQ(verdict_with(1), Verdict::slower);  // other tasks ran, but the case waited for them once
  EXPECT_EQ(verdict_with(2), Verdict::unsure);
  // The probe of earlier versions is not compared with this one's.
  record["time"].update({{"disturbed_samples", 0}, {"core_s", std::vector<double>(7, 1e-5)}});
  put_record(b, record);
  json of_a = read_records(a).at(0);
  of_a["time"]["probe_s"] = std::vector<double>(7, 5e-6);
  put_record(a, of_a);
  EXPECT_EQ(compare(a, b).pairs.at(0).verdict, Verdict::slower);
  of_a["time"]["core_s"] = std::vector<double>(7, 5e-6);
  put_record(a, of_a);
  EXPECT_EQ(compare(a, b).pairs.at(0).verdict, Verdict::unsure);
}

TEST(EstimateRatio, OfManySamplesIsThatOfLowerQuartiles) {
  std::vector<double> a, b;
  for (int k = 0; k < 40; ++k) {
    a.push_back(1 + 0.001 * k);
    b.push_back((1 + 0.001 * k) * (k < 19 ? 1.05 : 3));  // other work made more than half of the samples longer
  }
  const RatioEstimate estimate = estimate_ratio(a, b, 0.9);
  EXPECT_NEAR(estimate.ratio, 1.05, 1e-12);
  EXPECT_LT(estimate.lower, 1.05);
  EXPECT_GT(estimate.upper, 1.05);
  EXPECT_LT(estimate.upper, 1.1);
  EXPECT_GE(estimate.confidence, 0.9);
}

TEST(RatioOfPasses, HasStudentsInterval) {
  const auto passes = [](double factor) {
    return std::vector<double>{factor * 0.98, factor, factor * 1.01, factor,
                               factor / 0.98 / 1.01};  // mean of logarithms: 0
  };
  const RatioEstimate estimate = ratio_of_passes(passes(1), passes(1.2), 0.9);
  EXPECT_NEAR(estimate.ratio, 1.2, 1e-12);
  EXPECT_NEAR(estimate.lower * estimate.upper, 1.2 * 1.2, 1e-12);
  EXPECT_NEAR(student_quantile(0.1, 8), 1.8595, 1e-4);  // the tables' t of 8 degrees of freedom
  double squares = 0;
  for (const double time : passes(1)) squares += std::log(time) * std::log(time);
  EXPECT_NEAR(std::log(estimate.upper / 1.2), 1.8595 * std::sqrt(2 * squares / 8 * 2 / 5), 1e-5);
}

TEST(DifferencePValue, IsThatOfTheMannWhitneyTables) {
  EXPECT_DOUBLE_EQ(difference_p_value({1, 2, 3}, {4, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(difference_p_value({4, 5, 6}, {1, 2, 3}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(difference_p_value({1, 2, 3, 4}, {5, 6, 7, 3.5}), 2.0 * 2 / 70);  // U = 1
  EXPECT_DOUBLE_EQ(difference_p_value({1, 1, 1}, {1, 1, 1}), 1);
  EXPECT_DOUBLE_EQ(difference_p_value({}, {1}), 1);
}

/// Nine cases of two runs, whose times come about as on a machine.
class SimulatedRuns : public testing::Test {
 protected:
  /// Noise of a sample and of a process, drift of the machine's speed from case to case, median of the first case.
  struct Machine {
    double sample_noise, process_noise, drift = 0, first_s = 1e-3;
    int passes = 1;
  };
  static constexpr int cases = 9;

  std::vector<Side> simulate(const Machine& machine, int samples, const std::function<double(int)>& factor) {
    std::lognormal_distribution<double> sample(0, machine.sample_noise), process(0, machine.process_noise),
        drift(0, machine.drift);
    std::vector<Side> sides;
    double speed = 1;
    for (int k = 0; k < cases; ++k) {
      speed *= drift(random_);
      const double own = machine.first_s * std::pow(3, k % 5) * factor(k) * speed;
      Side side{{{"size", std::int64_t{k}}}, std::to_string(k), "passed", 0, {}, {}};
      // A rare hiccup: another program took the core.
      for (int pass = 0; pass < machine.passes; ++pass) {
        const double median = own * process(random_);
        for (int s = 0; s < samples; ++s)
          side.samples.push_back(median * sample(random_) + (random_() % 20 == 0 ? 0.004 : 0));
      }
      const std::vector<std::size_t> counts(static_cast<std::size_t>(machine.passes),
                                            static_cast<std::size_t>(samples));
      side.passes = pass_times(side.samples, counts);
      side.median = median_of(side.samples);
      sides.push_back(std::move(side));
    }
    return sides;
  }

  struct Shares {
    double regressions = 0, first_is_slower = 0;
  };
  /// Returns the shares of pairs of runs with a regression, and with a slower first case.
  Shares shares(const Machine& machine, int samples, int pairs, const std::function<double(int)>& factor,
                double threshold = 0.05) {
    CompareOptions options;
    options.threshold = threshold;
    Shares found;
    for (int pair = 0; pair < pairs; ++pair) {
      const ComparisonSet set =
          compare(simulate(machine, samples, [](int) { return 1.0; }), simulate(machine, samples, factor), options);
      found.regressions += set.regressions() > 0 ? 1.0 / pairs : 0;
      found.first_is_slower += set.pairs[0].verdict == Verdict::slower ? 1.0 / pairs : 0;
    }
    return found;
  }

 private:
  static double median_of(std::vector<double> x) {
    std::ranges::sort(x);
    return x[x.size() / 2];
  }
  std::mt19937 random_{1};
};

TEST_F(SimulatedRuns, OfOneProgramShowARegressionInOnePercent) {
  const std::vector<Machine> machines = {{0.01, 0.003}, {0.01, 0.01}, {0.05, 0.03}, {0.02, 0.05, 0.02}};
  double regressions = 0;
  for (const Machine& machine : machines)
    for (const int samples : {9, 15}) {
      const Shares found = shares(
          machine, samples, 500, [](int) { return 1.0; }, 0.02);
      EXPECT_LE(found.regressions, 0.016) << machine.process_noise;  // 1 %, and two standard deviations of 500 pairs
      regressions += found.regressions / (2.0 * static_cast<double>(machines.size()));
    }
  EXPECT_LE(regressions, 0.01);
}

TEST_F(SimulatedRuns, OfASlowerProgramShowIt) {
  constexpr int samples = 15;  // a hiccup in one of nine hides a difference
  const Machine usual = {0.01, 0.01};
  EXPECT_GE(shares(usual, samples, 100, [](int k) { return k == 0 ? 1.4 : 1.0; }).first_is_slower, 0.9);
  // All cases, and half of them.
  EXPECT_GE(shares(usual, samples, 100, [](int) { return 1.2; }).regressions, 0.9);
  EXPECT_GE(shares(usual, samples, 100, [](int k) { return k % 2 == 0 ? 1.3 : 1.0; }).regressions, 0.9);
}

TEST_F(SimulatedRuns, ShowFivePercentInOneOfNineCases) {
  const Machine quiet = {0.01, 0.003, 0, 0.01};
  const Shares found = shares(
      quiet, 15, 500, [](int k) { return k == 0 ? 1.05 : 1.0; }, 0.02);
  EXPECT_GE(found.first_is_slower, 0.9);
}

/// The noise of two virtual cores with a load of 5 to 9.
TEST_F(SimulatedRuns, InPassesShowFivePercentBesideOtherWork) {
  const Machine shared = {.sample_noise = 0.02, .process_noise = 0.007, .first_s = 0.01, .passes = 5};
  EXPECT_GE(shares(
                shared, 40, 200, [](int k) { return k == 0 ? 1.05 : 1.0; }, 0.02)
                .first_is_slower,
            0.9);
  EXPECT_LE(shares(
                shared, 40, 400, [](int) { return 1.0; }, 0.02)
                .regressions,
            0.01);
}

TEST(DifferencePValue, OfManySamplesIsNearlyThatOfFew) {
  std::vector<double> a, b;
  for (int k = 0; k < 29; ++k) a.push_back(k), b.push_back(k + 8.5);
  const double exact = difference_p_value(a, b);
  a.push_back(29), b.push_back(37.5);
  EXPECT_GT(difference_p_value(a, b), exact);
  EXPECT_LT(difference_p_value(a, b), 2 * exact);
}

TEST_F(CompareRuns, TellsWhichTimesAreFlagged) {
  const auto a = make_run("a", {1, 1, 1}), b = make_run("b", {1, 1, 1});
  json record = read_records(a).at(0);
  record["time"]["flags"] = {"noisy", "loaded"};
  put_record(a, record);
  const Comparison pair = compare(a, b).pairs.at(0);
  EXPECT_EQ(pair.a.flags, (std::vector<std::string>{"noisy", "loaded"}));
  EXPECT_TRUE(pair.b.flags.empty());
}

TEST_F(CompareRuns, PairsCasesAndTellsThoseWithoutPartner) {
  const auto a = make_run("a", {1, 1, 1}, "quick", integers({1, 2, 3})),
             b = make_run("b", {2, 2, 2}, "quick", integers({2, 3, 4}));
  const ComparisonSet set = compare(a, b);
  ASSERT_EQ(set.pairs.size(), 2u);
  EXPECT_EQ(set.pairs[0].a.axes.at("size"), Value(std::int64_t{2}));
  EXPECT_EQ(set.pairs[0].a.key, set.pairs[0].b.key);
  EXPECT_DOUBLE_EQ(set.pairs[0].ratio.ratio, 2);
  EXPECT_EQ(set.pairs[0].a.metrics.at("residual"), 1e-16);
  EXPECT_EQ(set.pairs[0].b.metrics.at("residual"), 1e-16);
  ASSERT_EQ(set.only_a.size(), 1u);
  ASSERT_EQ(set.only_b.size(), 1u);
  EXPECT_EQ(set.count(Verdict::slower), 2u);
  EXPECT_EQ(set.regressions(), 2u);
}

TEST_F(CompareRuns, IgnoresAxesThatMayDiffer) {
  const auto a = make_run("a", {1, 1, 1}, "quick"), b = make_run("b", {1, 1, 1}, "sleeps");
  EXPECT_TRUE(input_error([&] { compare(a, b); }).find("--ignore") != std::string::npos);
  CompareOptions options;
  options.ignore = {"solver"};
  EXPECT_EQ(compare(a, b, options).count(Verdict::same), 2u);
  options.ignore = {"solver", "size"};
  EXPECT_TRUE(input_error([&] { compare(a, b, options); }).find("ignore fewer") != std::string::npos);
}

TEST_F(CompareRuns, CountsALostResultAsRegression) {
  const auto a = make_run("a", {1, 1, 1}, "quick"), b = make_run("b", {1, 1, 1}, "incorrect");
  CompareOptions options;
  options.ignore = {"solver"};
  const ComparisonSet set = compare(a, b, options);
  EXPECT_EQ(set.regressions(), 2u);
  EXPECT_EQ(set.count(Verdict::unsure), 2u);
  EXPECT_EQ(compare(b, a, options).regressions(), 0u);
}

TEST_F(CompareRuns, RefusesAnUnknownTime) {
  CompareOptions options;
  options.quantity = "cpu_s";
  EXPECT_EQ(input_error([&] { compare("a", "b", options); }),
            "compare: unknown time 'cpu_s'; take compute_s or wall_s");
}

/// Processes one second apart whose medians grow by `drift` a minute, with deviations and spreads of samples.
std::vector<ProcessTimes> processes_with(double deviation, double spread, double drift) {
  std::vector<ProcessTimes> all;
  for (int k = 0; k < 12; ++k) {
    const double median = 2e-3 * (1 + drift * k / 60) * (1 + (k % 4 == 0 || k % 4 == 3 ? deviation : -deviation));
    ProcessTimes process{
        .started_s = static_cast<double>(k), .samples_s = {}, .waited_s = {0, 0, 0, 0, 0}, .probe_s = {}};
    for (int i = -2; i <= 2; ++i) process.samples_s.push_back(median * (1 + spread * i));
    process.probe_s.assign(5, k == 1 ? 2e-5 : 1e-5);
    if (k == 2 || k == 3) {
      // A sample that had to wait, and one beside another thread of the core, whose times do not count.
      process.samples_s.insert(process.samples_s.end(), {3e-3, 4e-3});
      process.waited_s.insert(process.waited_s.end(), {1e-3, 1e-6});
      process.probe_s.insert(process.probe_s.end(), {1e-5, 1.5e-5});
    }
    all.push_back(process);
  }
  return all;
}

TEST(NoiseOfTheMachine, IsThatOfSamplesProcessesAndDrift) {
  const Noise noise = noise_of(processes_with(0.01, 0.02, 0.03));
  EXPECT_EQ(noise.processes, 12u);
  EXPECT_EQ(noise.samples, 64u);
  EXPECT_EQ(noise.waited, 2u);
  EXPECT_EQ(noise.slowed, 7u);
  EXPECT_NEAR(noise.sample_s, 2e-3, 1e-4);
  EXPECT_NEAR(noise.of_samples, 0.04 / 1.349, 1e-6);  // quartiles are at -1 and 1 steps
  EXPECT_NEAR(noise.of_processes, 0.01, 0.002);
  EXPECT_NEAR(noise.drift, 0.03, 1e-3);
  EXPECT_NEAR(noise_of(processes_with(0, 0, 0.03)).drift, 0.03, 1e-3);
}

TEST(NoiseOfTheMachine, SaysWhichDifferencesAreFound) {
  // SimulatedRuns find 5 % with this noise in nine of ten pairs.
  const Noise simulated{.of_samples = 0.01, .of_processes = 0.003};
  EXPECT_NEAR(smallest_difference(simulated, 9, 15), 0.045, 0.01);
  EXPECT_LT(smallest_difference(simulated, 20, 15), smallest_difference(simulated, 9, 15));
  EXPECT_LT(smallest_difference(simulated, 9, 60), smallest_difference(simulated, 9, 15));
  EXPECT_GT(smallest_difference({.of_samples = 0.01, .of_processes = 0.03}, 9, 15), 0.2);
}

TEST(NoiseOfTheMachine, IsMeasuredInTheTimeThatIsAskedFor) {
  const auto start = std::chrono::steady_clock::now();
  const Noise noise = noise_of(measure_noise(1.2));
  EXPECT_EQ(noise.processes, 12u);
  EXPECT_GT(noise.samples, 24u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace pivotlab::experiments::compare_test
