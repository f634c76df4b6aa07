// SPDX-License-Identifier: BSD-3-Clause
// One triangle of a matrix from a file: the same bits as from reading the whole matrix, independent of the other
// triangle.
#include <hdf5.h>

#include <array>
#include <fstream>
#include <limits>

#include <pivotlab/generate.hpp>

#include "generators/io/check.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::triangle_test {
namespace {

constexpr std::array both{InputTriangle::lower, InputTriangle::upper};

template <class T>
::testing::AssertionResult same_triangle(const PackedTriangle<T>& A, const PackedTriangle<T>& B) {
  if (A.order() != B.order()) return ::testing::AssertionFailure() << "orders " << A.order() << " and " << B.order();
  for (Index j = 0; j < A.order(); ++j) {
    if (!io::same_bits(A.diagonal(j), B.diagonal(j))) return ::testing::AssertionFailure() << "diagonal " << j;
    if (A.column(j)[j] != T(0)) return ::testing::AssertionFailure() << "the diagonal is not apart in column " << j;
    for (Index i = j + 1; i < A.order(); ++i)
      if (!io::same_bits(A.column(j)[i], B.column(j)[i]))
        return ::testing::AssertionFailure() << "element (" << i << ", " << j << ")";
  }
  return ::testing::AssertionSuccess();
}

/// Both triangles anything; of Hermitian matrices, the diagonal real.
template <class T>
Matrix<T> unsymmetric(Index n, Symmetry symmetry, unsigned seed) {
  auto A = any_matrix<T>(n, n, seed);
  for (Index i = 0; i < n && symmetry == Symmetry::hermitian; ++i) A(i, i) = real_part(A(i, i));
  return A;
}

/// The dataset A of a new file, as h5py writes it: by rows, contiguous or, with an order of chunks, in chunks.
template <class T>
void write_foreign(const std::filesystem::path& file, const Matrix<T>& A, std::array<hsize_t, 2> chunk = {}) {
  std::vector<T> by_rows;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j) by_rows.push_back(A(i, j));
  const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  if (is_complex<T>) {
    H5Tclose(type);
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "r", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", 8, H5T_NATIVE_DOUBLE);
  }
  const std::array<hsize_t, 2> shape{static_cast<hsize_t>(A.rows()), static_cast<hsize_t>(A.cols())};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (chunk[0] != 0) H5Pset_chunk(creation, 2, chunk.data());
  const hid_t dataset = H5Dcreate2(opened, "A", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, by_rows.data()), 0);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(opened);
}

template <class T>
class TriangleFile : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "A.h5";

  PackedTriangle<T> read(InputTriangle triangle, Symmetry symmetry = Symmetry::hermitian) {
    return std::get<PackedTriangle<T>>(read_triangle(file, triangle, symmetry));
  }
  static constexpr std::array symmetries{Symmetry::hermitian, Symmetry::symmetric};
};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(TriangleFile, Scalars);

TYPED_TEST(TriangleFile, HasTheBitsOfTheWholeReadingForEveryLayout) {
  using T = TypeParam;
  // Blocks of several rows, of a part of a row, and of one chunk, most of them cut by the diagonal and by the edge.
  constexpr std::array<std::array<hsize_t, 2>, 7> layouts{
      {{}, {1, 601}, {601, 1}, {7, 11}, {128, 128}, {100, 600}, {601, 601}}};
  for (const Symmetry symmetry : this->symmetries) {
    const auto A = unsymmetric<T>(601, symmetry, 3);
    for (const auto& chunk : layouts) {
      SCOPED_TRACE(testing::Message() << "chunks " << chunk[0] << " x " << chunk[1]);
      write_foreign(this->file, A, chunk);
      const auto whole = std::get<Matrix<T>>(read_matrix(this->file));
      ASSERT_TRUE(same_bits(whole, A));
      for (const InputTriangle triangle : both)
        EXPECT_TRUE(same_triangle(this->read(triangle, symmetry), pack<T>(whole, triangle, symmetry)));
    }
  }
}

TYPED_TEST(TriangleFile, ReadsTriangleOfOwnFiles) {
  using T = TypeParam;
  for (const Symmetry symmetry : this->symmetries) {
    const auto matrix = std::get<SymmetricMatrix<T>>(generate_symmetric({"random", scalar_type<T>, symmetry, 300}));
    write_symmetric(this->file, matrix);
    const auto whole = std::get<SymmetricMatrix<T>>(read_symmetric(this->file));
    for (const InputTriangle triangle : {InputTriangle::whole, InputTriangle::lower, InputTriangle::upper}) {
      // The symmetry that the file states takes precedence.
      const auto packed = this->read(triangle, Symmetry::hermitian);
      EXPECT_TRUE(same_triangle(packed, pack<T>(whole.A, triangle, symmetry)));
      EXPECT_TRUE(same_bits(unpack(packed, symmetry), matrix.A));
    }
  }
}

TYPED_TEST(TriangleFile, ReadsTriangleOfMatrixMarket) {
  using T = TypeParam;
  this->file = this->directory / "A.mtx";
  for (const Symmetry symmetry : this->symmetries) {
    const auto A = unsymmetric<T>(23, symmetry, 5);
    write_matrix_market(this->file, A);
    for (const InputTriangle triangle : both)
      EXPECT_TRUE(same_triangle(this->read(triangle, symmetry), pack<T>(A, triangle, symmetry)));
  }
}

