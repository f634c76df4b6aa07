// SPDX-License-Identifier: BSD-3-Clause
// General matrices and eigendecompositions in files: every bit comes back.
#include <pivotlab/generate.hpp>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::general_file_test {
namespace {

template <class T>
class GeneralFile : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "A.h5";
  GeneralMatrix<T> matrix =
      std::get<GeneralMatrix<T>>(generate_general({.generator = "cyclic", .type = scalar_type<T>, .n = 12}));
};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(GeneralFile, Scalars);

TYPED_TEST(GeneralFile, HoldsTheMatrixAndItsEigenvaluesBitForBit) {
  write_general(this->file, this->matrix);
  const auto read = std::get<GeneralMatrix<TypeParam>>(read_general(this->file));
  EXPECT_TRUE(same_bits(read.A, this->matrix.A));
  EXPECT_EQ(read.eigenvalues, this->matrix.eigenvalues);
  EXPECT_EQ(read.provenance, "cyclic, seed 1");
  const MatrixShape shape = read_general_shape(this->file);
  EXPECT_EQ(shape.rows, 12);
  EXPECT_EQ(shape.type, scalar_type<TypeParam>);
}

TYPED_TEST(GeneralFile, MayBeAnySquareMatrix) {
  const auto text = this->directory / "A.mtx";
  write_matrix_market(text, this->matrix.A);
  const auto read = std::get<GeneralMatrix<TypeParam>>(read_general(text));
  EXPECT_TRUE(same_bits(read.A, this->matrix.A));
  EXPECT_TRUE(read.eigenvalues.empty());
  write_matrix_market(text, any_matrix<TypeParam>(3, 2, 1));
  EXPECT_EQ(message(this->directory, [&] { read_general(text); }), "A.mtx: matrix A: is 3 x 2; give a square matrix");
  EXPECT_EQ(message(this->directory, [&] { read_general_shape(text); }),
            "A.mtx: matrix A: is 3 x 2; give a square matrix");
}

TEST(EigFile, HoldsWhatThereIs) {
  const TemporaryDirectory directory;
  const auto file = directory / "out.h5";
  const auto A = any_matrix<Complex>(6, 6, 2);
  EigOptions options;
  options.condition_numbers = true;
  EigResult<double> result = eig<Complex>(A, options);
  write_eig(file, result, {{"problem", "random"}});
  const auto read = [&](const std::string& name) {
    return std::get<Matrix<Complex>>(read_matrix(file.string() + ":/" + name));
  };
  EXPECT_TRUE(same_bits(read("V"), result.V));
  EXPECT_TRUE(std::ranges::equal(read("eigenvalues").col(0), result.eigenvalues));
  EXPECT_EQ(message(directory, [&] { read("W"); }).substr(0, 38), "out.h5: /W: there is no such dataset; ");
}

TEST(EigFile, RefusesAttributesOfItsOwnAndTheEmptyResult) {
  const TemporaryDirectory directory;
  const auto file = directory / "out.h5";
  EigResult<double> result = eig<Complex>(any_matrix<Complex>(3, 3, 2));
  EXPECT_EQ(message(directory,
                    [&] {
                      write_eig(file, result, {{"sweeps", "1"}});
                    }),
            "out.h5: attribute sweeps: is written from the content; choose another name");
  EXPECT_EQ(message(directory, [&] { write_eig(file, {}); }),
            "out.h5: eigenvalues: there are none; give a result of order 1 or more");
}

}  // namespace
}  // namespace pivotlab::io_test::general_file_test
