// SPDX-License-Identifier: BSD-3-Clause
// Two builds whose samples are taken in turn, and the comparison of the pairs.
#include <experiments/engine/compare.hpp>
#include <experiments/engine/record.hpp>
#include <tests/experiments/scratch.hpp>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

namespace pivotlab::experiments::in_pairs_test {
namespace {

using nlohmann::json;

TEST(RatioOfPairs, IsTheMedianOfTheRatiosBetweenOrderStatistics) {
  const std::vector<double> a(8, 2), b = {2.2, 2, 2.4, 2.6, 1, 2.8, 3, 200};
  const RatioEstimate estimate = ratio_of_pairs(a, b, {}, 0.9);
  EXPECT_NEAR(estimate.ratio, std::sqrt(1.2 * 1.3), 1e-12);
  EXPECT_NEAR(estimate.lower, 1, 1e-12);  // the second of eight
  EXPECT_NEAR(estimate.upper, 1.5, 1e-12);
  EXPECT_NEAR(estimate.confidence, 1 - 2 * 9.0 / 256, 1e-12);
  EXPECT_EQ(ratio_of_pairs(a, {1, 2}, {}, 0.9).confidence, 0);
}

TEST(RatioOfPairs, OfPassesIsThatOfTheirMedians) {
  const std::vector<double> a(9, 1), b = {1, 2, 9, 3, 3, 3, 5, 4, 4};
  const RatioEstimate estimate = ratio_of_pairs(a, b, {3, 3, 3}, 0.9);
  EXPECT_NEAR(estimate.ratio, 3, 1e-12);
  EXPECT_NEAR(estimate.lower, 2, 1e-12);
  EXPECT_NEAR(estimate.upper, 4, 1e-12);
  EXPECT_NEAR(estimate.confidence, 0.75, 1e-12);  // the range of three
}

TEST(PairsPValue, IsThatOfTheSignTest) {
  const std::vector<double> a(5, 1);
  EXPECT_NEAR(pairs_p_value(a, {2, 2, 2, 2, 2}), 2.0 / 32, 1e-12);
  EXPECT_NEAR(pairs_p_value(a, {2, 2, 0.5, 2, 2}), 2.0 * 6 / 32, 1e-12);
  EXPECT_NEAR(pairs_p_value(a, a), 1, 1e-12);
  EXPECT_EQ(pairs_p_value(a, {2}), 1);
}

/// Cases of two builds as measured on two cores that ten other tasks want: the state of the machine, which both samples
/// of a pair see, changes samples by tens of percent; a sample has noise of its own; processes differ, some by much:
/// medians of passes differ from 1 by more than 2 % in 14 %, and by more than 5 % in 2 % of passes.
class SimulatedPairs : public testing::Test {
 protected:
  struct Shares {
    double false_alarms = 0, found = 0;
  };
  /// Returns the shares of comparisons with a regression other than in the first case, if that is slower on purpose,
  /// and with a slower first case.
  Shares shares(int cases, int comparisons, double first, double process_noise = 0.005) {
    CompareOptions options;
    options.threshold = 0.02;
    options.pairs = true;
    Shares shares;
    for (int k = 0; k < comparisons; ++k) {
      std::vector<Side> a, b;
      for (int one = 0; one < cases; ++one) add_case(one, one == 0 ? first : 1, process_noise, a, b);
      const ComparisonSet set = compare(a, b, options);
      const bool found = set.pairs[0].verdict == Verdict::slower;
      const std::size_t meant = found && first > 1 ? 1 : 0;
      shares.false_alarms += set.regressions() > meant ? 1.0 / comparisons : 0;
      shares.found += found ? 1.0 / comparisons : 0;
    }
    return shares;
  }

 private:
  void add_case(int number, double factor, double process_noise, std::vector<Side>& a, std::vector<Side>& b) {
    std::lognormal_distribution<double> sample(0, 0.025), process(0, process_noise), odd_process(0, 0.03);
    std::exponential_distribution<double> other_work(5);
    const Side empty{{{"size", std::int64_t{number}}}, std::to_string(number), "passed", 0, {}, {}};
    Side of_a = empty, of_b = empty;
    for (int pass = 0; pass < passes_in_pairs; ++pass) {
      const double build_a = process(random_),
                   build_b = factor * (random_() % 7 == 0 ? odd_process(random_) : process(random_));
      double state = 1 + other_work(random_);
      for (int pair = 0; pair < 30; ++pair) {
        if (random_() % 10 == 0) state = 1 + other_work(random_);
        of_a.samples.push_back(1e-3 * build_a * state * sample(random_) * hiccup());
        of_b.samples.push_back(1e-3 * build_b * state * sample(random_) * hiccup());
      }
      of_a.pass_sizes.push_back(30), of_b.pass_sizes.push_back(30);
      of_a.passes.push_back(build_a), of_b.passes.push_back(build_b);
    }
    a.push_back(of_a), b.push_back(of_b);
  }
  double hiccup() { return random_() % 20 == 0 ? 3 : 1; }

