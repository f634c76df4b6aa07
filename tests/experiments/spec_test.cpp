// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/spec.hpp>
#include <tests/experiments/scratch.hpp>

#include <limits>

namespace pivotlab::experiments::spec_test {
namespace {

Spec parse(const std::string& members, std::string_view scale = "paper") {
  return parse_spec(R"({"schema": "pivotlab/spec/1", "name": "t", "method": "fake", )" + members + "}", "t.json", scale,
                    find_fake);
}

std::string error_of(const std::string& members, std::string_view scale = "paper") {
  return input_error([&] { parse(members, scale); });
}

TEST(Spec, ExpandsRangesAndPatternsInTheOrderOfTheAxes) {
  const Spec spec = parse(R"("axes": {"size": ["64:256:64", 300], "seed": 7, "solver": ["{a,b}-{c,d}"]})");
  ASSERT_EQ(spec.axes.size(), 3u);
  EXPECT_EQ(spec.axes[0].name, "size");
  EXPECT_EQ(spec.axes[0].values, integers({64, 128, 192, 256, 300}));
  EXPECT_EQ(spec.axes[1].values, integers({7}));
  EXPECT_EQ(spec.axes[2].values, texts({"a-c", "a-d", "b-c", "b-d"}));
}

TEST(Spec, ReadsBackAsItWasWritten) {
  const Spec spec =
      parse(R"("title": "T", "source": "S", "published": "p", "report": {"tables": [{"kind": "cases", "title": "t"}]},
      "axes": {"solver": ["x", "y"], "size": [1, 2], "scale": [0.1]}, "zip": [["solver", "size"]],
      "exclude": [{"solver": "x*", "scale": 0.1}],
      "timing": {"warmup": 1, "min_repeats": 2, "max_repeats": 4, "relative_spread": 0.01, "budget_s": 3, "timeout_s": 9,
                 "interleave": true},
      "scales": {"quick": {"axes": {"size": [5, 6]}}})",
            "quick");
  EXPECT_EQ(spec.scale, "quick");
  EXPECT_EQ(spec.axes[1].values, integers({5, 6}));
  const std::string text = to_json(spec);
  EXPECT_EQ(to_json(parse_spec(text, "again", "paper", find_fake)), text);
}

TEST(Spec, ScalesReplaceAxesAndTiming) {
  const std::string members = R"("axes": {"size": [512], "seed": [1, 2]}, "exclude": [{"size": 512, "seed": 2}],
      "timing": {"budget_s": 60},
      "scales": {"quick": {"axes": {"size": [8, 16], "solver": ["quick"]}, "timing": {"max_repeats": 9}, "exclude": []}})";
  const Spec quick = parse(members, "quick");
  EXPECT_EQ(quick.axes[0].values, integers({8, 16}));
  EXPECT_EQ(quick.axes[1].values, integers({1, 2}));
  EXPECT_EQ(quick.axes[2].name, "solver");
  EXPECT_EQ(quick.timing.budget_s, 60);
  EXPECT_EQ(quick.timing.max_repeats, 9);
  EXPECT_TRUE(quick.exclude.empty());
  EXPECT_EQ(parse(members).exclude.size(), 1u);
}