TYPED_TEST(TriangleFile, TakesNothingOfTheOtherTriangle) {
  using T = TypeParam;
  const Index n = 40;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const InputTriangle triangle : both) {
    const bool lower = triangle == InputTriangle::lower;
    auto A = unsymmetric<T>(n, Symmetry::hermitian, 7), other = A;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        if (lower ? i < j : i > j) other(i, j) = T(nan);
    for (const std::array<hsize_t, 2> chunk : {std::array<hsize_t, 2>{}, {16, 16}}) {
      write_foreign(this->file, other, chunk);
      EXPECT_TRUE(same_triangle(this->read(triangle), pack<T>(A, triangle)));
      auto bad = other;
      bad(lower ? 30 : 2, lower ? 2 : 30) = T(nan);
      write_foreign(this->file, bad, chunk);
      EXPECT_EQ(message(this->directory, [&] { this->read(triangle); }),
                std::string("A.h5: /A: the entry in row ") + (lower ? "31, column 3" : "3, column 31") +
                    " is NaN or infinite; give a matrix of finite numbers");
    }
  }
}

/// Returns the bytes that this process has read so far; nothing if the system does not report them.
std::optional<double> bytes_read() {
  std::ifstream stream("/proc/self/io");
  std::string name;
  double bytes = 0;
  if (stream >> name >> bytes && name == "rchar:") return bytes;
  return std::nullopt;
}

TYPED_TEST(TriangleFile, IsHalfOfWhatIsReadOfTheWholeMatrix) {
  using T = TypeParam;
  if (!bytes_read()) GTEST_SKIP() << "this system does not tell how much was read";
  const auto A = unsymmetric<T>(1000, Symmetry::hermitian, 9);
  for (const std::array<hsize_t, 2> chunk : {std::array<hsize_t, 2>{}, {64, 64}}) {
    write_foreign(this->file, A, chunk);
    const auto of = [&](auto call) {
      const double before = *bytes_read();
      call();
      return *bytes_read() - before;
    };
    const double whole = of([&] { read_matrix(this->file); });
    EXPECT_GT(whole, 1e6 * sizeof(T));
    for (const InputTriangle triangle : both) EXPECT_LT(of([&] { this->read(triangle); }), 0.6 * whole);
  }
}

TYPED_TEST(TriangleFile, FitsWhereTheWholeMatrixDoesNot) {
  using T = TypeParam;
  const auto A = unsymmetric<T>(100, Symmetry::hermitian, 11);
  write_foreign(this->file, A);
  const io::MemoryLimit limit(6000 * sizeof(T));
  EXPECT_THROW(read_matrix(this->file), InputError);
  EXPECT_TRUE(same_triangle(this->read(InputTriangle::upper), pack<T>(A, InputTriangle::upper)));
}

TYPED_TEST(TriangleFile, RefusesTruncatedFile) {
  using T = TypeParam;
  const auto A = unsymmetric<T>(60, Symmetry::hermitian, 13);
  const auto matrix =
      std::get<SymmetricMatrix<T>>(generate_symmetric({"random", scalar_type<T>, Symmetry::hermitian, 60}));
  for (const bool own : {false, true}) {
    if (own)
      write_symmetric(this->file, matrix);
    else
      write_foreign(this->file, A);
    const auto bytes = read_bytes(this->file);
    for (std::size_t part = 0; part < 16; ++part) {
      write_text(this->file, bytes.substr(0, bytes.size() * part / 16));
      for (const InputTriangle triangle : both)
        EXPECT_TRUE(message(this->directory, [&] { this->read(triangle); }).starts_with("A.h5: ")) << part;
    }
  }
}

TYPED_TEST(TriangleFile, RefusesFilesWithoutTriangles) {
  using T = TypeParam;
  const auto refused = [&](InputTriangle triangle = InputTriangle::upper) {
    return message(this->directory, [&] { this->read(triangle); });
  };
  write_foreign(this->file, any_matrix<T>(2, 3, 1));
  EXPECT_EQ(refused(), "A.h5: matrix A: is 2 x 3; give a square matrix");
  auto A = unsymmetric<T>(3, Symmetry::hermitian, 1);
  A(2, 1) = A(1, 2) + T(0.25);
  write_foreign(this->file, A);
  EXPECT_TRUE(refused(InputTriangle::whole).starts_with("A.h5: matrix A: it is not "));
  EXPECT_EQ(message(this->directory, [&] { read_triangle(this->file.string() + ":/B"); }),
            "A.h5: /B: there is no such dataset; the file has /A");
  write_text(this->file, "no matrix");
  EXPECT_TRUE(refused().starts_with("A.h5: is neither HDF5 nor Matrix Market"));
  write_matrix_market(this->directory / "A.mtx", any_matrix<T>(2, 3, 1));
  EXPECT_EQ(message(this->directory, [&] { read_triangle(this->directory / "A.mtx"); }),
            "A.mtx: matrix A: is 2 x 3; give a square matrix");
}

TEST(HermitianTriangleFile, HasARealDiagonal) {
  const TemporaryDirectory directory;
  auto A = unsymmetric<Complex>(3, Symmetry::hermitian, 1);
  A(1, 1) = {1, 0.5};
  write_foreign(directory / "A.h5", A);
  write_matrix_market(directory / "A.mtx", A);
  for (const std::string name : {"A.h5", "A.mtx"}) {
    EXPECT_EQ(message(directory, [&] { read_triangle(directory / name); }),
              name +
                  ": matrix A: it is not hermitian: element (2, 2) has the imaginary part 0.5; symmetrize it, or "
                  "store one triangle");
    EXPECT_NO_THROW(read_triangle(directory / name, InputTriangle::lower, Symmetry::symmetric));
  }
}

}  // namespace
}  // namespace pivotlab::io_test::triangle_test
