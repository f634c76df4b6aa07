// SPDX-License-Identifier: BSD-3-Clause
// Names of the GSVD by tangent reduction: parse and print are inverses, and whatever is no name is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/tangent_variant.hpp>
#include <pivotlab/variant.hpp>
#include <variants/names.hpp>

#include <cmath>
#include <limits>

namespace pivotlab::tangent_variant_test {
namespace {

RC_GTEST_PROP(TangentVariantName, ParseInvertsPrint, ()) {
  const auto fraction = [] { return static_cast<double>(*rc::gen::inRange<std::int64_t>(1, 1LL << 53)) * 0x1p-53; };
  const TangentVariant variant{*rc::gen::element(TangentPath::automatic, TangentPath::r1, TangentPath::l),
                               *rc::gen::element(TangentGroups::automatic, TangentGroups::off, TangentGroups::on),
                               std::ldexp(1.25 + fraction() / 2, *rc::gen::inRange(0, 49)), fraction(),
                               *rc::gen::element(TangentQr::sorted, TangentQr::pivoted)};
  const ScalarType type = *rc::gen::element(ScalarType::d, ScalarType::z);
  const NamedTangentVariant named{type, variant};
  RC_ASSERT(parse_tangent_variant(to_string(variant, type)) == named);
}

TEST(TangentVariantName, PrintsDefaultsWithoutOptions) {
  EXPECT_EQ(to_string(TangentVariant{}, ScalarType::d), "DGT-(auto)");
  EXPECT_EQ(parse_tangent_variant("DGT-(auto)"), NamedTangentVariant{});
  EXPECT_EQ(to_string(TangentVariant{.path = TangentPath::l, .groups = TangentGroups::on, .ratio = 1e6, .tail = 0},
                      ScalarType::z),
            "ZGT-(L);groups=on;ratio=1000000;tail=0");
  EXPECT_EQ(parse_tangent_variant("zgt-(r1);TAIL=0.10;ratio=10000"),
            (NamedTangentVariant{ScalarType::z, {.path = TangentPath::r1, .tail = 0.1}}));
  EXPECT_EQ(parse_tangent_variant("DGT-(L);groups=auto;ratio=1e6").variant.ratio, 1e6);
  EXPECT_EQ(to_string(TangentVariant{.qr = TangentQr::pivoted}, ScalarType::d), "DGT-(auto);qr=pivoted");
}

TEST(TangentVariantName, OtherTextIsRefused) {
  for (const std::string name :
       {"", "DGT", "DGT-()", "DGT-(R2)", "DGT-(auto);", "SGT-(auto)", "DGT-(auto);ratio=1", "DGT-(auto);ratio=1e16",
        "DGT-(auto);ratio=nan", "DGT-(auto);tail=1.5", "DGT-(auto);tail=-0.1", "DGT-(auto);groups=yes",
        "DGT-(auto);qr=random", "DGT-(auto);tail=0.1;tail=0.1", "DHZ0-(ME-FB-ME)"})
    EXPECT_THROW(parse_tangent_variant(name), InputError) << name;
  EXPECT_THROW(require_valid(TangentVariant{.ratio = 1}), InputError);
  EXPECT_THROW(require_valid(TangentVariant{.tail = std::numeric_limits<double>::quiet_NaN()}), InputError);
  EXPECT_NO_THROW(require_valid(TangentVariant{.ratio = 1e15, .tail = 1}));
}

TEST(TangentVariant, SweepSectionAndListFollowFromTheRows) {
  EXPECT_EQ(tangent_names().sweep({{"path", "R1,l"}, {"ratio", "10000,1e6"}}),
            (std::vector<std::string>{"?GT-(R1)", "?GT-(R1);ratio=1000000", "?GT-(L)", "?GT-(L);ratio=1000000"}));
  using Entries = std::vector<VariantNames::Entry>;
  EXPECT_EQ(tangent_names().section("DGT-(L);tail=0.25"), (Entries{{"path", std::string("L")},
                                                                   {"groups", std::string("auto")},
                                                                   {"ratio", 1e4},
                                                                   {"tail", 0.25},
                                                                   {"qr", std::string("sorted")},
                                                                   {"refine", false}}));
  const auto listed = tangent_names().listed();
  ASSERT_EQ(listed.size(), 6u);
  EXPECT_EQ(listed[1].name, "DGT-(R1)");
  EXPECT_FALSE(listed[1].summary.empty());
}

}  // namespace
}  // namespace pivotlab::tangent_variant_test