TEST(Spec, NamesLineAndColumnOfASyntaxError) {
  const std::string message = input_error(
      [] { parse_spec("{\n  \"schema\": \"pivotlab/spec/1\",\n  \"name\" \"x\"\n}", "t.json", "paper", find_fake); });
  EXPECT_TRUE(message.starts_with("t.json:3:")) << message;
  EXPECT_NE(message.find("expected ':'"), std::string::npos) << message;
  EXPECT_TRUE(input_error([] { parse_spec("", "t.json", "paper", find_fake); }).starts_with("t.json:1:1: "));
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(Spec, RefusesDeepNestingWhereverItIs) {
  for (const std::size_t depth : {deepest_json + 1, std::size_t{100'000}}) {
    for (const std::string& members :
         {R"("axes": {"size": )" + nested(depth) + "}", R"("axes": {}, "title": )" + nested(depth),
          R"("axes": {}, "report": {"tables": )" + nested(depth) + "}", R"("axes": {}, "unknown": )" + nested(depth)}) {
      const std::string message = error_of(members);
      EXPECT_TRUE(message.starts_with("t.json:1:")) << message;
      EXPECT_NE(message.find("more than 100 objects and lists inside one another"), std::string::npos) << message;
    }
    const std::string objects = [&] {
      std::string text;
      for (std::size_t k = 0; k < depth; ++k) text += R"({"[\"":)";
      return text;
    }();
    EXPECT_NE(error_of(R"("axes": )" + objects).find("more than 100"), std::string::npos);
  }
  EXPECT_TRUE(
      error_of(R"("axes": {"size": )" + nested(50) + "}").starts_with("t.json: axes.size[0]: expected a number"));
}

TEST(Spec, RefusesWhatIsNoJsonInOneLineWithItsPlace) {
  const std::string head = R"({"schema": "pivotlab/spec/1", "name": "t", "method": "fake", "axes": {"scale": [)";
  const std::pair<std::string, const char*> texts[] = {
      {head + "1e999]}}", "t.json:1:85: number overflow parsing '1e999'; correct the JSON there"},
      {head + "-1e999]}}", "t.json:1:86: number overflow parsing '-1e999'; correct the JSON there"},
      {head + "1" + std::string(100'000, '0') + "]}}", "t.json:1:100081: number overflow parsing '1000"},
      {head + "\"\xff\"]}}",
       "t.json:1:82: syntax error while parsing value - invalid string: ill-formed UTF-8 byte; last read: '\"?'"},
      {head + "\xff]}}", "t.json:1:81: syntax error while parsing value - invalid literal; last read: '\"scale\": [?'"},
      {head + std::string(1, '\0') + "]}}", "t.json:1:81: syntax error while parsing value"},
      {head + "NaN]}}", "t.json:1:81: syntax error while parsing value - invalid literal"},
      {"", "t.json:1:1: is empty; JSON is expected"},
      {" \n", "t.json:1:1: is empty; JSON is expected"},
      {"\xEF\xBB\xBF{}", "t.json:1:1: begins with a byte order mark; save it as UTF-8 without one"},
      {"5", "t.json: expected an object {…}, found 5"},
      {"[" + std::string(100'000, ' ') + "\"" + std::string(100'000, 'x') + "\"]",
       "t.json: expected an object {…}, found [\"xxxx"},
  };
  for (const auto& [text, beginning] : texts) {
    const std::string message = input_error([&, &json = text] { parse_spec(json, "t.json", "paper", find_fake); });
    EXPECT_TRUE(message.starts_with(beginning)) << message.substr(0, 300);
    EXPECT_LT(message.size(), 250u);
  }
}

TEST(Spec, TakesNoIntegerBeyond64BitsForAnotherNumber) {
  for (const char* number : {"9223372036854775808", "18446744073709551615", "18446744073709551616", "1e30"})
    EXPECT_TRUE(error_of(fmt::format(R"("axes": {{"size": [{}]}})", number)).starts_with("t.json: axes.size[0]: '"))
        << number;
  EXPECT_EQ(parse(R"("axes": {"size": [9223372036854775807]})").axes[0].values,
            integers({std::numeric_limits<std::int64_t>::max()}));
}

TEST(Spec, RangesEndAtTheEndsOfTheIntegers) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max(),
                         first = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(expand_values("9223372036854775805:9223372036854775807"), integers({last - 2, last - 1, last}));
  EXPECT_EQ(expand_values("9223372036854775800:9223372036854775807:5"), integers({last - 7, last - 2}));
  EXPECT_EQ(expand_values("-9223372036854775806:-9223372036854775808:-1"), integers({first + 2, first + 1, first}));
  EXPECT_EQ(expand_values("0:-9223372036854775808:-9223372036854775808"), integers({0, first}));
  EXPECT_EQ(expand_values("-9223372036854775808:9223372036854775807:9223372036854775807"),
            integers({first, -1, last - 1}));
  for (const char* range : {"-9223372036854775808:9223372036854775807", "9223372036854775807:-9223372036854775808:-1",
                            "0:9223372036854775807:1", "0:1000000"})
    EXPECT_NE(input_error([&] { expand_values(range); }).find("more than 1000000 values"), std::string::npos) << range;
  EXPECT_EQ(expand_values("1:1000000").size(), 1'000'000u);
}

TEST(Spec, RangesOfDecimalsAreExactAndHaveAStep) {
  EXPECT_EQ(expand_values("0.1:0.3:0.1"), (std::vector<Value>{0.1, 0.2, 0.3}));
  EXPECT_EQ(expand_values("1:0:-0.25"), (std::vector<Value>{std::int64_t{1}, 0.75, 0.5, 0.25, std::int64_t{0}}));
  EXPECT_EQ(parse(R"("axes": {"scale": ["-0.5:0.5:0.5"]})").axes[0].values,
            (std::vector<Value>{-0.5, std::int64_t{0}, 0.5}));
  for (const char* range : {"0.1:0.9", "1:2.5", "0.5:1", "-0.5:0.5"})
    EXPECT_NE(input_error([&] { expand_values(range); }).find("a range of decimals needs a step"), std::string::npos);
  for (const char* range : {"0.1:0.9:0", "0.1:0.9:-0.1", "0.1:0.2:0.3:0.4", "0.1::0.2", "0..1:2:1", "0.:1:1"})
    EXPECT_NE(input_error([&] { expand_values(range); }).find("range '"), std::string::npos) << range;
  EXPECT_NE(error_of(R"("axes": {"size": ["0.5:2.5:1"]})").find("is not an integer"), std::string::npos);
}

TEST(Spec, AnAxisHasAMillionValuesAtMost) {
  EXPECT_NE(error_of(R"("axes": {"size": ["1:600000", "1:600000"]})").find("axes.size[1]: "), std::string::npos);
}

TEST(Spec, ChecksTheScalesThatAreNotApplied) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"axes": {"sise": [1]}})", "t.json: scales.quick.axes.sise: method fake has no axis 'sise'; nearest: size"},
      {R"({"axes": {"size": ["big"]}})", "t.json: scales.quick.axes.size[0]: 'big' is not an integer"},
      {R"({"timing": {"warmup": "x"}})", "t.json: scales.quick.timing.warmup: expected an integer, found \"x\""},
      {R"({"zip": [["size"]]})", "t.json: scales.quick: zip: a group needs two axes"},
      {R"({"exclude": [{"sed": 1}]})", "t.json: scales.quick: exclude: method fake has no axis 'sed'; nearest: seed"},
  };
  for (const auto& [scale, beginning] : mistakes) {
    const std::string message = error_of(fmt::format(R"("axes": {{"size": [1]}}, "scales": {{"quick": {}}})", scale));
    EXPECT_TRUE(message.starts_with(beginning)) << message;
  }
}

