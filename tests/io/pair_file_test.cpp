// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <pivotlab/by_columns.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numeric>

#include "generators/io/check.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::pair_file_test {
namespace {

template <class T>
class PairFile : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "pair.h5";

  Pair<T> read() { return std::get<Pair<T>>(read_pair(file)); }
};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(PairFile, Scalars);

TYPED_TEST(PairFile, ReadsBackBitForBitInEveryShapeAndCompression) {
  // One entry; less than, exactly and more than a chunk of 128; several chunks with a remainder.
  constexpr std::array<std::array<Index, 3>, 5> shapes{
      {{1, 1, 1}, {5, 4, 3}, {128, 130, 128}, {300, 129, 129}, {257, 300, 200}}};
  for (const auto& [m_f, m_g, n] : shapes)
    for (const int compression : {0, 1, 9}) {
      const auto pair = any_pair<TypeParam>(m_f, m_g, n, 7);
      write_pair(this->file, pair, {.compression = compression});
      EXPECT_TRUE(same_bits(this->read(), pair)) << m_f << " " << m_g << " " << n << " level " << compression;
    }
}

TYPED_TEST(PairFile, MayHaveFewerSigmaAndInfiniteOnes) {
  auto pair = any_pair<TypeParam>(3, 2, 5, 7);
  const Quad infinity = std::numeric_limits<Quad>::infinity();
  for (const std::vector<Quad>& sigma :
       {std::vector<Quad>{infinity, infinity, Quad(1) / 3, 0}, {infinity, infinity}, {2, 1}, {}}) {
    pair.sigma = sigma;
    write_pair(this->file, pair);
    EXPECT_TRUE(same_bits(this->read(), pair));
    EXPECT_EQ(this->read().sigma, sigma);
  }
}

TYPED_TEST(PairFile, OneTriangleIsExactAndSmaller) {
  const Index n = 400;
  auto pair = any_pair<TypeParam>(n, n, n, 3);
  pair.F = any_matrix_with<TypeParam>(io::Symmetry::hermitian, n, 5);
  pair.G = any_matrix_with<TypeParam>(io::Symmetry::hermitian, n, 6);
  write_pair(this->file, pair);
  const auto both = std::filesystem::file_size(this->file);
  write_pair(this->file, pair, {.one_triangle = true});
  EXPECT_LT(std::filesystem::file_size(this->file), 0.7 * static_cast<double>(both));
  EXPECT_TRUE(same_bits(this->read(), pair));
}

TYPED_TEST(PairFile, OneTriangleKeepsNonHermitianMatrices) {
  auto pair = any_pair<TypeParam>(140, 140, 140, 3);
  pair.G = any_matrix_with<TypeParam>(io::Symmetry::hermitian, 140, 6);
  write_pair(this->file, pair, {.one_triangle = true});
  EXPECT_TRUE(same_bits(this->read(), pair));
}

