// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/matrix_market.hpp"

#include <zlib.h>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::matrix_market_test {
namespace {

using io::Symmetry;

class MatrixMarket : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "a.mtx";

  template <class T>
  Matrix<T> read(const std::string& banner, const std::string& rest) {
    write_text(file, "%%MatrixMarket matrix " + banner + "\n" + rest);
    return std::get<Matrix<T>>(read_matrix(file));
  }
};

template <class T>
Matrix<T> rows(std::initializer_list<std::initializer_list<T>> entries) {
  Matrix<T> A(static_cast<Index>(entries.size()), static_cast<Index>(entries.begin()->size()));
  Index i = 0;
  for (const auto& row : entries) {
    Index j = 0;
    for (const auto& x : row) A(i, j++) = x;
    ++i;
  }
  return A;
}

TEST_F(MatrixMarket, ReadsCoordinatesOfEveryFieldAndSymmetry) {
  EXPECT_TRUE(same_bits(read<double>("coordinate real general", "2 3 3\n2 3 -1.5\n1 1 +2\n1 2 1e-3\n"),
                        rows<double>({{2, 1e-3, 0}, {0, 0, -1.5}})));
  EXPECT_TRUE(
      same_bits(read<double>("coordinate real symmetric", "2 2 2\n1 1 3\n2 1 4\n"), rows<double>({{3, 4}, {4, 0}})));
  EXPECT_TRUE(
      same_bits(read<double>("coordinate real skew-symmetric", "2 2 1\n2 1 4\n"), rows<double>({{0, -4}, {4, 0}})));
  EXPECT_TRUE(same_bits(read<double>("coordinate integer general", "1 2 1\n1 2 -9007199254740992\n"),
                        rows<double>({{0, -9007199254740992.0}})));
  EXPECT_TRUE(
      same_bits(read<double>("coordinate integer symmetric", "2 2 1\n2 1 7\n"), rows<double>({{0, 7}, {7, 0}})));
  EXPECT_TRUE(
      same_bits(read<double>("coordinate integer skew-symmetric", "2 2 1\n2 1 7\n"), rows<double>({{0, -7}, {7, 0}})));
  EXPECT_TRUE(same_bits(read<double>("coordinate pattern general", "2 2 1\n1 2\n"), rows<double>({{0, 1}, {0, 0}})));
  EXPECT_TRUE(same_bits(read<double>("coordinate pattern symmetric", "2 2 1\n2 1\n"), rows<double>({{0, 1}, {1, 0}})));
  EXPECT_TRUE(
      same_bits(read<Complex>("coordinate complex general", "1 2 1\n1 2 1 -2\n"), rows<Complex>({{0, {1, -2}}})));
  EXPECT_TRUE(same_bits(read<Complex>("coordinate complex symmetric", "2 2 1\n2 1 1 -2\n"),
                        rows<Complex>({{0, {1, -2}}, {{1, -2}, 0}})));
  EXPECT_TRUE(same_bits(read<Complex>("coordinate complex hermitian", "2 2 2\n2 1 1 -2\n2 2 5 0\n"),
                        rows<Complex>({{0, {1, 2}}, {{1, -2}, 5}})));
  EXPECT_TRUE(same_bits(read<Complex>("coordinate complex skew-symmetric", "2 2 1\n2 1 1 -2\n"),
                        rows<Complex>({{0, {-1, 2}}, {{1, -2}, 0}})));
}

TEST_F(MatrixMarket, ReadsArraysOfEveryFieldAndSymmetry) {
  EXPECT_TRUE(same_bits(read<double>("array real general", "2 2\n1\n2\n3\n4\n"), rows<double>({{1, 3}, {2, 4}})));
  EXPECT_TRUE(same_bits(read<double>("array real symmetric", "2 2\n1\n2\n3\n"), rows<double>({{1, 2}, {2, 3}})));
  EXPECT_TRUE(same_bits(read<double>("array real skew-symmetric", "2 2\n2\n"), rows<double>({{0, -2}, {2, 0}})));
  EXPECT_TRUE(same_bits(read<double>("array integer general", "1 2\n1\n-2\n"), rows<double>({{1, -2}})));
  EXPECT_TRUE(same_bits(read<Complex>("array complex general", "1 2\n1 0\n-2 1\n"), rows<Complex>({{1, {-2, 1}}})));
  EXPECT_TRUE(same_bits(read<Complex>("array complex hermitian", "2 2\n1 0\n2 3\n4 0\n"),
                        rows<Complex>({{1, {2, -3}}, {{2, 3}, 4}})));
}

