// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <experiments/engine/value.hpp>

#include <cmath>

namespace pivotlab::experiments::value_test {
namespace {

// Records are found by these keys: a change of the canonical form would orphan every record that exists.
TEST(CaseKey, NeverChanges) {
  const Case axes = {{"method", std::string("gsvd")},
                     {"n", std::int64_t{512}},
                     {"scale", 0.1},
                     {"sorting", true},
                     {"solver", std::string("DHZ0-(ME-FB-ME)")}};
  EXPECT_EQ(canonical_json(axes),
            "{\"method\":\"gsvd\",\"n\":512,\"scale\":0.1,\"solver\":\"DHZ0-(ME-FB-ME)\",\"sorting\":true}");
  EXPECT_EQ(case_key(axes), "629a8e5b8a5d82a30550e85301516c25");
  EXPECT_EQ(digest(""), "99aa06d3014798d86001c324468d497f");  // published test vector of XXH3-128
}

TEST(CanonicalJson, EscapesWhatJsonEscapes) {
  EXPECT_EQ(canonical_json({{"a", std::string("x\"y\\z\n")}}), R"({"a":"x\"y\\z\n"})");
}

TEST(CanonicalJson, WritesWholeNumbersAsIntegers) {
  EXPECT_EQ(case_key({{"x", 1000.0}}), case_key({{"x", std::int64_t{1000}}}));
  EXPECT_EQ(canonical_json({{"x", 1e-6}}), R"({"x":1e-06})");
}

RC_GTEST_PROP(Value, PrintAndParseAreInverses, (double x, std::int64_t i, bool b)) {
  RC_PRE(std::isfinite(x));
  const Value read = parse_value(to_string(x));
  RC_ASSERT(std::visit(
                [](const auto& v) -> double {
                  if constexpr (std::is_arithmetic_v<std::decay_t<decltype(v)>>)
                    return static_cast<double>(v);
                  else
                    return std::nan("");
                },
                read) == x);
  RC_ASSERT(parse_value(to_string(i)) == Value(i));
  RC_ASSERT(parse_value(to_string(b)) == Value(b));
}

TEST(ParseValue, TakesForTextWhatIsNoNumber) {
  for (const char* text : {"", "paper", "nan", "inf", "-inf", "1x", "0x10", "1 ", "TRUE"})
    EXPECT_EQ(parse_value(text), Value(std::string(text))) << text;
  EXPECT_EQ(parse_value("1e3"), Value(std::int64_t{1000}));
}

TEST(Matches, SupportsWildcards) {
  const Value solver = std::string("DHZ0-(ME-FB-ME)");
  for (const char* pattern : {"DHZ*", "*", "?HZ0-(ME-FB-ME)", "*-FB-*", "DHZ0-(ME-FB-ME)*", "*ME*ME*", "D*)"})
    EXPECT_TRUE(matches(solver, pattern)) << pattern;
  for (const char* pattern : {"", "DHZ", "ZHZ*", "*MM*", "?DHZ*", "*ME*ME*ME*"})
    EXPECT_FALSE(matches(solver, pattern)) << pattern;
  EXPECT_TRUE(matches(std::int64_t{512}, "5*"));
  EXPECT_FALSE(matches(std::int64_t{512}, "51"));
}

}  // namespace
}  // namespace pivotlab::experiments::value_test
