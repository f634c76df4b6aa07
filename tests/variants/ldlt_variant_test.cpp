// SPDX-License-Identifier: BSD-3-Clause
// Names of pivotings: parse and print are inverses, and invalid names are refused with the nearest names.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/variant.hpp>
#include <variants/names.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace pivotlab::ldlt_variant_test {
namespace {

std::string message_of(std::string_view name) {
  try {
    parse_ldlt_variant(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

RC_GTEST_PROP(LdltVariantName, ParseInvertsPrint, ()) {
  const auto pivoting = *rc::gen::element(Pivoting::complete, Pivoting::partial, Pivoting::rook, Pivoting::none);
  const auto bits = *rc::gen::suchThat<std::uint64_t>([](std::uint64_t x) { return x >> 11 != 0; });
  const double alpha = static_cast<double>(bits >> 11) * 0x1p-53;
  const int depth = pivoting == Pivoting::none ? *rc::gen::inRange(0, 3) : 2;
  const LdltVariant variant{pivoting, alpha, *rc::gen::arbitrary<bool>(), depth};
  RC_ASSERT(parse_ldlt_variant(to_string(variant)) == variant);
}

TEST(LdltVariantName, OmitsDefaultAlpha) {
  EXPECT_EQ(usual_alpha, (1 + std::sqrt(17.0)) / 8);
  EXPECT_EQ(to_string(LdltVariant{}), "LDLT-BP");
  EXPECT_EQ(to_string(LdltVariant{.pivoting = Pivoting::partial}), "LDLT-BK");
  EXPECT_EQ(to_string(LdltVariant{.pivoting = Pivoting::rook, .alpha = 0.64}), "LDLT-RK;alpha=0.64");
  EXPECT_EQ(parse_ldlt_variant("ldlt-rk;ALPHA=0.640"), (LdltVariant{Pivoting::rook, 0.64}));
  EXPECT_EQ(to_string(parse_ldlt_variant("LDLT-BP;alpha=0.64038820320220756")), "LDLT-BP");
}

TEST(LdltVariantName, OmitsEquilibrateOff) {
  EXPECT_EQ(to_string(LdltVariant{.pivoting = Pivoting::rook, .equilibrate = true}), "LDLT-RK;equilibrate=on");
  EXPECT_EQ(to_string(LdltVariant{Pivoting::rook, 0.5, true}), "LDLT-RK;alpha=0.5;equilibrate=on");
  EXPECT_EQ(parse_ldlt_variant("LDLT-BP;Equilibrate=ON;alpha=0.5"), (LdltVariant{Pivoting::complete, 0.5, true}));
  EXPECT_EQ(parse_ldlt_variant("LDLT-BP;equilibrate=off"), LdltVariant{});
  EXPECT_EQ(expand_pattern("LDLT-RK{,;equilibrate=on}"),
            (std::vector<std::string>{"LDLT-RK", "LDLT-RK;equilibrate=on"}));
}

TEST(LdltVariantName, DepthIsOfTheButterflyOnly) {
  EXPECT_EQ(to_string(LdltVariant{.pivoting = Pivoting::none}), "LDLT-RBT");
  EXPECT_EQ(to_string(LdltVariant{.pivoting = Pivoting::none, .depth = 0}), "LDLT-RBT;depth=0");
  EXPECT_EQ(parse_ldlt_variant("LDLT-RBT;depth=1"), (LdltVariant{.pivoting = Pivoting::none, .depth = 1}));
  EXPECT_EQ(message_of("LDLT-RK;depth=1"),
            "variant 'LDLT-RK;depth=1': option 'depth=1': only a factorization without a search has a butterfly; take "
            "RBT for pivoting");
  for (const int depth : {-1, 3})
    EXPECT_THROW(require_valid(LdltVariant{.pivoting = Pivoting::none, .depth = depth}), InputError);
}

TEST(LdltVariantName, UnknownIsRefusedWithWhatIsNearest) {
  EXPECT_EQ(message_of("LDLT-BR"), "variant 'LDLT-BR': at 'BR': no such variant; nearest: LDLT-BP, LDLT-BK, LDLT-RK");
  EXPECT_EQ(message_of("LDLT-BP;beta=1"),
            "variant 'LDLT-BP;beta=1': option 'beta=1': no such option; there are alpha=NUMBER in (0, 1), "
            "equilibrate=on|off, depth=0|1|2; nearest: depth=1, depth=0, depth=2");
  EXPECT_EQ(
      message_of("LDLT-BP;alpha=1"),
      "variant 'LDLT-BP;alpha=1': option 'alpha=1': alpha is not a number in (0, 1); choose one, as in alpha=0.5");
  EXPECT_EQ(message_of("LDLT-BP;alpha=0.1;alpha=0.2"),
            "variant 'LDLT-BP;alpha=0.1;alpha=0.2': option 'alpha=0.2': alpha is given twice; keep one of them");
  EXPECT_EQ(message_of("LDLT-RK;equilibrate=yes"),
            "variant 'LDLT-RK;equilibrate=yes': option 'equilibrate=yes': no such value; there are "
            "equilibrate=on|off; nearest: equilibrate=on, equilibrate=off");
  for (const std::string name :
       {"", ";", "LDLT", "LDLT-", "LDLT-BP;", " LDLT-BP", "LDLT-BP;alpha=", "LDLT-BP;alpha=0", "LDLT-BP;alpha=-0.5",
        "LDLT-BP;alpha=nan", "LDLT-BP;alpha=inf", "LDLT-BP;alpha=0.5x", "LDLT-BP;alpha= 0.5", "LDLT-BP;alpha",
        "LDLT-BP;;alpha=0.5", "LDLT-BP;equilibrate", "LDLT-BP;equilibrate=", "LDLT-BP;equilibrate=on;equilibrate=off"})
    EXPECT_THROW(parse_ldlt_variant(name), InputError) << name;
}

TEST(LdltVariantName, RefusesAlphaOutOfRange) {
  for (const double alpha : {0.0, 1.0, -1.0, 2.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(require_valid(LdltVariant{.alpha = alpha}), InputError) << alpha;
  EXPECT_NO_THROW(require_valid(LdltVariant{.alpha = std::numeric_limits<double>::min()}));
}

TEST(LdltVariantName, SweepOfAlphaIsExact) {
  EXPECT_EQ(expand_pattern("LDLT-BP;alpha={0.01..0.99..0.14}"),
            (std::vector<std::string>{"LDLT-BP;alpha=0.01", "LDLT-BP;alpha=0.15", "LDLT-BP;alpha=0.29",
                                      "LDLT-BP;alpha=0.43", "LDLT-BP;alpha=0.57", "LDLT-BP;alpha=0.71",
                                      "LDLT-BP;alpha=0.85", "LDLT-BP;alpha=0.99"}));
  for (const std::string& name : expand_pattern("LDLT-{BP,BK,RK};alpha={0.1..0.9..0.1}"))
    EXPECT_EQ(to_string(parse_ldlt_variant(name)), name);
  EXPECT_EQ(expand_pattern("{0.5..1..0.25,7}"), (std::vector<std::string>{"0.5", "0.75", "1", "7"}));
  for (const std::string pattern : {"{0.5.1..2}", "{.5..1}", "{0...1}", "{1...2}", "{0.5..1..0.0}", "{0.5..0.4}"})
    EXPECT_THROW(expand_pattern(pattern), InputError) << pattern;
}

TEST(LdltVariant, SweepAndSectionFollowFromTheRows) {
  EXPECT_EQ(ldlt_names().sweep({{"pivoting", "bp,RK"}, {"alpha", "0.01:0.3:0.14,a0"}, {"equilibrate", "off,on"}}),
            (std::vector<std::string>{"LDLT-BP;alpha=0.01", "LDLT-BP;alpha=0.01;equilibrate=on", "LDLT-BP;alpha=0.15",
                                      "LDLT-BP;alpha=0.15;equilibrate=on", "LDLT-BP;alpha=0.29",
                                      "LDLT-BP;alpha=0.29;equilibrate=on", "LDLT-BP", "LDLT-BP;equilibrate=on",
                                      "LDLT-RK;alpha=0.01", "LDLT-RK;alpha=0.01;equilibrate=on", "LDLT-RK;alpha=0.15",
                                      "LDLT-RK;alpha=0.15;equilibrate=on", "LDLT-RK;alpha=0.29",
                                      "LDLT-RK;alpha=0.29;equilibrate=on", "LDLT-RK", "LDLT-RK;equilibrate=on"}));
  using Entries = std::vector<VariantNames::Entry>;
  EXPECT_EQ(ldlt_names().section("LDLT-BK;alpha=0.5"), (Entries{{"pivoting", "partial"}, {"alpha", 0.5}}));
  EXPECT_EQ(ldlt_names().section("LDLT-RK;equilibrate=on"),
            (Entries{{"pivoting", "rook"}, {"alpha", usual_alpha}, {"equilibrate", true}}));
  EXPECT_EQ(ldlt_names().section("LDLT-RBT;depth=0"),
            (Entries{{"pivoting", "none"}, {"alpha", usual_alpha}, {"depth", std::int64_t{0}}}));
}

TEST(LdltVariant, ListsThePivotings) {
  const auto listed = ldlt_names().listed();
  ASSERT_EQ(listed.size(), 4u);
  EXPECT_EQ(listed[1].name, "LDLT-RK");
  EXPECT_EQ(listed[1].summary, describe(Pivoting::rook));
}

TEST(LdltVariant, BoundsAtTheUsualAlphaAreThoseOfTheSource) {
  const LdltVariant usual;
  EXPECT_NEAR(usual.multiplier_bound(), 2.781, 1e-3);
  EXPECT_NEAR(usual.condition_bound(), 4.562, 1e-3);
  EXPECT_NEAR(usual.growth_bound(1) * usual.growth_bound(1), (9 + std::sqrt(17.0)) / 2, 1e-14);
  EXPECT_NEAR(usual.growth_bound(2), (9 + std::sqrt(17.0)) / 2, 1e-14);
}

}  // namespace
}  // namespace pivotlab::ldlt_variant_test
