#include <experiments/engine/compare.hpp>
#include <experiments/engine/record.hpp>
#include <tests/experiments/scratch.hpp>
// GoogleTest comes first.
#include <rapidcheck/gtest.h>

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
      write_atomically(record_path(summary.directory, record["key"].get<std::string>()), record.dump());
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

TEST_F(CompareRuns, SaysOnlyWhatTheSamplesTell) {
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {1, 1.01, 1.02}), Verdict::same);
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {1.2, 1.21, 1.22}), Verdict::slower);
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {0.8, 0.81, 0.82}), Verdict::faster);
  EXPECT_EQ(verdict({1, 1.2, 1.4}, {1.1, 1.3, 1.5}), Verdict::unsure);
  EXPECT_EQ(verdict({1, 1}, {1.2, 1.2}), Verdict::unsure);  // too few
  EXPECT_EQ(verdict({1}, {20}), Verdict::slower);           // beyond the factor for single samples
  EXPECT_EQ(verdict({1}, {0.4}), Verdict::faster);
  EXPECT_EQ(verdict({1, 1.01, 1.02}, {1.04, 1.05, 1.06}), Verdict::unsure);  // slower, but perhaps by less than 5 %
}

TEST_F(CompareRuns, SaysWhyItIsUnsure) {
  const auto why = [](const ComparisonSet& set) { return set.pairs.at(0).why; };
  // Wholly above the threshold: with two samples on each side that happens by chance in every third comparison.
  const ComparisonSet few = compared({1, 1}, {1.2, 1.2});
  EXPECT_GT(few.pairs.at(0).ratio.lower, 1.05);
  EXPECT_EQ(why(few), "2 and 2 samples give the interval 66.7% confidence, not 90%; take 3 each");
  EXPECT_EQ(why(compared({1}, {1.2, 1.2, 1.2, 1.2})),
            "1 and 4 samples give the interval 60% confidence, not 90%; take 3 each");
  EXPECT_EQ(why(compared({1, 1.2, 1.4}, {1.1, 1.3, 1.5})), "the interval reaches across the threshold of 5%");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "quick", "incorrect")), "B did not pass");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "quick")), "A did not pass");
  EXPECT_EQ(why(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "unconverged")), "A and B did not pass");
  EXPECT_EQ(why(compared({1, 1.01, 1.02}, {1, 1.01, 1.02})), "");
}

TEST_F(CompareRuns, ReportsUndecided) {
  EXPECT_FALSE(compared({1, 1}, {1.2, 1.2}).decided());
  EXPECT_FALSE(compared({1, 1.2, 1.4}, {1.1, 1.3, 1.5}).decided());
  EXPECT_FALSE(compared({1, 1, 1}, {1, 1, 1}, "incorrect", "quick").decided());
  EXPECT_TRUE(compared({1, 1.01, 1.02}, {1.2, 1.21, 1.22}).decided());  // slower
  EXPECT_TRUE(compared({1, 1.01, 1.02}, {1, 1.01, 1.02}).decided());
  const ComparisonSet perhaps_faster = compared({1, 1.01, 1.02}, {0.96, 0.97, 0.98});
  EXPECT_EQ(perhaps_faster.count(Verdict::unsure), 2u);
  EXPECT_TRUE(perhaps_faster.decided());  // not slower in any case
}

TEST_F(CompareRuns, TellsWhichTimesAreFlagged) {
  const auto a = make_run("a", {1, 1, 1}), b = make_run("b", {1, 1, 1});
  json record = read_records(a).at(0);
  record["time"]["flags"] = {"noisy", "loaded"};
  write_atomically(record_path(a, record["key"].get<std::string>()), record.dump());
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

}  // namespace
}  // namespace pivotlab::experiments::compare_test
