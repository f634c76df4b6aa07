// SPDX-License-Identifier: BSD-3-Clause
#include <tests/experiments/scratch.hpp>
// GoogleTest comes first.
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace pivotlab::experiments::plan_test {
namespace {

/// A non-empty selection of 1 … 5, in order.
rc::Gen<std::vector<Value>> integer_axis() {
  return rc::gen::map(rc::gen::inRange(1, 32), [](int selection) {
    std::vector<Value> values;
    for (std::int64_t x = 1; x <= 5; ++x)
      if ((selection >> (x - 1)) & 1) values.emplace_back(x);
    return values;
  });
}

std::vector<std::string> descriptions(const Plan& plan) {
  std::vector<std::string> result;
  for (const PlannedCase& planned : plan.cases)
    result.push_back(to_string(planned.axes.at("size")) + to_string(planned.axes.at("seed")) +
                     to_string(planned.axes.at("solver")));
  return result;
}

RC_GTEST_PROP(Plan, HasEveryCombinationOnceAndGroupsProblems, ()) {
  const auto sizes = *integer_axis(), seeds = *integer_axis(), threads = *integer_axis();
  const Plan plan = make_plan(fake_spec({{"threads", threads}, {"size", sizes}, {"seed", seeds}}), find_fake);
  RC_ASSERT(plan.cases.size() == sizes.size() * seeds.size() * threads.size());
  std::set<std::string> keys;
  std::set<std::size_t> finished_groups;
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const PlannedCase& planned = plan.cases[i];
    RC_ASSERT(keys.insert(planned.key).second);
    RC_ASSERT(planned.key == case_key(planned.axes));
    if (i > 0 && planned.group != plan.cases[i - 1].group) finished_groups.insert(plan.cases[i - 1].group);
    RC_ASSERT(!finished_groups.contains(planned.group));
    for (std::size_t j = 0; j < i; ++j)
      RC_ASSERT((plan.cases[j].group == planned.group) ==
                (fake_method().problem(plan.cases[j].axes) == fake_method().problem(planned.axes)));
  }
}

RC_GTEST_PROP(Plan, LeavesOutExactlyWhatIsExcluded, ()) {
  const auto sizes = *integer_axis(), seeds = *integer_axis();
  const std::int64_t size = *rc::gen::inRange(1, 6), seed = *rc::gen::inRange(1, 6);
  Spec spec = fake_spec({{"size", sizes}, {"seed", seeds}});
  const Plan all = make_plan(spec, find_fake);
  spec.exclude = {{{"size", size}, {"seed", seed}}};
  std::set<std::string> expected;
  for (const PlannedCase& planned : all.cases)
    if (!(planned.axes.at("size") == Value(size) && planned.axes.at("seed") == Value(seed)))
      expected.insert(planned.key);
  RC_PRE(!expected.empty());
  std::set<std::string> left;
  for (const PlannedCase& planned : make_plan(spec, find_fake).cases) left.insert(planned.key);
  RC_ASSERT(left == expected);
}

TEST(Plan, LetsTheLastAxisRunFastest) {
  const Plan plan = make_plan(
      fake_spec({{"size", integers({2, 1})}, {"seed", integers({3})}, {"solver", texts({"b", "a"})}}), find_fake);
  EXPECT_EQ(descriptions(plan), (std::vector<std::string>{"23b", "23a", "13b", "13a"}));
}

TEST(Plan, AdvancesZippedAxesTogether) {
  Spec spec = fake_spec({{"size", integers({1, 2})}, {"solver", texts({"a", "b"})}, {"seed", integers({7, 8})}});
  spec.zip = {{"seed", "size"}};
  // The problem (size, seed) is the slow digit; solvers follow.
  EXPECT_EQ(descriptions(make_plan(spec, find_fake)), (std::vector<std::string>{"17a", "17b", "28a", "28b"}));
}

TEST(Plan, ExcludesByPatterns) {
  Spec spec = fake_spec({{"size", integers({1, 2})}, {"solver", texts({"ab", "b", "ac"})}});
  spec.exclude = {{{"solver", std::string("a*")}, {"size", std::int64_t{2}}}};
  EXPECT_EQ(descriptions(make_plan(spec, find_fake)), (std::vector<std::string>{"11ab", "11b", "11ac", "21b"}));
}

TEST(Plan, DropsRepeatedCases) {
  EXPECT_EQ(make_plan(fake_spec({{"size", integers({1, 2, 1})}}), find_fake).cases.size(), 2u);
}

TEST(Plan, FillsInDefaults) {
  const Plan plan = make_plan(fake_spec({}), find_fake);
  ASSERT_EQ(plan.cases.size(), 1u);
  EXPECT_EQ(plan.spec.axes.size(), fake_method().axes().size());
  EXPECT_EQ(describe(plan.cases[0].axes), "method=fake problem=good scale=1 seed=1 size=8 solver=quick threads=1");
}

TEST(Plan, NamesTheAxisThatTheMethodRefuses) {
  EXPECT_EQ(input_error([] {
              make_plan(fake_spec({{"size", integers({0})}}), find_fake);
            }),
            "--size: must be positive");
}

TEST(Plan, RefusesToBeEmpty) {
  Spec spec = fake_spec({});
  spec.exclude = {{{"size", std::string("*")}}};
  EXPECT_EQ(input_error([&] { make_plan(spec, find_fake); }), "fake: exclude: leaves no case; loosen the exclusions");
}

std::vector<Value> first_integers(std::int64_t count) {
  std::vector<Value> values;
  for (std::int64_t x = 1; x <= count; ++x) values.emplace_back(x);
  return values;
}

TEST(Plan, IsBoundedBeforeAnythingIsCrossed) {
  // 2⁴⁸ cases, and 2⁶⁴, which is 0 in integers of 64 bits.
  constexpr std::int64_t many = 65'536;
  for (const auto& [last, count] : {std::pair(std::int64_t{1}, "281474976710656"), {many, "1.84e+19"}}) {
    const Spec spec = fake_spec({{"size", first_integers(many)},
                                 {"seed", first_integers(many)},
                                 {"threads", first_integers(many)},
                                 {"scale", first_integers(last)}});
    EXPECT_EQ(
        input_error([&] { make_plan(spec, find_fake); }),
        fmt::format("fake: axes: make {} cases, at most 1000000 are planned; take fewer values, or allow more with "
                    "--max-cases",
                    count));
  }
}

TEST(Plan, IsAsLargeAsItMayBe) {
  const Spec spec = fake_spec({{"size", first_integers(5)}, {"seed", first_integers(4)}});
  EXPECT_EQ(make_plan(spec, find_fake, 20).cases.size(), 20u);
  EXPECT_EQ(input_error([&] { make_plan(spec, find_fake, 19); }).substr(0, 52),
            "fake: axes: make 20 cases, at most 19 are planned; t");
}

TEST(Plan, CountsZippedAndFilteredAxes) {
  Spec spec = fake_spec({{"size", first_integers(6)}, {"seed", first_integers(6)}, {"threads", first_integers(4)}});
  spec.zip = {{"size", "seed"}};
  EXPECT_EQ(make_plan(spec, find_fake, 24).cases.size(), 24u);
  spec.exclude = {{{"size", std::int64_t{1}}, {"seed", std::string("*")}}, {{"threads", std::int64_t{4}}}};
  EXPECT_EQ(make_plan(spec, find_fake, 15).cases.size(), 15u);
  EXPECT_NE(input_error([&] { make_plan(spec, find_fake, 14); }).find("make 15 cases"), std::string::npos);
}

TEST(Filter, KeepsWhatMatchesEveryCondition) {
  const Spec spec = fake_spec({{"size", integers({1, 2, 3, 12})}, {"solver", texts({"a-(b, c)", "a", "d"})}});
  const auto filtered = [&](const std::vector<std::string>& filters) {
    Plan plan = make_plan(spec, find_fake);
    filter(plan, filters);
    return descriptions(plan);
  };
  using Descriptions = std::vector<std::string>;
  EXPECT_EQ(filtered({"size=2,solver=a*"}), (Descriptions{"21a-(b, c)", "21a"}));
  EXPECT_EQ(filtered({"size=2:3", "solver=d"}), (Descriptions{"21d", "31d"}));
  EXPECT_EQ(filtered({"size={1,12},solver=a-(b, c)"}), (Descriptions{"11a-(b, c)", "121a-(b, c)"}));
  EXPECT_EQ(input_error([&] { filtered({"solvr=a"}); }).substr(0, 64),
            "--filter: 'solvr=a': unknown axis 'solvr'; nearest: solver, scal");
  EXPECT_EQ(input_error([&] { filtered({"size"}); }),
            "--filter: 'size': is not a condition; write axis=pattern, for example n=512");
  EXPECT_EQ(input_error([&] { filtered({"size=5"}); }), "--filter: 'size=5': matches no case; loosen it");
}

TEST(PlanEstimate, CountsAProblemOnceAndAllSolutions) {
  Spec spec = fake_spec({{"size", integers({1, 2})}, {"solver", texts({"a", "b", "c"})}});
  spec.timing.warmup = 1;
  spec.timing.max_repeats = 2;
  const PlanEstimate total = estimate(make_plan(spec, find_fake));
  EXPECT_DOUBLE_EQ(total.seconds, 2 * 1 + 6 * (0.5 + 2 * 0.5 + 0.25));
  EXPECT_EQ(total.bytes, 1e6);
}

}  // namespace
}  // namespace pivotlab::experiments::plan_test
