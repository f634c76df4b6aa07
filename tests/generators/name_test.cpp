// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <set>

namespace pivotlab::name_test {
namespace {

TEST(GeneratorName, IsCanonicalWhateverTheOrderAndSpelling) {
  EXPECT_EQ(canonical_generator("paper"), "paper");
  EXPECT_EQ(canonical_generator(" paper ; spectrum=geometric;cond_x=1e6"), "paper;cond_x=1000000;spectrum=geometric");
  EXPECT_EQ(canonical_generator("graded;side=right;g=8.0"), "graded");
  EXPECT_EQ(canonical_generator("graded;g=12;side=left"), canonical_generator("graded;side=left;g=1.2e1"));
  for (const char* name : {"graded;g=12;on=both;permute=g", "paper;kappa=1e+30;spectrum=cluster0"})
    EXPECT_EQ(canonical_generator(canonical_generator(name)), canonical_generator(name));
}

std::string error_of(const std::string& name) {
  try {
    canonical_generator(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GeneratorName, ErrorsNameThePlaceAndTheRemedy) {
  EXPECT_EQ(error_of("papr"), "generator 'papr': no such generator; nearest: paper, lapack, ranks");
  EXPECT_EQ(error_of("graded;sid=left"), "generator 'graded;sid=left': no option 'sid'; nearest: side, on, g");
  EXPECT_EQ(error_of("graded;side=lft"),
            "generator 'graded;side=lft': side=lft is none of its values; nearest: left, right");
  EXPECT_EQ(error_of("graded;g=99"), "generator 'graded;g=99': g=99 is not a number within its bounds; use 0 to 20");
  for (const char* name : {"", ";", "paper;", "graded;g", "graded;g=", "graded;g=1x", "graded;g=nan", "graded;g=1;g=2"})
    EXPECT_NE(error_of(name), "no error") << name;
}

TEST(GeneratorList, TellsEveryKindAndItsDefaultsAreCanonical) {
  std::set<std::string> names;
  for (const GeneratorInfo& info : list_pair_generators()) {
    EXPECT_TRUE(names.insert(info.name).second && !info.summary.empty());
    std::string with_defaults = info.name;
    for (const auto& option : info.options) with_defaults += ";" + option.name + "=" + option.default_value;
    EXPECT_EQ(canonical_generator(with_defaults), info.name);
  }
  EXPECT_TRUE(names.contains("paper") && names.contains("graded"));
}

}  // namespace
}  // namespace pivotlab::name_test