TEST(Spec, NamesThePlaceAndTheNearestNameOfAMistake) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"("axes": {"sise": [1]})", "t.json: axes.sise: method fake has no axis 'sise'; nearest: size"},
      {R"("axes": {"size": [1]}, "timeing": {})", "t.json: unknown key 'timeing'; nearest: timing"},
      {R"("axes": {"size": [1]}, "timing": {"budget": 1})", "t.json: timing: unknown key 'budget'; nearest: budget_s"},
      {R"("axes": {"size": ["big"]})", "t.json: axes.size[0]: 'big' is not an integer"},
      {R"("axes": {"size": [0.5]})", "t.json: axes.size[0]: '0.5' is not an integer"},
      {R"("axes": {"solver": [1]})", "t.json: axes.solver[0]: '1' is not a text"},
      {R"("axes": {"size": []})", "t.json: axes.size: an axis needs at least one value"},
      {R"("axes": {"size": ["9:1"]})", "t.json: axes.size[0]: range '9:1': the step 1 does not lead from 9 to 1"},
      {R"("axes": {"size": ["1:9:0"]})", "t.json: axes.size[0]: range '1:9:0': the step 0 does not lead"},
      {R"("axes": {"size": ["1:2:3:4"]})", "t.json: axes.size[0]: range '1:2:3:4': has more than three numbers"},
      {R"("axes": {"size": ["1:9999999999"]})", "t.json: axes.size[0]: range '1:9999999999': has more than"},
      {R"("axes": {"size": ["1:99999999999999999999"]})", "t.json: axes.size[0]: range"},
      {R"("axes": {"solver": ["a{b"]})", "t.json: axes.solver[0]: "},
      {R"("axes": {"size": [{}]})", "t.json: axes.size[0]: expected a number, a text, true or false, found {}"},
      {R"("axes": {"size": [1], "size": [2]})", "t.json: key \"size\" occurs twice"},
      {R"("axes": {"size": [1], "seed": [1, 2]}, "zip": [["size", "seed"]])", "t.json: zip: axis 'seed' has 2 values"},
      {R"("axes": {"size": [1]}, "zip": [["size", "seed"]])", "t.json: zip: axis 'seed' has no values"},
      {R"("axes": {"size": [1]}, "zip": [["size"]])", "t.json: zip: a group needs two axes"},
      {R"("axes": {"size": [1]}, "exclude": [{"sed": 1}])",
       "t.json: exclude: method fake has no axis 'sed'; nearest: seed"},
      {R"("axes": {"size": [1]}, "timing": {"min_repeats": 0})", "t.json: timing.min_repeats: is 0"},
      {R"("axes": {"size": [1]}, "timing": {"min_repeats": 5})", "t.json: timing.max_repeats: is 3"},
      {R"("axes": {"size": [1]}, "timing": {"budget_s": -1})", "t.json: timing.budget_s: is -1"},
      {R"("axes": {"size": [1]}, "timing": {"warmup": "x"})",
       "t.json: timing.warmup: expected an integer, found \"x\""},
      {R"("axes": {"size": [1]}, "scales": {"quick": {"axis": {}}})",
       "t.json: scales.quick: unknown key 'axis'; nearest: axes"},
      {R"("axes": [])", "t.json: axes: expected an object {…}, found []"},
      {R"("axes": {}, "report": [])", "t.json: report: expected an object {…}, found []"},
      {R"("axes": {}, "report": {"table": []})", "t.json: report: unknown key 'table'; nearest: tables"},
      {R"("axes": {}, "report": {"tables": {}})", "t.json: report.tables: expected a list […], found {}"},
      {R"("axes": {}, "report": {"figures": [{"title": "t"}]})", "t.json: report.figures[0]: key 'kind' is missing"},
      {R"("axes": {}, "report": {"expect_incorrect": 1})", "t.json: report.expect_incorrect: expected true or false"},
      {R"("axes": {}, "report": {"expect_defeats": [1]})",
       "t.json: report.expect_defeats[0]: expected a text, found 1"},
  };
  for (const auto& [members, beginning] : mistakes) {
    const std::string message = error_of(members);
    EXPECT_TRUE(message.starts_with(beginning)) << message;
  }
  EXPECT_EQ(error_of(R"("axes": {}, "scales": {"quick": {}})", "quik"),
            "t.json: unknown scale 'quik'; known: paper, quick");
}

