// SPDX-License-Identifier: BSD-3-Clause
// Names of the Jacobi-like eigendecomposition: parse and print are inverses, and invalid names are refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/eig_variant.hpp>
#include <pivotlab/error.hpp>
#include <variants/names.hpp>

#include <cstdint>
#include <limits>

namespace pivotlab::eig_variant_test {
namespace {

std::string message_of(std::string_view name) {
  try {
    parse_eig_variant(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

double arbitrary_in(double largest) {
  const auto bits = *rc::gen::suchThat<std::uint64_t>([](std::uint64_t x) { return x >> 11 != 0; });
  return largest * (static_cast<double>(bits >> 11) * 0x1p-53);
}

RC_GTEST_PROP(EigVariantName, ParseInvertsPrint, ()) {
  EigVariant variant{.strategy = *rc::gen::element(Strategy::RR, Strategy::ME, Strategy::MM),
                     .form = *rc::gen::element(EigForm::steps, EigForm::fused, EigForm::blocked)};
  if (variant.form == EigForm::blocked) variant.block = *rc::gen::element(8, 16, 32);
  for (bool EigVariant::*option : {&EigVariant::balance, &EigVariant::shear, &EigVariant::unitary,
                                   &EigVariant::diagonal, &EigVariant::refine, &EigVariant::finish})
    variant.*option = *rc::gen::arbitrary<bool>();
  variant.mixed = variant.form == EigForm::blocked && *rc::gen::arbitrary<bool>();
  variant.extended = variant.refine && *rc::gen::arbitrary<bool>();
  variant.damping = arbitrary_in(1);
  variant.exponent = arbitrary_in(0.5);
  RC_ASSERT(parse_eig_variant(to_string(variant)) == variant);
}

TEST(EigVariantName, OmitsDefaults) {
  EXPECT_EQ(to_string(EigVariant{}), "ZEIG-(RR);b=16");
  EXPECT_EQ(to_string(EigVariant{.form = EigForm::steps}), "ZEIG-(RR)");
  EXPECT_EQ(to_string(EigVariant{.strategy = Strategy::ME, .form = EigForm::fused, .refine = true}),
            "ZEIG-(ME);fused;refine");
  EXPECT_EQ(to_string(EigVariant{.refine = true, .extended = true}), "ZEIG-(RR);b=16;refine;extended");
  EXPECT_EQ(to_string(EigVariant{.finish = true}), "ZEIG-(RR);b=16;finish");
  EXPECT_EQ(to_string(EigVariant{.finish = true, .mixed = true}), "ZEIG-(RR);b=16;finish;mixed");
  EXPECT_EQ(parse_eig_variant("zeig-(mm);B=32;Balance=Off;damping=0.50"),
            (EigVariant{.strategy = Strategy::MM, .block = 32, .balance = false, .damping = 0.5}));
  EXPECT_EQ(to_string(parse_eig_variant("ZEIG-(RR);finish;refine;shear=off;b=8;exponent=0.5;unitary=on")),
            "ZEIG-(RR);b=8;shear=off;refine;finish");
}

TEST(EigVariantName, UnknownIsRefusedWithWhatIsNearest) {
  EXPECT_EQ(message_of("ZEIG-(RB)"),
            "variant 'ZEIG-(RB)': at 'RB)': no such variant; nearest: ZEIG-(RR), ZEIG-(ME), ZEIG-(MM)");
  EXPECT_EQ(message_of("ZEIG-(RR);b=12"),
            "variant 'ZEIG-(RR);b=12': option 'b=12': no such option; there are fused|b=8|b=16|b=32, balance=on|off, "
            "shear=on|off, unitary=on|off, diagonal=on|off, damping=NUMBER in (0, 1], exponent=NUMBER in (0, 0.5], "
            "refine, extended, finish, mixed; nearest: b=32, b=16, b=8");
  EXPECT_EQ(
      message_of("ZEIG-(RR);damping=1.5"),
      "variant 'ZEIG-(RR);damping=1.5': option 'damping=1.5': damping is not a number in (0, 1]; choose one, as in "
      "damping=0.5");
  EXPECT_EQ(message_of("ZEIG-(RR);b=8;fused"),
            "variant 'ZEIG-(RR);b=8;fused': option 'fused': form is given twice; keep one of them");
  EXPECT_EQ(message_of("ZEIG-(RR);shear=on;shear=off"),
            "variant 'ZEIG-(RR);shear=on;shear=off': option 'shear=off': shear is given twice; keep one of them");
  EXPECT_EQ(message_of("ZEIG-(RR);extended"),
            "variant 'ZEIG-(RR);extended': option 'extended': only Newton steps have residuals in double-double; take "
            "on for refine");
  for (const std::string name :
       {"", ";", "ZEIG", "DEIG-(RR)", "ZEIG-RR", "ZEIG-(RR);", " ZEIG-(RR)", "ZEIG-(RR);b=", "ZEIG-(RR);b=016",
        "ZEIG-(RR);shear", "ZEIG-(RR);shear=maybe", "ZEIG-(RR);damping", "ZEIG-(RR);damping=0", "ZEIG-(RR);damping=nan",
        "ZEIG-(RR);exponent=0.6", "ZEIG-(RR);exponent=-0.1", "ZEIG-(RR);refine=1", "ZEIG-(RR);finish=on",
        "ZEIG-(RR);;fused"})
    EXPECT_THROW(parse_eig_variant(name), InputError) << name;
}

TEST(EigVariantName, PatternExpandsToEveryForm) {
  std::vector<std::string> expected;
  for (const char* strategy : {"RR", "ME", "MM"})
    for (const char* form : {"", ";fused", ";b=8", ";b=16", ";b=32"})
      expected.push_back(std::string("ZEIG-(") + strategy + ")" + form);
  EXPECT_EQ(expand_pattern("ZEIG-({RR,ME,MM}){,;fused,;b=8,;b=16,;b=32}"), expected);
  for (const std::string& name : expected) EXPECT_EQ(to_string(parse_eig_variant(name)), name);
}

TEST(EigVariant, SweepListAndSectionFollowFromTheRows) {
  EXPECT_EQ(eig_names().sweep({{"strategy", "RR,me"}, {"form", "steps,fused,B8"}}),
            (std::vector<std::string>{"ZEIG-(RR)", "ZEIG-(RR);fused", "ZEIG-(RR);b=8", "ZEIG-(ME)", "ZEIG-(ME);fused",
                                      "ZEIG-(ME);b=8"}));
  EXPECT_EQ(eig_names().sweep({}), std::vector<std::string>{"ZEIG-(RR);b=16"});
  const auto listed = eig_names().listed();
  ASSERT_EQ(listed.size(), 3u);
  EXPECT_EQ(listed[0].name, "ZEIG-(RR)");
  EXPECT_EQ(listed[1].name, "ZEIG-(RR);fused");
  EXPECT_EQ(listed[2].name, "ZEIG-(RR);b=16");
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(listed[k].summary, describe(static_cast<EigForm>(k)));
  EXPECT_EQ(eig_names().section("ZEIG-(RR);fused")[1], (VariantNames::Entry{"form", "fused"}));
  EXPECT_EQ(eig_names().section("ZEIG-(RR);fused")[2], (VariantNames::Entry{"block", {}}));
}

TEST(EigVariant, OutOfRangeIsRefused) {
  EXPECT_THROW(require_valid(EigVariant{.block = 12}), InputError);
  EXPECT_NO_THROW(require_valid(EigVariant{.form = EigForm::fused, .block = 12}));
  for (const double bad : {0.0, -1.0, 1.25, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(require_valid(EigVariant{.damping = bad}), InputError) << bad;
    EXPECT_THROW(require_valid(EigVariant{.exponent = bad}), InputError) << bad;
  }
}

}  // namespace
}  // namespace pivotlab::eig_variant_test
