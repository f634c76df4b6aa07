// SPDX-License-Identifier: BSD-3-Clause
// Names of the one-sided hyperbolic Jacobi methods: parse and print are inverses, and invalid names are refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/jacobi_variant.hpp>
#include <variants/names.hpp>

namespace pivotlab::jacobi_variant_test {
namespace {

HsvdVariant arbitrary_hsvd() {
  return {.strategy = *rc::gen::element(Strategy::ME, Strategy::MM, Strategy::RR),
          .form = *rc::gen::element(JacobiForm::PT, JacobiForm::FB, JacobiForm::BO),
          .width = 2 * *rc::gen::inRange(1, 65),
          .factor = *rc::gen::element(TileFactor::cholesky, TileFactor::qr),
          .fix = *rc::gen::arbitrary<bool>()};
}

RC_GTEST_PROP(JacobiVariantName, ParseInvertsPrint, ()) {
  HsvdVariant hsvd = arbitrary_hsvd();
  hsvd.qrp = *rc::gen::arbitrary<bool>();
  hsvd.exact = !hsvd.qrp && *rc::gen::arbitrary<bool>();
  hsvd.spectral = hsvd.exact && *rc::gen::arbitrary<bool>();
  hsvd.refine = *rc::gen::arbitrary<bool>();
  RC_ASSERT(parse_hsvd_variant(to_string(hsvd)) == hsvd);
  const EighVariant eigh{.pivoting = *rc::gen::element(Pivoting::complete, Pivoting::rook),
                         .sweeps = arbitrary_hsvd(),
                         .spectral = *rc::gen::arbitrary<bool>(),
                         .refine = *rc::gen::arbitrary<bool>()};
  RC_ASSERT(parse_eigh_variant(to_string(eigh)) == eigh);
  GhsvdVariant ghsvd{.method = *rc::gen::element(GhsvdMethod::tangent, GhsvdMethod::hari_zimmermann),
                     .sweeps = arbitrary_hsvd(),
                     .precision = *rc::gen::element(TangentPrecision::extended, TangentPrecision::working)};
  if (ghsvd.method == GhsvdMethod::hari_zimmermann) ghsvd.sweeps.form = JacobiForm::PT;
  RC_ASSERT(parse_ghsvd_variant(to_string(ghsvd)) == ghsvd);
}

TEST(JacobiVariantName, IsCanonical) {
  EXPECT_EQ(to_string(HsvdVariant{}), "HSVD-ME-BO");
  EXPECT_EQ(to_string(EighVariant{}), "HEV-RK-ME-BO");
  EXPECT_EQ(to_string(parse_eigh_variant("hev-cp-mm-fb;SPECTRAL;w=16")), "HEV-CP-MM-FB;w=16;spectral");
  EXPECT_EQ(to_string(parse_eigh_variant("hev-2stage;REFINE")), "HEV-2STAGE;refine");
  EXPECT_TRUE(is_two_stage(parse_eigh_variant("HEV-2STAGE")));
  EXPECT_EQ(to_string(GhsvdVariant{}), "GHSVD-TR-ME-BO");
  EXPECT_EQ(to_string(parse_ghsvd_variant("ghsvd-tr-rr-pt;PRECISION=working")), "GHSVD-TR-RR-PT;precision=working");
}

// Two stages have none of the options of sweeps: the head ends, and records have null.
TEST(JacobiVariantName, OfTwoStagesEndsAfterItsName) {
  EXPECT_EQ(eigh_names().sweep({{"pivoting", "RK,2STAGE"}, {"form", "PT,BO"}}),
            (std::vector<std::string>{"HEV-RK-ME-PT", "HEV-RK-ME-BO", "HEV-2STAGE"}));
  EXPECT_THROW(eigh_names().sweep({{"pivoting", "2STAGE"}, {"width", "16"}}), InputError);
  const auto listed = eigh_names().listed();
  EXPECT_EQ(listed.size(), 7u);
  EXPECT_EQ(listed.back().name, "HEV-2STAGE");
  for (const auto& [name, value] : eigh_names().section("HEV-2STAGE"))
    EXPECT_EQ(value, name == "pivoting" ? OptionValue(std::string("none"))
                     : name == "refine" ? OptionValue(false)
                                        : OptionValue());
}

TEST(JacobiVariantName, RefusesWhatDoesNotExist) {
  for (const char* name : {"HSVD-ME", "HSVD-ME-XX", "HSVD-ME-BO;w=3", "HSVD-ME-BO;factor=pivoted", "HEV-RK-ME-BO"})
    EXPECT_THROW(parse_hsvd_variant(name), InputError) << name;
  for (const char* name : {"HEV-BK-ME-BO", "HEV-RK-ME-BO;spectral=on", "HEV-RK-ME-BO;qrp", "HSVD-ME-BO",
                           "HEV-2STAGE-ME-BO", "HEV-2STAGE;spectral", "HEV-2STAGE;w=16", "HEV-RK"})
    EXPECT_THROW(parse_eigh_variant(name), InputError) << name;
  for (const char* name : {"GHSVD-XX-ME-PT", "GHSVD-HZ-ME-BO", "GHSVD-TR-ME-BO;precision=none", "GHSVD-TR-ME-BO;qrp"})
    EXPECT_THROW(parse_ghsvd_variant(name), InputError) << name;
  EXPECT_THROW(require_valid(GhsvdVariant{.sweeps = {.qrp = true}}), InputError);
  EXPECT_THROW(require_valid(EighVariant{.pivoting = Pivoting::partial}), InputError);
  EXPECT_THROW(require_valid(EighVariant{.sweeps = {.qrp = true}}), InputError);
  EXPECT_THROW(require_valid(EighVariant{.sweeps = {.exact = true}}), InputError);
  EXPECT_THROW(require_valid(GhsvdVariant{.sweeps = {.exact = true}}), InputError);
  EXPECT_THROW(require_valid(EighVariant{.sweeps = {.refine = true}}), InputError);
  EXPECT_THROW(require_valid(GhsvdVariant{.sweeps = {.refine = true}}), InputError);
  EXPECT_THROW(require_valid(HsvdVariant{.qrp = true, .exact = true}), InputError);
  EXPECT_THROW(require_valid(HsvdVariant{.spectral = true}), InputError);
  EXPECT_THROW(require_valid(HsvdVariant{.factor = TileFactor::pivoted}), InputError);
}

}  // namespace
}  // namespace pivotlab::jacobi_variant_test