TEST(Spec, RefusesNamesThatAreNoFolders) {
  for (const char* name : {"", "..", ".hidden", "a/b", "a b", "ä"}) {
    Spec spec = fake_spec({});
    spec.name = name;
    EXPECT_FALSE(input_error([&] { validate(spec, find_fake); }).empty()) << name;
  }
}

TEST(Spec, RefusesAnotherSchemaAndMissingKeys) {
  EXPECT_EQ(input_error([] { parse_spec(R"({"schema": "pivotlab/spec/1"})", "t.json", "paper", find_fake); }),
            "t.json: key 'name' is missing; add it");
  EXPECT_TRUE(input_error([] {
                parse_spec(R"({"schema": "x", "name": "n", "method": "fake", "axes": {}})", "t.json", "paper",
                           find_fake);
              }).starts_with("t.json: schema: expected \"pivotlab/spec/1\", found \"x\""));
}

TEST(Spec, NamesAFileThatCannotBeRead) {
  EXPECT_TRUE(input_error([] {
                read_spec("no/such.json", "paper", find_fake);
              }).starts_with("no/such.json: cannot be read (No such file"));
  EXPECT_TRUE(input_error([] { read_spec(".", "paper", find_fake); }).starts_with(".: is a folder"));
}

}  // namespace
}  // namespace pivotlab::experiments::spec_test
