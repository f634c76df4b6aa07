// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices in files: every bit and all that is known comes back; what is not symmetric is refused with the
// place where it is least so.
#include <pivotlab/generate.hpp>
#include <pivotlab/symmetrize.hpp>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::symmetric_file_test {
namespace {

template <class T>
class SymmetricFile : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "A.h5";

  static SymmetricMatrix<T> make(const std::string& name, Index n, Symmetry symmetry = Symmetry::hermitian) {
    return std::get<SymmetricMatrix<T>>(generate_symmetric({name, scalar_type<T>, symmetry, n}));
  }
  void expect_same(const SymmetricMatrix<T>& x, const SymmetricMatrix<T>& y) {
    EXPECT_TRUE(same_bits(x.A, y.A));
    EXPECT_EQ(x.symmetry, y.symmetry);
    EXPECT_EQ(x.eigenvalues, y.eigenvalues);
    EXPECT_EQ(x.inertia, y.inertia);
    EXPECT_EQ(x.provenance, y.provenance);
  }
};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(SymmetricFile, Scalars);

TYPED_TEST(SymmetricFile, ReadsBackBitForBitWithAllThatIsKnown) {
  for (const auto& [name, n] :
       {std::pair("equidistant", 1), {"equidistant;nullity=2", 150}, {"random", 130}, {"kkt", 40}, {"hilbert", 9}}) {
    SCOPED_TRACE(name);
    const auto matrix = this->make(name, n);
    write_symmetric(this->file, matrix);
    this->expect_same(std::get<SymmetricMatrix<TypeParam>>(read_symmetric(this->file)), matrix);
  }
}

TYPED_TEST(SymmetricFile, TakesOneTriangleOnly) {
  const auto matrix = this->make("random", 600);
  write_symmetric(this->file, matrix);
  EXPECT_LT(std::filesystem::file_size(this->file), 0.65 * sizeof(TypeParam) * 600 * 600);
}

TYPED_TEST(SymmetricFile, OtherFilesAreReadAsSymmetricMatrices) {
  const auto matrix = this->make("random", 20);
  const auto mtx = this->directory / "A.mtx";
  write_matrix_market(mtx, matrix.A);
  const auto read = std::get<SymmetricMatrix<TypeParam>>(read_symmetric(mtx));
  EXPECT_TRUE(same_bits(read.A, matrix.A));
  EXPECT_FALSE(read.inertia);
  EXPECT_EQ(read.provenance, mtx.string());
}

TYPED_TEST(SymmetricFile, AveragesRoundingDifferencesOnRequest) {
  auto matrix = this->make("random", 20);
  const auto mtx = this->directory / "A.mtx";
  Matrix<TypeParam> A = matrix.A;
  A(3, 7) *= 1 + 0x1p-51;
  write_matrix_market(mtx, A);
  EXPECT_THROW(read_symmetric(mtx), InputError);
  Symmetrization changed;
  const auto read =
      std::get<SymmetricMatrix<TypeParam>>(read_symmetric_but_for_rounding(mtx, Symmetry::hermitian, changed));
  EXPECT_EQ(changed.elements, 1);
  EXPECT_EQ(changed.row, 7);
  EXPECT_EQ(changed.column, 3);
  EXPECT_EQ(read.A(3, 7), conjugate(read.A(7, 3)));
  EXPECT_NEAR(std::abs(read.A(3, 7) - matrix.A(3, 7)), 0, 0x1p-51 * std::abs(matrix.A(3, 7)));

  A(3, 7) *= 1.5;
  write_matrix_market(mtx, A);
  EXPECT_THROW(read_symmetric_but_for_rounding(mtx, Symmetry::hermitian, changed), InputError);
  EXPECT_EQ(changed.elements, 0);
}

TYPED_TEST(SymmetricFile, TellsItsShapeWithoutItsElements) {
  const auto matrix = this->make("equidistant", 20);
  write_symmetric(this->file, matrix);
  for (const auto* name : {"A.mtx", "A.mtx.gz"}) write_matrix_market(this->directory / name, matrix.A);
  for (const auto* name : {"A.h5", "A.mtx", "A.mtx.gz"}) {
    const SymmetricShape shape = read_symmetric_shape(this->directory / name);
    EXPECT_EQ(shape.type, scalar_type<TypeParam>);
    EXPECT_EQ(shape.symmetry, Symmetry::hermitian);
    EXPECT_EQ(shape.n, 20);
  }
  EXPECT_EQ(read_symmetric_shape(this->directory / "A.mtx", Symmetry::symmetric).symmetry, Symmetry::symmetric);
  const MatrixShape part = read_matrix_shape((this->directory / "A.h5:/eigenvalues_exact"));
  EXPECT_EQ(part.rows, 20);
  write_matrix_market(this->directory / "wide.mtx", Matrix<TypeParam>(2, 3));
  EXPECT_EQ(message(this->directory, [&] { read_symmetric_shape(this->directory / "wide.mtx"); }),
            "wide.mtx: matrix A: is 2 x 3; give a square matrix");
}

TYPED_TEST(SymmetricFile, RefusesNonSymmetricMatrix) {
  auto matrix = this->make("minij", 5);
  matrix.A(1, 3) += TypeParam(0.25);
  const auto refused = [&](auto call) { return message(this->directory, call); };
  const std::string kind = is_complex<TypeParam> ? "hermitian" : "symmetric";
  const std::string expected = "matrix A: it is not " + kind +
                               ": elements (4, 2) and (2, 4) are 0.25 apart, the largest is 5; symmetrize it, or "
                               "store one triangle";
  EXPECT_EQ(refused([&] { write_symmetric(this->file, matrix); }), "A.h5: " + expected);
  EXPECT_FALSE(std::filesystem::exists(this->file));
  const auto mtx = this->directory / "A.mtx";
  write_matrix_market(mtx, matrix.A);
  EXPECT_EQ(refused([&] { read_symmetric(mtx); }), "A.mtx: " + expected);
  write_matrix_market(mtx, Matrix<TypeParam>(2, 3));
  EXPECT_EQ(refused([&] { read_symmetric(mtx); }), "A.mtx: matrix A: is 2 x 3; give a square matrix");
}

TEST(ComplexSymmetricFile, KeepsComplexSymmetry) {
  const TemporaryDirectory directory;
  const auto matrix =
      std::get<SymmetricMatrix<Complex>>(generate_symmetric({"random", ScalarType::z, Symmetry::symmetric, 140}));
  write_symmetric(directory / "A.h5", matrix);
  const auto read = std::get<SymmetricMatrix<Complex>>(read_symmetric(directory / "A.h5"));
  EXPECT_TRUE(same_bits(read.A, matrix.A));
  EXPECT_EQ(read.symmetry, Symmetry::symmetric);
  write_matrix_market(directory / "A.mtx", matrix.A);
  EXPECT_NO_THROW(read_symmetric(directory / "A.mtx", Symmetry::symmetric));
  EXPECT_THROW(read_symmetric(directory / "A.mtx"), InputError);
}

}  // namespace
}  // namespace pivotlab::io_test::symmetric_file_test
