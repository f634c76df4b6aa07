// SPDX-License-Identifier: BSD-3-Clause
// Names of variants: parse and print are inverses, and invalid names are refused with the nearest names.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>
#include <variants/names.hpp>

#include <algorithm>
#include <cctype>
#include <set>

namespace rc {

template <>
struct Arbitrary<pivotlab::NamedGsvdVariant> {
  static Gen<pivotlab::NamedGsvdVariant> arbitrary() {
    using namespace pivotlab;
    const auto strategy = gen::element(Strategy::ME, Strategy::MM, Strategy::RR);
    const auto named = gen::build<NamedGsvdVariant>(
        gen::set(&NamedGsvdVariant::type, gen::element(ScalarType::d, ScalarType::z)),
        gen::set(&NamedGsvdVariant::variant,
                 gen::build<GsvdVariant>(
                     gen::set(&GsvdVariant::enhanced_dots), gen::set(&GsvdVariant::prescaled),
                     gen::set(&GsvdVariant::criterion, gen::element(Criterion::C1, Criterion::C2)),
                     gen::set(&GsvdVariant::outer, strategy),
                     gen::set(&GsvdVariant::blocking, gen::element(Blocking::FB, Blocking::BO)),
                     gen::set(&GsvdVariant::inner, strategy),
                     gen::set(&GsvdVariant::width, gen::map(gen::inRange(1, 65), [](int half) { return 2 * half; })),
                     gen::set(&GsvdVariant::sorting), gen::set(&GsvdVariant::mixed),
                     gen::set(&GsvdVariant::factor,
                              gen::element(TileFactor::cholesky, TileFactor::pivoted, TileFactor::qr)))));
    return gen::map(named, [](NamedGsvdVariant result) {
      if (result.variant.factor != TileFactor::cholesky) result.variant.mixed = false;
      return result;
    });
  }
};

}  // namespace rc

