// SPDX-License-Identifier: BSD-3-Clause
// Names of the variants for several processes: parse and print are inverses, presets are the paper's.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/error.hpp>
#include <variants/names.hpp>

#include <array>

namespace pivotlab::distributed_variant_test {
namespace {

NamedDistributedVariant any_variant() {
  const auto strategy = rc::gen::element(Strategy::ME, Strategy::MM, Strategy::RR);
  const auto blocking = rc::gen::element(Blocking::FB, Blocking::BO);
  DistributedVariant variant{*strategy, *blocking, {}, false};
  if (variant.stripes == Blocking::BO) variant.pairs_once = *rc::gen::arbitrary<bool>();
  variant.inner = {.enhanced_dots = *rc::gen::arbitrary<bool>(),
                   .prescaled = *rc::gen::arbitrary<bool>(),
                   .criterion = *rc::gen::element(Criterion::C1, Criterion::C2),
                   .outer = *strategy,
                   .blocking = *blocking,
                   .inner = *strategy,
                   .width = 2 * *rc::gen::inRange(1, 65),
                   .sorting = *rc::gen::arbitrary<bool>(),
                   .factor = *rc::gen::element(TileFactor::cholesky, TileFactor::pivoted, TileFactor::qr)};
  return {*rc::gen::element(ScalarType::d, ScalarType::z), variant};
}

std::string message_of(const std::string& name) {
  try {
    parse_distributed_variant(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

RC_GTEST_PROP(DistributedVariantName, ParseInvertsPrint, ()) {
  const NamedDistributedVariant named = any_variant();
  RC_ASSERT(parse_distributed_variant(to_string(named.variant, named.type)) == named);
}

TEST(DistributedVariantName, IsThePapers) {
  const DistributedVariant variant{Strategy::ME, Blocking::BO, {}, false};
  EXPECT_EQ(to_string(variant, ScalarType::z), "ZHZ0-(ME-BO, ME-FB-ME)");
  EXPECT_EQ(parse_distributed_variant("zhz0-(me-bo,me-fb-me)"), (NamedDistributedVariant{ScalarType::z, variant}));
  EXPECT_EQ(to_string(parse_distributed_variant("DHZ3-(MM-FB, RR-BO-ME);w=32").variant, ScalarType::d),
            "DHZ3-(MM-FB, RR-BO-ME);w=32");
}

TEST(DistributedVariantName, TakesTheOutermostOptionAmongTheOthers) {
  const NamedDistributedVariant named = parse_distributed_variant("DHZ0-(ME-BO, ME-FB-ME);Pairs=once;w=32;sort=off");
  EXPECT_TRUE(named.variant.pairs_once);
  EXPECT_EQ(to_string(named.variant, named.type), "DHZ0-(ME-BO, ME-FB-ME);w=32;sort=off;pairs=once");
  EXPECT_EQ(
      message_of("ZHZ0-(ME-FB, ME-FB-ME);pairs=once"),
      "variant 'ZHZ0-(ME-FB, ME-FB-ME);pairs=once': option 'pairs=once': a pair of stripes that is swept until it "
      "has converged has all its pairs in every sweep; take BO for stripes");
  EXPECT_THROW(parse_distributed_variant("ZHZ0-(ME-BO, ME-FB-ME);pairs=once2"), InputError);
  EXPECT_THROW(parse_distributed_variant("ZHZ0-(ME-BO, ME-FB-ME);pairs=once;pairs=once"), InputError);
}

TEST(DistributedVariantName, PresetsAreThoseOfSection532) {
  const std::array<const char*, 4> names{"ZHZ0-(ME-FB, ME-FB-ME)", "ZHZ0-(ME-BO, ME-FB-ME)", "ZHZ0-(ME-FB, ME-BO-ME)",
                                         "ZHZ0-(ME-BO, ME-BO-ME)"};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const DistributedPreset& preset = distributed_presets()[k];
    EXPECT_EQ(preset.letter, std::string(1, static_cast<char>('A' + k)));
    EXPECT_EQ(to_string(preset.named.variant, preset.named.type), names[k]);
    EXPECT_EQ(parse_distributed_variant(preset.letter), preset.named);
  }
}

TEST(DistributedVariantName, ErrorNamesThePlaceAndTheRemedy) {
  EXPECT_EQ(message_of("ZHZ0-(ME-FB-ME)"),
            "variant 'ZHZ0-(ME-FB-ME)': at '-ME)': no such variant; nearest: ZHZ0-(ME-FB, ME-FB-ME), ZHZ0-(ME-FB, "
            "ME-BO-ME), ZHZ0-(ME-FB, MM-FB-ME)");
  EXPECT_EQ(message_of("ZHZ0-(ME-OB, ME-FB-ME)"),
            "variant 'ZHZ0-(ME-OB, ME-FB-ME)': at 'OB, ME-FB-ME)': no such variant; nearest: ZHZ0-(ME-FB, ME-FB-ME), "
            "ZHZ0-(ME-BO, ME-FB-ME), ZHZ1-(ME-FB, ME-FB-ME)");
  EXPECT_EQ(message_of("ZHZ9-(ME-BO, ME-FB-ME)"),
            "variant 'ZHZ9-(ME-BO, ME-FB-ME)': at '9-(ME-BO, ME-FB-ME)': no such variant; nearest: ZHZ7-(ME-BO, "
            "ME-FB-ME), ZHZ6-(ME-BO, ME-FB-ME), ZHZ5-(ME-BO, ME-FB-ME)");
  EXPECT_EQ(message_of("E"), "variant 'E': at 'E': no such variant; nearest: A, B, C");
}

TEST(DistributedVariant, ListsThePresets) {
  const auto listed = distributed_names().listed();
  ASSERT_EQ(listed.size(), 4u);
  EXPECT_EQ(listed[1].name, "ZHZ0-(ME-BO, ME-FB-ME)");
  EXPECT_EQ(listed[1].summary, "B: over ranks; a pair of stripes for one sweep, a tile until it has converged.");
}

}  // namespace
}  // namespace pivotlab::distributed_variant_test