TEST_F(MatrixMarket, AcceptsCommentsBlankLinesAndAnyCase) {
  write_text(
      file,
      "%%MATRIXMARKET Matrix Coordinate REAL General\r\n%\r\n% comment\r\n\r\n 2\t2  1 \r\n\r\n  2 1   -7 \r\n\r\n");
  EXPECT_TRUE(same_bits(std::get<Matrix<double>>(read_matrix(file)), rows<double>({{0, 0}, {-7, 0}})));
  write_text(file, "%%MatrixMarket matrix array real general\n1 1\n5");  // no end of line
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(file))(0, 0), 5);
}

TEST_F(MatrixMarket, AddsDuplicatesInTheOrderOfTheFile) {
  const auto A = read<double>("coordinate real general", "2 2 5\n2 2 1\n1 1 1e16\n2 1 -0\n1 1 1\n1 1 -1e16\n");
  EXPECT_TRUE(same_bits(A, rows<double>({{1e16 + 1 - 1e16, 0}, {-0.0, 1}})));
}

TEST_F(MatrixMarket, ReadsNumbersThatUnderflowAsWhatTheyRoundTo) {
  EXPECT_TRUE(same_bits(read<double>("array real general", "3 1\n1e-400\n-1e-400\n3e-324\n"),
                        rows<double>({{0.0}, {-0.0}, {4.9406564584124654e-324}})));
}

TEST_F(MatrixMarket, TripletsAreOrderedByColumns) {
  write_text(file, "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n3 2 5\n2 1 0\n1 1 2\n3 2 1\n");
  const auto sparse = std::get<io::Triplets<double>>(io::read_triplets(file));
  ASSERT_EQ(sparse.entries.size(), 3u);
  EXPECT_EQ(sparse.symmetry, Symmetry::symmetric);
  EXPECT_EQ(sparse.entries[0].value, 2);
  EXPECT_EQ(sparse.entries[1].value, 0);
  EXPECT_EQ(sparse.entries[2].row, 2);
  EXPECT_EQ(sparse.entries[2].col, 1);
  EXPECT_EQ(sparse.entries[2].value, 6);
}

TEST_F(MatrixMarket, TheKindOfFileIsFoundByItsContentNotItsName) {
  const auto A = any_matrix<double>(4, 3, 1);
  write_matrix_market(directory / "a.mtx.gz", A);
  EXPECT_EQ(read_bytes(directory / "a.mtx.gz").substr(0, 2), "\x1f\x8b");
  std::filesystem::rename(directory / "a.mtx.gz", directory / "a.h5");
  EXPECT_TRUE(same_bits(std::get<Matrix<double>>(read_matrix(directory / "a.h5")), A));
  write_pair(directory / "pair.mtx", any_pair<double>(3, 3, 3, 1));
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(directory / "pair.mtx:/F")).rows(), 3);
}

TEST_F(MatrixMarket, ReadsLongPlainAndCompressedFiles) {
  const auto A = any_matrix<double>(300, 200, 9);  // about 1.4 MB of text
  for (const char* name : {"a.mtx", "a.mtx.gz"}) {
    write_matrix_market(directory / name, A);
    EXPECT_TRUE(same_bits(std::get<Matrix<double>>(read_matrix(directory / name)), A)) << name;
  }
}

template <class T>
class MatrixMarketWritten : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(MatrixMarketWritten, Scalars);

/// First line of what was written.
std::string banner(const std::filesystem::path& file) {
  const auto text = read_bytes(file);
  return text.substr(0, text.find('\n'));
}

TYPED_TEST(MatrixMarketWritten, InEverySymmetryReadsBackBitForBit) {
  const TemporaryDirectory directory;
  const auto file = directory / "a.mtx";
  constexpr std::array<const char*, 4> names{"general", "symmetric", "hermitian", "skew-symmetric"};
  for (const auto symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::skew_symmetric}) {
    if (!is_complex<TypeParam> && symmetry == Symmetry::hermitian) continue;
    for (const bool sparse : {false, true}) {
      auto A = any_matrix_with<TypeParam>(symmetry, 12, 4);
      if (sparse) {
        for (Index j = 0; j < 12; ++j)
          for (Index i = j; i < 12; ++i)
            if ((i + j) % 3 != 0) A(i, j) = 0;
        if (symmetry == Symmetry::general)
          for (Index j = 1; j < 12; ++j) std::fill_n(A.col(j).data(), j, TypeParam(0));
        io::complete(A.view(), symmetry);
      }
      write_matrix_market(file, A);
      EXPECT_EQ(banner(file), std::string("%%MatrixMarket matrix ") + (sparse ? "coordinate " : "array ") +
                                  (is_complex<TypeParam> ? "complex " : "real ") +
                                  names[static_cast<std::size_t>(symmetry)]);
      EXPECT_TRUE(same_bits(std::get<Matrix<TypeParam>>(read_matrix(file)), A)) << banner(file);
    }
  }
}

}  // namespace
}  // namespace pivotlab::io_test::matrix_market_test
