// SPDX-License-Identifier: BSD-3-Clause
#include "tests/io/support.hpp"

namespace pivotlab::io_test::gsvd_file_test {
namespace {

template <class T>
GsvdResult<T> any_result() {
  GsvdResult<T> result;
  result.status = Status::passed;
  result.U = any_matrix<T>(5, 3, 1);
  result.V = any_matrix<T>(4, 3, 2);
  result.Z = any_matrix<T>(3, 3, 3);
  result.sigma = {3, 2, 1};
  result.sigma_f = {0.9, 0.8, 0.7};
  result.sigma_g = {0.3, 0.4, 0.7};
  result.sweeps.resize(2);
  result.sweeps[1].big = 17;
  return result;
}

template <class T>
class GsvdFile : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(GsvdFile, Scalars);

TYPED_TEST(GsvdFile, HoldsTheMatricesOfTheResultBitForBit) {
  const TemporaryDirectory directory;
  const auto result = any_result<TypeParam>();
  const auto file = directory / "out.h5";
  write_gsvd(file, result, {{"variant", "DHZ0-(ME-FB-ME)"}});
  const auto read = [&](const std::string& name) {
    return std::get<Matrix<TypeParam>>(read_matrix(file.string() + name));
  };
  EXPECT_TRUE(same_bits(read(":/U"), result.U));
  EXPECT_TRUE(same_bits(read(":/V"), result.V));
  EXPECT_TRUE(same_bits(read(":/Z"), result.Z));
  EXPECT_EQ(message(directory, [&] { read(":/X"); }), "out.h5: /X: there is no such dataset; the file has /U, /V, /Z");
  EXPECT_EQ(message(directory, [&] { read(":/sweeps"); }),
            "out.h5: /sweeps: is a group, not a dataset; name a dataset in it");
  EXPECT_EQ(message(directory, [&] { read(":/sweeps/big"); }),
            "out.h5: /sweeps/big: has 1 dimension, not 2; give a matrix of two dimensions");
}

TYPED_TEST(GsvdFile, AlsoOfAResultInPlaceAndWithX) {
  const TemporaryDirectory directory;
  auto result = any_result<TypeParam>();
  result.U = result.V = Matrix<TypeParam>();
  result.X = any_matrix<TypeParam>(3, 3, 4);
  write_gsvd(directory / "out.h5", result);
  EXPECT_TRUE(same_bits(std::get<Matrix<TypeParam>>(read_matrix(directory / "out.h5:/X")), result.X));
  EXPECT_THROW(read_matrix(directory / "out.h5:/U"), InputError);
}

TEST(GsvdFileErrors, ACallersAttributeMayNotReplaceOneOfTheResult) {
  const TemporaryDirectory directory;
  EXPECT_EQ(message(directory,
                    [&] {
                      write_gsvd(directory / "out.h5", any_result<double>(), {{"status", "fine"}});
                    }),
            "out.h5: attribute status: is written from the content; choose another name");
  EXPECT_EQ(directory.files(), 0u);
}

}  // namespace
}  // namespace pivotlab::io_test::gsvd_file_test
