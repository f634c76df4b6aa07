// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::raw_test {
namespace {

template <class T>
class RawPair : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(RawPair, Scalars);

TYPED_TEST(RawPair, ReadsBackBitForBit) {
  const TemporaryDirectory directory;
  const auto pair = any_pair<TypeParam>(7, 5, 4, 2);
  write_raw_pair(directory / "stem.with.dots", pair);
  const auto read =
      std::get<Pair<TypeParam>>(read_raw_pair(directory / "stem.with.dots", scalar_type<TypeParam>, 7, 5, 4));
  EXPECT_TRUE(same_bits(read.F, pair.F));
  EXPECT_TRUE(same_bits(read.G, pair.G));
}

TEST(RawPairLayout, IsColumnByColumnWithoutHeader) {
  const TemporaryDirectory directory;
  Pair<double> pair{Matrix<double>(2, 2), Matrix<double>(2, 2), {}, {}};
  pair.F(0, 0) = 1, pair.F(1, 0) = 2, pair.F(0, 1) = 3, pair.F(1, 1) = 4;
  write_raw_pair(directory / "p", pair);
  const double expected[4] = {1, 2, 3, 4};
  EXPECT_EQ(read_bytes(directory / "p.Y"), std::string(reinterpret_cast<const char*>(expected), sizeof expected));
}

TEST(RawPairErrors, NameTheBytesAndAShapeThatFits) {
  const TemporaryDirectory directory;
  write_raw_pair(directory / "p", any_pair<double>(6, 6, 6, 2));
  const auto error = [&](ScalarType type, Index m_f, Index m_g, Index n) {
    return message(directory, [&] { read_raw_pair(directory / "p", type, m_f, m_g, n); });
  };
  EXPECT_EQ(
      error(ScalarType::d, 6, 6, 4),
      "p.Y: holds 288 bytes, which fits 9 x 4 or 6 x 6, but a real 6 x 4 matrix takes 192; give the shape and the type "
      "that it was written with");
  EXPECT_EQ(
      error(ScalarType::z, 6, 6, 6),
      "p.Y: holds 288 bytes, which fits 3 x 6, but a complex 6 x 6 matrix takes 576; give the shape and the type that "
      "it was written with");
  EXPECT_EQ(
      error(ScalarType::d, 6, 7, 6),
      "p.W: holds 288 bytes, which fits 6 x 6, but a real 7 x 6 matrix takes 336; give the shape and the type that it "
      "was written with");
  EXPECT_EQ(error(ScalarType::d, 6, 6, 0), "p: F is 6 x 0 and G is 6 x 0; give a positive shape");
  EXPECT_EQ(message(directory, [&] { read_raw_pair(directory / "q", ScalarType::d, 1, 1, 1); }),
            "q.Y: there is no such file; check the name");
  write_text(directory / "p.Y", read_bytes(directory / "p.Y").substr(0, 283));
  EXPECT_EQ(
      error(ScalarType::d, 6, 6, 6),
      "p.Y: holds 283 bytes, but a real 6 x 6 matrix takes 288; give the shape and the type that it was written with");
}

TEST(RawPairErrors, NaNIsNeitherReadNorWritten) {
  const TemporaryDirectory directory;
  auto pair = any_pair<double>(2, 2, 2, 2);
  const double values[4] = {1, 2, std::numeric_limits<double>::infinity(), 4};
  write_raw_pair(directory / "p", pair);
  write_text(directory / "p.W", std::string(reinterpret_cast<const char*>(values), sizeof values));
  EXPECT_EQ(message(directory, [&] { read_raw_pair(directory / "p", ScalarType::d, 2, 2, 2); }),
            "p.W: the entry in row 1, column 2 is NaN or infinite; give a matrix of finite numbers");
  pair.G(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(directory, [&] { write_raw_pair(directory / "q", pair); }),
            "q.W: the entry in row 2, column 2 is NaN or infinite; give a matrix of finite numbers");
  EXPECT_FALSE(std::filesystem::exists(directory / "q.Y"));
}

}  // namespace
}  // namespace pivotlab::io_test::raw_test