  std::mt19937 random_{1};
};

TEST_F(SimulatedPairs, OfEqualBuildsShowARegressionInOnePercentAndOfASlowerOneShowIt) {
  for (const int cases : {1, 3, 9}) {
    double all = 0;
    for (const double process_noise : {0.005, 0.01, 0.03}) {
      const double found = shares(cases, 1000, 1, process_noise).false_alarms;
      EXPECT_LE(found, 0.016) << process_noise;  // 1 %, and two standard deviations of 1000 comparisons
      all += found / 3;
    }
    EXPECT_LE(all, 0.01) << cases;
    const Shares slower = shares(cases, 300, 1.05);
    EXPECT_GE(slower.found, 0.9) << cases;
    EXPECT_LE(slower.false_alarms, 0.01) << cases;
  }
}

class InPairs : public testing::Test {
 protected:
  InPairs() {
    options_.out = scratch_.path();
    options_.plan = PlanOfFolder::grows;
    options_.beside = fake_worker();
    spec_.timing = {.min_repeats = 5, .max_repeats = 6, .until = 0.01, .budget_s = 0};
  }
  RunSummary execute() { return run_quietly(make_plan(spec_, find_fake), options_); }
  json record_of(const char* solver) const {
    for (const json& record : read_records(run_directory(options_.out, spec_)))
      if (record["case"]["solver"] == solver) return record;
    return {};
  }

  const ScratchFolder scratch_;
  RunOptions options_;
  Spec spec_ = fake_spec({{"size", integers({1, 2, 3, 4, 5})}});
};

TEST_F(InPairs, ShowWhichBuildIsFaster) {
  options_.beside = "env PIVOTLAB_FAKE_SLOWED=3 " + fake_worker();
  const RunSummary summary = execute();
  for (const json& record : read_records(summary.directory)) {
    EXPECT_EQ(find_defect(record), std::nullopt);
    EXPECT_EQ(record["time"]["passes"], json(std::vector<int>(passes_in_pairs, 5)));
    EXPECT_EQ(record["beside"]["time"]["passes"], record["time"]["passes"]);
    EXPECT_EQ(record["beside"]["status"], "passed");
    EXPECT_EQ(record["beside"]["metrics"], record["metrics"]);
    for (const char* member : {"version", "commit", "clean"})
      EXPECT_EQ(record["beside"][member], record["provenance"][member]);
  }
  CompareOptions options;
  options.threshold = 0.02;
  const ComparisonSet set = compare_pairs(summary.directory, options);
  ASSERT_EQ(set.pairs.size(), 5u);
  for (const Comparison& pair : set.pairs) {
    const bool is_slowed = pair.a.axes.at("size") == Value(std::int64_t{3});
    EXPECT_EQ(pair.verdict, is_slowed ? Verdict::faster : Verdict::same);
    EXPECT_NEAR(pair.ratio.ratio, is_slowed ? 1 / 1.05 : 1, 1e-12);
  }
}

TEST_F(InPairs, SurviveTheEndOfEitherBuild) {
  spec_ = fake_spec({{"size", integers({1})}, {"solver", texts({"quick", "crashes", "noisy", "incorrect"})}});
  EXPECT_EQ(execute().statuses, (std::map<std::string, std::size_t>{{"passed", 2}, {"failed", 1}, {"incorrect", 1}}));
  EXPECT_EQ(record_of("crashes")["message"], "the worker process was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(record_of("incorrect")["beside"]["status"], "incorrect");

  options_.fresh = true;
  options_.beside = "sh -c 'exit 3'";
  EXPECT_EQ(execute().statuses, (std::map<std::string, std::size_t>{{"passed", 2}, {"failed", 1}, {"incorrect", 1}}));
  for (const char* solver : {"quick", "noisy"}) {
    EXPECT_EQ(record_of(solver)["beside"]["status"], "failed");
    EXPECT_EQ(record_of(solver)["beside"]["message"], "the command that started the worker ended with exit status 3");
    EXPECT_EQ(find_defect(record_of(solver)), std::nullopt);
  }
  EXPECT_EQ(compare_pairs(run_directory(options_.out, spec_)).pairs.at(0).why, "A did not pass");
}

TEST_F(InPairs, AreNotMixedWithOtherSamples) {
  spec_.axes = {{"size", integers({1})}};
  execute();
  options_.beside.clear();
  EXPECT_NE(input_error([&] { execute(); }).find("--beside: has samples with another build"), std::string::npos);
  spec_.name = "alone";
  const RunSummary alone = execute();
  EXPECT_NE(input_error([&] { compare_pairs(alone.directory); }).find("no other build was measured"),
            std::string::npos);
  options_.beside = fake_worker();
  EXPECT_NE(input_error([&] { execute(); }).find("--beside: has samples without another build"), std::string::npos);
}

}  // namespace
}  // namespace pivotlab::experiments::in_pairs_test