namespace pivotlab::variant_test {

void showValue(const NamedGsvdVariant& named, std::ostream& out) {
  out << to_string(named.variant, named.type);
}

namespace {

std::string message_of(const std::string& name) {
  try {
    parse_gsvd_variant(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string expansion_message(const std::string& pattern) {
  try {
    expand_pattern(pattern);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

RC_GTEST_PROP(VariantName, ParseInvertsPrint, (const NamedGsvdVariant& named)) {
  RC_ASSERT(parse_gsvd_variant(to_string(named.variant, named.type)) == named);
}

RC_GTEST_PROP(VariantName, ParsesWhateverTheCase, (const NamedGsvdVariant& named)) {
  std::string name = to_string(named.variant, named.type);
  for (char& c : name)
    if (*rc::gen::arbitrary<bool>()) c = static_cast<char>(std::isupper(c) ? std::tolower(c) : std::toupper(c));
  RC_ASSERT(parse_gsvd_variant(name) == named);
}

RC_GTEST_PROP(VariantName, ParsesOptionsInAnyOrderAndDefaultsWritten, (const NamedGsvdVariant& named)) {
  const GsvdVariant& variant = named.variant;
  std::vector<std::string> options{"w=" + std::to_string(variant.width),
                                   std::string("sort=").append(variant.sorting ? "on" : "off"),
                                   std::string("factor=").append(to_string(variant.factor))};
  if (variant.mixed) options.emplace_back("mixed");
  const std::string canonical = to_string(variant, named.type);
  std::string name = canonical.substr(0, canonical.find(';'));
  std::ranges::sort(options);
  for (int skip = *rc::gen::inRange(0, 6); skip > 0; --skip) std::ranges::next_permutation(options);
  for (const std::string& option : options) name.append(";").append(option);
  RC_ASSERT(parse_gsvd_variant(name) == named);
}

RC_GTEST_PROP(VariantName, AnyOtherTextIsRefusedInOneLine, (const NamedGsvdVariant& named)) {
  // One character of a name replaced: either that is a name again, which prints back, or an error of one line.
  std::string name = to_string(named.variant, named.type);
  name[*rc::gen::inRange<std::size_t>(0, name.size())] = *rc::gen::inRange<char>(' ', '~');
  try {
    const NamedGsvdVariant parsed = parse_gsvd_variant(name);
    RC_ASSERT(parse_gsvd_variant(to_string(parsed.variant, parsed.type)) == parsed);
  } catch (const InputError& error) {
    const std::string text = error.what();
    RC_ASSERT(text.find('\n') == std::string::npos);
    RC_ASSERT(text.find(name) != std::string::npos);
    RC_ASSERT(text.find("; ") != std::string::npos);
  }
}

TEST(VariantName, PrintsDefaultsWithoutOptions) {
  EXPECT_EQ(to_string(GsvdVariant{}, ScalarType::d), "DHZ0-(ME-FB-ME)");
  EXPECT_EQ(parse_gsvd_variant("DHZ0-(ME-FB-ME)"), (NamedGsvdVariant{ScalarType::d, GsvdVariant{}}));
}

TEST(VariantName, PrintsOptionsInCanonicalOrder) {
  const auto named = parse_gsvd_variant("zhz5-(mm-bo-rr);factor=qr;sort=off;w=32");
  EXPECT_EQ(named, (NamedGsvdVariant{ScalarType::z,
                                     {.enhanced_dots = true,
                                      .criterion = Criterion::C2,
                                      .outer = Strategy::MM,
                                      .blocking = Blocking::BO,
                                      .inner = Strategy::RR,
                                      .width = 32,
                                      .sorting = false,
                                      .factor = TileFactor::qr}}));
  EXPECT_EQ(to_string(named.variant, named.type), "ZHZ5-(MM-BO-RR);w=32;sort=off;factor=qr");
}

TEST(VariantName, ErrorNamesThePlaceAndTheNearestNames) {
  EXPECT_EQ(message_of("DHZ9-(ME-FB-ME)"),
            "variant 'DHZ9-(ME-FB-ME)': at '9-(ME-FB-ME)': no such variant; "
            "nearest: DHZ7-(ME-FB-ME), DHZ6-(ME-FB-ME), DHZ5-(ME-FB-ME)");
  EXPECT_EQ(message_of("DHZ3-(EM-FB-RR);w=8"),
            "variant 'DHZ3-(EM-FB-RR);w=8': at 'EM-FB-RR)': no such variant; "
            "nearest: DHZ3-(ME-FB-RR), DHZ3-(MM-FB-RR), DHZ2-(ME-FB-RR)");
  EXPECT_EQ(message_of("DHZ0"),
            "variant 'DHZ0': at its end: no such variant; "
            "nearest: DHZ0-(ME-FB-ME), DHZ0-(ME-FB-MM), DHZ0-(ME-FB-RR)");
  EXPECT_EQ(message_of("DHZ0-(ME-FB-ME);w=17"),
            "variant 'DHZ0-(ME-FB-ME);w=17': option 'w=17': no such value; there are w=2, 4, …, 128; "
            "nearest: w=16, w=18, w=26");
  EXPECT_EQ(message_of("DHZ0-(ME-FB-ME);w=8;w=8"),
            "variant 'DHZ0-(ME-FB-ME);w=8;w=8': option 'w=8': w is given twice; keep one of them");
}

TEST(VariantName, RefusesWhatIsNoExactName) {
  for (const std::string name : {"",
                                 ";",
                                 "DHZ0-(ME-FB-ME);",
                                 " DHZ0-(ME-FB-ME)",
                                 "DHZ0-(ME-FB-ME) ",
                                 "DHZ0-(ME-FB-ME); w=8",
                                 "DHZ0-(ME,FB,ME)",
                                 "DHZ00-(ME-FB-ME)",
                                 "DHZ-1-(ME-FB-ME)",
                                 "SHZ0-(ME-FB-ME)",
                                 "DHZ0-(ME-FB-ME);w=0",
                                 "DHZ0-(ME-FB-ME);w=130",
                                 "DHZ0-(ME-FB-ME);w=-2",
                                 "DHZ0-(ME-FB-ME);w=",
                                 "DHZ0-(ME-FB-ME);w",
                                 "DHZ0-(ME-FB-ME);w=016",
                                 "DHZ0-(ME-FB-ME);sort=yes",
                                 "DHZ0-(ME-FB-ME);factor=lu",
                                 "DHZ0-(ME-FB-ME);;w=8",
                                 "DHZ0-(ME-FB-ME);factor=qr;mixed",
                                 "DHZ0-(ME-FB-ME);mixed=on",
                                 "DHZ0-(ME-BO, ME-FB-ME);mixed",
                                 "DHZ{0..7}-(ME-FB-ME)"})
    EXPECT_THROW(parse_gsvd_variant(name), InputError) << name;
}

TEST(BackendName, ParseInvertsPrintAndOthersAreRefused) {
  for (const Backend backend : {Backend::host, Backend::emulation, Backend::cuda})
    EXPECT_EQ(parse_backend(to_string(backend)), backend);
  EXPECT_EQ(parse_backend("CUDA"), Backend::cuda);
  EXPECT_THROW(parse_backend("gpu"), InputError);
}

TEST(Describe, TellsTheIdsOfEachScalarTypeApart) {
  for (const ScalarType type : {ScalarType::d, ScalarType::z}) {
    std::set<std::string> sentences;
    for (int id = 0; id < 8; ++id) sentences.insert(describe(id, type));
    EXPECT_EQ(sentences.size(), 8u);
  }
  EXPECT_EQ(describe(0, ScalarType::d),
            "Convergence by C1 (cos φ/t = cos ψ/t = 1), columns of G prescaled to unit norm, ordinary dot products.");
  EXPECT_EQ(describe(7, ScalarType::d),
            "Convergence by C2 (cos φ = cos ψ = 1), columns of G not scaled, enhanced dot products.");
  EXPECT_NE(describe(7, ScalarType::z), describe(7, ScalarType::d));
  EXPECT_EQ(describe(6, ScalarType::z), describe(6, ScalarType::d));
  EXPECT_THROW(describe(8, ScalarType::d), InputError);
  EXPECT_THROW(describe(-1, ScalarType::z), InputError);
}

TEST(GsvdVariant, IdOfTableOneStandsForThreeChoices) {
  for (int id = 0; id < 8; ++id) EXPECT_EQ(GsvdVariant{.width = 8}.with_id(id).id(), id);
  EXPECT_EQ(GsvdVariant{.width = 8}.with_id(5),
            (GsvdVariant{.enhanced_dots = true, .criterion = Criterion::C2, .width = 8}));
  EXPECT_EQ(GsvdVariant{}.with_id(2), GsvdVariant{.prescaled = false});
  EXPECT_THROW(GsvdVariant{}.with_id(8), InputError);
  EXPECT_THROW(GsvdVariant{}.with_id(-1), InputError);
}

TEST(GsvdVariant, SweepHasAQuestionMarkForTheType) {
  EXPECT_EQ(gsvd_names().sweep({{"id", "0:7:7"}, {"outer", "{me,mm}"}, {"width", "16,32"}, {"sorting", "off"}}),
            (std::vector<std::string>{"?HZ0-(ME-FB-ME);sort=off", "?HZ0-(ME-FB-ME);w=32;sort=off",
                                      "?HZ0-(MM-FB-ME);sort=off", "?HZ0-(MM-FB-ME);w=32;sort=off",
                                      "?HZ7-(ME-FB-ME);sort=off", "?HZ7-(ME-FB-ME);w=32;sort=off",
                                      "?HZ7-(MM-FB-ME);sort=off", "?HZ7-(MM-FB-ME);w=32;sort=off"}));
  EXPECT_EQ(gsvd_names().sweep({}), std::vector<std::string>{"?HZ0-(ME-FB-ME)"});
  EXPECT_THROW(gsvd_names().sweep({{"width", "7"}}), InputError);
}

TEST(GsvdVariant, ListsTheIdsOfBothTypes) {
  const auto listed = gsvd_names().listed();
  ASSERT_EQ(listed.size(), 16u);
  EXPECT_EQ(listed[3].name, "DHZ3-(ME-FB-ME)");
  EXPECT_EQ(listed[3].summary, describe(3, ScalarType::d));
  EXPECT_EQ(listed[9].name, "ZHZ1-(ME-FB-ME)");
  EXPECT_EQ(listed[9].summary, describe(1, ScalarType::z));
}

TEST(ExpandPattern, VariesTheLeftmostGroupSlowest) {
  EXPECT_EQ(expand_pattern("DHZ{0..1}-({ME,MM}-FB-ME);w={16,32}"),
            (std::vector<std::string>{"DHZ0-(ME-FB-ME);w=16", "DHZ0-(ME-FB-ME);w=32", "DHZ0-(MM-FB-ME);w=16",
                                      "DHZ0-(MM-FB-ME);w=32", "DHZ1-(ME-FB-ME);w=16", "DHZ1-(ME-FB-ME);w=32",
                                      "DHZ1-(MM-FB-ME);w=16", "DHZ1-(MM-FB-ME);w=32"}));
  EXPECT_EQ(expand_pattern("DHZ{0..7}-({ME,MM}-FB-ME);w={16,32}").size(), 32u);
}

TEST(ExpandPattern, ExpandsEveryVariantOfTableOneToAValidName) {
  const auto names = expand_pattern("{D,Z}HZ{0..7}-({ME,MM,RR}-{FB,BO}-{ME,MM,RR})");
  EXPECT_EQ(names.size(), 288u);
  for (const std::string& name : names) {
    const auto [type, variant] = parse_gsvd_variant(name);
    EXPECT_EQ(to_string(variant, type), name);
  }
}

TEST(ExpandPattern, GivesTextWithoutBracesItself) {
  EXPECT_EQ(expand_pattern("lapack:dggsvd3"), std::vector<std::string>{"lapack:dggsvd3"});
  EXPECT_EQ(expand_pattern(""), std::vector<std::string>{""});
}

TEST(ExpandPattern, MixesRangesStepsAndEmptyAlternatives) {
  EXPECT_EQ(expand_pattern("w={2..9..3,64}"), (std::vector<std::string>{"w=2", "w=5", "w=8", "w=64"}));
  EXPECT_EQ(expand_pattern("a{,;w=8}"), (std::vector<std::string>{"a", "a;w=8"}));
  EXPECT_EQ(expand_pattern("1e{-1..1}"), (std::vector<std::string>{"1e-1", "1e0", "1e1"}));
  EXPECT_EQ(expand_pattern("{1..0..-0.5}"), (std::vector<std::string>{"1", "0.5", "0"}));
}

TEST(ExpandPattern, RefusesUnbalancedNestedEmptyAndEndlessGroups) {
  EXPECT_EQ(expansion_message("DHZ{0..7-(ME-FB-ME)"),
            "pattern 'DHZ{0..7-(ME-FB-ME)': character 4: '{' without '}'; close the group");
  for (const std::string pattern : {"a}", "{", "{a", "a{}", "{a{b}}", "{3..1}", "{a..c}", "{1..}", "{..2}", "{1..5..0}",
                                    "{1..2..3..4}", "{0..99999999999}", "{0..2147483647}", "{-3..-4}", "{--1..1}",
                                    "{0..999}{0..999}{0..999}{0..999}{0..999}{0..999}{0..999}"})
    EXPECT_THROW(expand_pattern(pattern), InputError) << pattern;
}

TEST(ExpandList, ExpandsItemsRangesAndPatterns) {
  EXPECT_EQ(expand_list("64,16:32:8"), (std::vector<std::string>{"64", "16", "24", "32"}));
  EXPECT_EQ(expand_list("2:0:-1,-1:1"), (std::vector<std::string>{"2", "1", "0", "-1", "0", "1"}));
  EXPECT_EQ(expand_list("0.01:0.99:0.49,a0"), (std::vector<std::string>{"0.01", "0.5", "0.99", "a0"}));
  EXPECT_EQ(expand_list("ZHZ0-(ME-BO, ME-FB-ME),DHZ{0,1}"),
            (std::vector<std::string>{"ZHZ0-(ME-BO, ME-FB-ME)", "DHZ0", "DHZ1"}));
  EXPECT_EQ(expand_list("lapack:dsytrf"), std::vector<std::string>{"lapack:dsytrf"});
}

TEST(ExpandList, RefusesEmptyItemsAndRangesWithoutValues) {
  for (const std::string list : {"", "a,", ",a", "a,,b", "1:", ":1", "1:2:0", "2:1", "1:2:-1", "1:2:3:4",
                                 "0:2147483647", "1:99999999999", "1.:2", ".5:1:0.5", "-.5:1:0.5", "0:-:1", "{a"})
    EXPECT_THROW(expand_list(list), InputError) << list;
}

TEST(Nearest, RanksByEditDistanceAndKeepsTheOrderOfTies) {
  const std::vector<std::string> names{"uniform", "geometric", "clustered", "uniforms"};
  EXPECT_EQ(nearest("unifrom", names), (std::vector<std::string>{"uniform", "uniforms", "clustered"}));
  EXPECT_EQ(nearest("GEOMETRIC", names, 1), (std::vector<std::string>{"geometric"}));
  EXPECT_EQ(nearest("x", std::vector<std::string_view>{"bb", "aa"}), (std::vector<std::string>{"bb", "aa"}));
  EXPECT_EQ(nearest_text("a", std::array<const char*, 2>{"ab", "b"}), "nearest: ab, b");
  EXPECT_EQ(nearest_text("a", std::vector<std::string>{}), "");
}

RC_GTEST_PROP(EditDistance, IsASymmetricPremetric, (const std::string& a, const std::string& b)) {
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT(edit_distance(a, a) == 0);
  RC_ASSERT((edit_distance(a, b) == 0) == (lower_case(a) == lower_case(b)));
  RC_ASSERT(edit_distance(a, b) <= 10 * static_cast<int>(std::max(a.size(), b.size())));
}

TEST(EditDistance, CountsEachKindOfEditOnce) {
  EXPECT_EQ(edit_distance("", "abc"), 30);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 30);
  EXPECT_EQ(edit_distance("EM", "ME"), 10);
  EXPECT_EQ(edit_distance("w=17", "w=16"), 1);
}

}  // namespace
}  // namespace pivotlab::variant_test