/// The columns of A, in the order of `columns`.
template <class T>
Matrix<T> some_of(const Matrix<T>& A, const std::vector<Index>& columns) {
  Matrix<T> some(A.rows(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    std::ranges::copy(A.col(columns[k]), some.col(static_cast<Index>(k)).begin());
  return some;
}

// Runs of columns begin and end within chunks and at their edges.
TYPED_TEST(PairFile, ColumnsHaveTheBitsOfTheWholePair) {
  const auto pair = any_pair<TypeParam>(310, 300, 290, 7);
  std::vector<Index> all(290);
  std::iota(all.begin(), all.end(), Index(0));
  for (const int compression : {0, 4}) {
    write_pair(this->file, pair, {.compression = compression});
    for (const std::vector<Index>& columns :
         {all, {}, {289}, {0, 1, 2, 128, 127, 126}, {100, 101, 150, 151, 152, 255, 256, 257, 5, 6}}) {
      const auto part = read_pair_columns<TypeParam>(this->file, columns);
      EXPECT_TRUE(same_bits(part.F, some_of(pair.F, columns)));
      EXPECT_TRUE(same_bits(part.G, some_of(pair.G, columns)));
      EXPECT_EQ(part.provenance, pair.provenance);
    }
  }
}

TYPED_TEST(PairFile, AHeadIsTheWholePairWithoutItsElements) {
  auto pair = any_pair<TypeParam>(12, 11, 10, 7);
  pair.sigma.clear();
  for (int k = 10; k > 0; --k) pair.sigma.push_back(Quad(k) / 3);
  write_pair(this->file, pair);
  const PairHead head = read_pair_head(this->file);
  EXPECT_EQ(head.type, scalar_type<TypeParam>);
  EXPECT_EQ(std::vector({head.m_f, head.m_g, head.n}), std::vector<Index>({12, 11, 10}));
  EXPECT_EQ(head.sigma, pair.sigma);
  EXPECT_EQ(head.provenance, pair.provenance);
}

TYPED_TEST(PairFile, ColumnsNeedNoMemoryForTheWhole) {
  const auto pair = any_pair<TypeParam>(400, 400, 400, 7);
  write_pair(this->file, pair);
  const io::MemoryLimit limit(300'000);  // more than a chunk takes
  EXPECT_NE(message(this->directory, [&] { read_pair(this->file); }), "");
  EXPECT_NE(message(this->directory, [&] { read_pair_columns<TypeParam>(this->file, std::vector<Index>(200)); }), "");
  EXPECT_EQ(read_pair_head(this->file).n, 400);
  EXPECT_TRUE(same_bits(read_pair_columns<TypeParam>(this->file, {7, 8}).G, some_of(pair.G, {7, 8})));
}

TYPED_TEST(PairFile, ColumnsOfWhatHasNoneAreRefused) {
  using Other = std::conditional_t<is_complex<TypeParam>, double, Complex>;
  auto pair = any_pair<TypeParam>(9, 9, 9, 7);
  write_pair(this->file, pair);
  const auto error = [&](Index column) {
    return message(this->directory, [&] { read_pair_columns<TypeParam>(this->file, {column}); });
  };
  EXPECT_EQ(error(9), "pair.h5: /F: has 9 columns, and others are asked for; ask for those that there are");
  EXPECT_EQ(error(-1), error(9));
  EXPECT_TRUE(
      message(this->directory, [&] { read_pair_columns<Other>(this->file, {0}); }).ends_with("; read it by its type"));
  pair.F = any_matrix_with<TypeParam>(io::Symmetry::hermitian, 9, 5);
  write_pair(this->file, pair, {.one_triangle = true});
  EXPECT_EQ(error(0), "pair.h5: /F: is stored as one triangle, which has no whole columns; store all of it");
}

TYPED_TEST(PairFile, TruthIsExactOverTheWholeRangeOfQuad) {
  auto pair = any_pair<TypeParam>(9, 9, 9, 1);
  const Quad third = Quad(1) / 3;
  pair.sigma = {std::numeric_limits<Quad>::max(),
                ldexp(third, 9000),
                Quad(1e300) * third,
                sqrt(Quad(2)),
                third,
                ldexp(third, -1000),  // the low parts would underflow if they were not scaled
                ldexp(third, -9000),
                std::numeric_limits<Quad>::min(),
                Quad(0)};
  write_pair(this->file, pair);
  EXPECT_EQ(this->read().sigma, pair.sigma);
}

TYPED_TEST(PairFile, NoTruthAndNoProvenanceStayUnknown) {
  auto pair = any_pair<TypeParam>(4, 3, 2, 1);
  pair.sigma.clear();
  write_pair(this->file, pair);
  EXPECT_TRUE(this->read().sigma.empty());
}

TYPED_TEST(PairFile, EqualPairsGiveEqualFiles) {
  const auto pair = any_pair<TypeParam>(150, 140, 130, 1);
  write_pair(this->file, pair);
  write_pair(this->directory / "again.h5", pair);
  EXPECT_EQ(read_bytes(this->file), read_bytes(this->directory / "again.h5"));
}

TYPED_TEST(PairFile, HoldsAttributesOfTheCallerBesideItsOwn) {
  const auto pair = any_pair<TypeParam>(4, 3, 2, 1);
  write_pair(this->file, pair, {}, {{"command", "pivotlab generate gsvd paper"}});
  EXPECT_NE(read_bytes(this->file).find("pivotlab generate gsvd paper"), std::string::npos);
  EXPECT_TRUE(same_bits(this->read().F, pair.F));
  EXPECT_EQ(message(this->directory,
                    [&] {
                      write_pair(this->directory / "other.h5", pair, {}, {{"provenance", "mine"}});
                    }),
            "other.h5: attribute provenance: is written from the content; choose another name");
  EXPECT_FALSE(std::filesystem::exists(this->directory / "other.h5"));
}

TYPED_TEST(PairFile, EveryFlippedBitIsFoundOrHarmless) {
  for (const int compression : {0, 4}) {
    const auto pair = any_pair<TypeParam>(5, 4, 3, 1);
    write_pair(this->file, pair, {.compression = compression});
    const auto bytes = read_bytes(this->file);
    const auto damaged_file = this->directory / "damaged.h5";
    int found = 0;
    for (std::size_t k = 0; k < bytes.size(); k += 7) {
      auto damaged = bytes;
      damaged[k] = static_cast<char>(damaged[k] ^ (1 << (k % 8)));
      write_text(damaged_file, damaged);
      try {
        auto read = std::get<Pair<TypeParam>>(read_pair(damaged_file));
        EXPECT_TRUE(same_bits(read.F, pair.F) && same_bits(read.G, pair.G)) << "byte " << k << " level " << compression;
        EXPECT_EQ(read.sigma, pair.sigma) << "byte " << k << " level " << compression;
      } catch (const InputError&) {
        ++found;
      }
    }
    EXPECT_GT(found, 100);
  }
}

TYPED_TEST(PairFile, EveryTruncationIsFound) {
  write_pair(this->file, any_pair<TypeParam>(5, 4, 3, 1));
  const auto bytes = read_bytes(this->file);
  for (std::size_t size = 0; size < bytes.size(); size += 101) {
    write_text(this->directory / "cut.h5", bytes.substr(0, size));
    EXPECT_THROW(read_pair(this->directory / "cut.h5"), InputError) << size << " of " << bytes.size();
  }
}

TYPED_TEST(PairFile, NothingIsPrintedToStandardError) {
  write_pair(this->file, any_pair<TypeParam>(5, 4, 3, 1));
  write_text(this->directory / "cut.h5", read_bytes(this->file).substr(0, 700));
  ::testing::internal::CaptureStderr();
  EXPECT_THROW(read_pair(this->directory / "cut.h5"), InputError);
  EXPECT_THROW(read_matrix(this->file.string() + ":/nothing"), InputError);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(PairFileErrors, AreOneLineWithFilePlaceAndRemedy) {
  const TemporaryDirectory directory;
  const auto file = directory / "p.h5";
  auto pair = any_pair<double>(5, 4, 3, 1);
  const auto write_error = [&](const Pair<double>& p, const PairFileOptions& options = {}) {
    return message(directory, [&] { write_pair(file, p, options); });
  };
  EXPECT_EQ(write_error(pair, {.compression = 10}), "p.h5: compression: 10 is not a level of deflate; choose 0..9");
  auto bad = pair;
  bad.F(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(write_error(bad),
            "p.h5: F: the entry in row 3, column 2 is NaN or infinite; give a matrix of finite numbers");
  bad = pair;
  bad.G = Matrix<double>(4, 2);
  EXPECT_EQ(write_error(bad), "p.h5: F is 5 x 3 and G is 4 x 2; give two matrices with equally many columns");
  bad = pair;
  bad.sigma.push_back(0);
  EXPECT_EQ(write_error(bad), "p.h5: sigma: 4 singular values for 3 columns; give at most one for each column");
  bad = pair;
  bad.sigma[1] = 100;
  EXPECT_EQ(write_error(bad),
            "p.h5: sigma: value 2 is negative, not a number or larger than the one before; give the singular values in "
            "descending order");
  EXPECT_EQ(directory.files(), 0u) << "something was written";

  EXPECT_EQ(message(directory, [&] { read_pair(file); }), "p.h5: there is no such file; check the name");
  write_text(file, "");
  EXPECT_EQ(message(directory, [&] { read_pair(file); }), "p.h5: the file is empty; write it again");
  write_text(file, "not HDF5 at all");
  EXPECT_EQ(message(directory, [&] { read_pair(file); }),
            "p.h5: is not an HDF5 file; give a file written by write_pair, generate or h5py");
  write_pair(file, pair);
  write_text(file, read_bytes(file).substr(0, 2000));
  EXPECT_EQ(
      message(directory, [&] { read_pair(file); }),
      "p.h5: cannot be opened (HDF5: truncated file); the file is damaged or still being written; copy or write it "
      "again");
}

TEST(PairFileErrors, AMatrixBeyondTheMemoryIsRefused) {
  const TemporaryDirectory directory;
  write_pair(directory / "p.h5", any_pair<double>(50, 40, 30, 1));
  const io::MemoryLimit limit(15'000);  // enough for each of the two
  EXPECT_EQ(
      message(directory, [&] { read_pair(directory / "p.h5"); }),
      "p.h5: the pair needs 2.16e-05 GB and 1.5e-05 GB are free; give a smaller matrix, free memory or use a larger "
      "machine");
}

/// Python with h5py, or nothing.
bool have_h5py() {
  return std::filesystem::exists(PIVOTLAB_PYTHON) &&
         std::system(PIVOTLAB_PYTHON " -c 'import h5py' > /dev/null 2>&1") == 0;
}

int run_python(const TemporaryDirectory& directory, const std::string& script) {
  write_text(directory / "script.py", script);
  return std::system(("cd '" + directory.path().string() + "' && " PIVOTLAB_PYTHON " script.py").c_str());
}

TEST(PairFileInPython, H5pySeesRowsColumnsAndComplexNumbersRight) {
  if (!have_h5py()) GTEST_SKIP() << "no h5py in the project's virtual environment";
  const TemporaryDirectory directory;
  Pair<Complex> pair{Matrix<Complex>(3, 2), Matrix<Complex>(2, 2), {Quad(1) / 3, Quad(1) / 7}, "by hand"};
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 2; ++j) pair.F(i, j) = Complex(static_cast<double>(10 * i + j), -1.0);
  pair.G(0, 0) = pair.G(1, 1) = 1;
  write_pair(directory / "p.h5", pair);
  EXPECT_EQ(run_python(directory, R"(
import h5py, fractions
with h5py.File("p.h5") as f:
    assert f["F"].shape == (3, 2) and f["F"].dtype == "complex128", (f["F"].shape, f["F"].dtype)
    assert all(f["F"][i, j] == 10 * i + j - 1j for i in range(3) for j in range(2)), f["F"][:]
    assert f["F"].compression == "gzip" and f["F"].shuffle
    assert f.attrs["provenance"] == b"by hand" and f.attrs["type"] == b"z" and f.attrs["m_f"] == 3
    assert list(f["sigma"]) == [1 / 3, 1 / 7]
    parts = [fractions.Fraction(x) for x in f["sigma_exact"][0]]
    assert abs(sum(parts[:3]) * fractions.Fraction(2) ** parts[3] - fractions.Fraction(1, 3)) < 2 ** -110
)"),
            0);
}

TEST(PairFileInPython, ReadsPairWrittenByH5py) {
  if (!have_h5py()) GTEST_SKIP() << "no h5py in the project's virtual environment";
  const TemporaryDirectory directory;
  ASSERT_EQ(run_python(directory, R"(
import h5py, numpy as np
F = np.array([[1, 2], [3, 4], [5, 6]]) + 1j * np.array([[0, -1], [0, 2], [0.5, 0]])
with h5py.File("p.h5", "w") as f:
    f["F"] = F
    f.attrs["provenance"] = np.bytes_("by hand")
    f.create_dataset("G", data=F[:2].astype(np.complex64), chunks=(1, 2), compression="gzip", fletcher32=True)
    f.create_group("group")["A"] = np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3).astype(">i2"))
)"),
            0);
  const auto pair = std::get<Pair<Complex>>(read_pair(directory / "p.h5"));
  EXPECT_EQ(pair.F.rows(), 3);
  EXPECT_EQ(pair.F(2, 0), Complex(5, 0.5));
  EXPECT_EQ(pair.G(0, 1), Complex(2, -1));
  EXPECT_EQ(pair.provenance, "by hand");
  const auto A = std::get<Matrix<double>>(read_matrix(directory / "p.h5:/group/A"));
  EXPECT_EQ(A.rows(), 2);
  EXPECT_EQ(A(1, 0), 3);
}

}  // namespace
}  // namespace pivotlab::io_test::pair_file_test
