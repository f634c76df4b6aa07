// SPDX-License-Identifier: BSD-3-Clause
// Factors in a file: reading returns the written bits and the data that are needed to use them.
#include <pivotlab/generate.hpp>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::ldlt_file_test {
namespace {

template <class T>
class LdltFile : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "out.h5";
  SymmetricMatrix<T> matrix =
      std::get<SymmetricMatrix<T>>(generate_symmetric({.generator = "kkt", .type = scalar_type<T>, .n = 20}));
  LdltFactorization<T> f = ldlt<T>(matrix.A);

  Matrix<T> read(const std::string& name) const {
    return std::get<Matrix<T>>(read_matrix(file.string() + ":/" + name));
  }
};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(LdltFile, Scalars);

TYPED_TEST(LdltFile, HoldsTheFactorsAndTheSolutionBitForBit) {
  const auto X = any_matrix<TypeParam>(20, 2, 1);
  write_ldlt(this->file, this->f, X.view(), {{"problem", "kkt"}});
  EXPECT_TRUE(same_bits(this->read("M"), this->f.M));
  EXPECT_TRUE(same_bits(this->read("X"), X));
  const auto D = this->read("D");
  ASSERT_EQ(D.cols(), 2);
  EXPECT_TRUE(std::ranges::equal(D.col(0), this->f.diagonal));
  EXPECT_TRUE(std::ranges::equal(D.col(1), this->f.subdiagonal));
}

TYPED_TEST(LdltFile, HasNoSolutionWithoutOne) {
  write_ldlt(this->file, this->f);
  EXPECT_EQ(message(this->directory, [&] { this->read("X"); }),
            "out.h5: /X: there is no such dataset; the file has /D, /M");
}

TYPED_TEST(LdltFile, HoldsTheScalingOfAnEquilibratedMatrixOnly) {
  const auto answer = [&] { return message(this->directory, [&] { this->read("scaling"); }); };
  write_ldlt(this->file, this->f);
  EXPECT_EQ(answer(), "out.h5: /scaling: there is no such dataset; the file has /D, /M");
  write_ldlt(this->file, ldlt<TypeParam>(this->matrix.A, {.variant = {.equilibrate = true}}));
  EXPECT_EQ(answer(), "out.h5: /scaling: has 1 dimension, not 2; give a matrix of two dimensions");
}

TYPED_TEST(LdltFile, HoldsTheFactorsOfABaselineWithoutWhatOnlyVariantsHave) {
  LdltBaselineResult<TypeParam> result;
  result.M = this->f.M, result.diagonal = this->f.diagonal, result.subdiagonal = this->f.subdiagonal;
  result.permutation = this->f.permutation, result.X = any_matrix<TypeParam>(20, 2, 1);
  const auto holds = [&](const std::string& text) { return read_bytes(this->file).find(text) != std::string::npos; };
  write_ldlt(this->file, result, "lapack:dsytrf", Symmetry::hermitian, {{"command", "pivotlab solve ldlt A.h5"}});
  EXPECT_TRUE(same_bits(this->read("M"), this->f.M));
  EXPECT_TRUE(same_bits(this->read("X"), result.X));
  EXPECT_TRUE(holds("lapack:dsytrf") && holds("pivotlab solve ldlt A.h5"));
  EXPECT_FALSE(holds("inertia") || holds("stages") || holds("tridiagonal"));
  result.tridiagonal = true;
  write_ldlt(this->file, result, "lapack:dsytrf_aa", Symmetry::hermitian);
  EXPECT_TRUE(holds("tridiagonal"));
}

TYPED_TEST(LdltFile, RefusesAttributesOfItsOwnAndTheEmptyMatrix) {
  EXPECT_EQ(message(this->directory,
                    [&] {
                      write_ldlt(this->file, this->f, {}, {{"rank", "1"}});
                    }),
            "out.h5: attribute rank: is written from the content; choose another name");
  const auto empty = ldlt<TypeParam>(Matrix<TypeParam>(0, 0));
  EXPECT_EQ(message(this->directory, [&] { write_ldlt(this->file, empty); }),
            "out.h5: M: it is empty; give factors of order 1 or more");
  EXPECT_FALSE(std::filesystem::exists(this->file));
}

}  // namespace
}  // namespace pivotlab::io_test::ldlt_file_test
