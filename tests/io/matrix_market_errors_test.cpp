// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/check.hpp"
#include "generators/io/matrix_market.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::matrix_market_errors_test {
namespace {

class MatrixMarketErrors : public ::testing::Test {
 protected:
  TemporaryDirectory directory;

  std::string of(const std::string& text) {
    write_text(directory / "a.mtx", text);
    return message(directory, [&] { io::read_matrix_market(directory / "a.mtx"); });
  }
  std::string of(const std::string& banner, const std::string& rest) {
    return of("%%MatrixMarket matrix " + banner + "\n" + rest);
  }
};

TEST_F(MatrixMarketErrors, InvalidBanner) {
  const std::string rule =
      "; it must read '%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
      "general|symmetric|hermitian|skew-symmetric'";
  EXPECT_EQ(of("1 1\n2\n"), "a.mtx: line 1: no Matrix Market banner" + rule);
  EXPECT_EQ(of("%%MatrixMarket vector array real general\n"),
            "a.mtx: line 1: unknown object 'vector' in the banner" + rule);
  EXPECT_EQ(of("%%MatrixMarket matrix\n"), "a.mtx: line 1: the banner ends before the format" + rule);
  EXPECT_EQ(of("dense real general", ""), "a.mtx: line 1: unknown format 'dense' in the banner" + rule);
  EXPECT_EQ(of("array double general", ""), "a.mtx: line 1: unknown field 'double' in the banner" + rule);
  EXPECT_EQ(of("array real upper", ""), "a.mtx: line 1: unknown symmetry 'upper' in the banner" + rule);
  EXPECT_EQ(of("array real general really", ""), "a.mtx: line 1: 'really' follows the banner" + rule);
  EXPECT_EQ(of("array pattern general", ""),
            "a.mtx: line 1: an array cannot be a pattern; declare it real or give coordinates");
  EXPECT_EQ(of("coordinate pattern skew-symmetric", ""),
            "a.mtx: line 1: a pattern cannot be skew-symmetric; declare it symmetric or give values");
  EXPECT_EQ(of("array real hermitian", ""),
            "a.mtx: line 1: only a complex matrix can be hermitian; declare it symmetric");
}

TEST_F(MatrixMarketErrors, InvalidSizes) {
  EXPECT_EQ(of("array real general", "% nothing else\n"),
            "a.mtx: line 3: the file ends before the size line; complete the file");
  EXPECT_EQ(of("array real general", "2\n1\n2\n"),
            "a.mtx: line 2: the number of columns is missing; complete the line");
  EXPECT_EQ(of("array real general", "2 2 4\n"), "a.mtx: line 2: '4' follows the sizes; correct the size line");
  EXPECT_EQ(of("array real general", "0 2\n"),
            "a.mtx: line 2: the sizes are not positive; give a matrix with at least one row and one column");
  EXPECT_EQ(of("coordinate real general", "2 2 -1\n"),
            "a.mtx: line 2: the sizes are not positive; give a matrix with at least one row and one column");
  EXPECT_EQ(of("coordinate real general", "2.5 2 1\n"),
            "a.mtx: line 2: number of rows '2.5' is not an integer; correct the line");
  EXPECT_EQ(of("coordinate real general", "99999999999999999999 2 1\n"),
            "a.mtx: line 2: number of rows '99999999999999999999' is too large; correct the line");
  EXPECT_EQ(of("coordinate real general", "99999999999 2 1\n"),
            "a.mtx: line 2: a 99999999999 x 2 matrix is too large; correct the size line");
  EXPECT_EQ(of("coordinate real symmetric", "3 2 1\n"),
            "a.mtx: line 2: a 3 x 2 matrix cannot be symmetric; declare it general or correct the size line");
  EXPECT_EQ(
      of("coordinate real general", "2 2 1000000000\n1 1 1\n"),
      "a.mtx: line 2: 1000000000 entries are announced, more than a file of this size can hold; the file is truncated "
      "or the size line is wrong");
  EXPECT_EQ(
      of("array real general", "2000000000 2000000000\n1\n"),
      "a.mtx: line 2: 4000000000000000000 entries are announced, more than a file of this size can hold; the file is "
      "truncated or the size line is wrong");
  const io::MemoryLimit limit(1'000'000'000);
  EXPECT_EQ(of("coordinate real general", "2000000000 2000000000 1\n1 1 1\n"),
            "a.mtx: line 2: a dense 2000000000 x 2000000000 matrix needs 3.2e+10 GB and 1 GB are free; give a smaller "
            "matrix, "
            "free memory or use a larger machine");
}

TEST_F(MatrixMarketErrors, WrongNumberOfEntries) {
  EXPECT_EQ(of("coordinate real general", "% c\n2 2 3\n1 1 1\n2 2 5\n"),
            "a.mtx: line 6: the file ends after 2 of the 3 entries announced in line 3; the file is truncated or the "
            "size line "
            "is wrong");
  EXPECT_EQ(of("coordinate real general", "2 2 1\n1 1 1\n\n2 2 5\n"),
            "a.mtx: line 5: more than the 1 entries announced in line 2; remove the rest or correct the size line");
  EXPECT_EQ(of("array real symmetric", "2 2\n1\n2\n"),
            "a.mtx: line 5: the file ends after 2 of the 3 entries announced in line 2; the file is truncated or the "
            "size line "
            "is wrong");
  EXPECT_EQ(of("array real symmetric", "2 2\n1\n2\n3\n4\n"),
            "a.mtx: line 6: more than the 3 entries announced in line 2; remove the rest or correct the size line");
}

TEST_F(MatrixMarketErrors, InvalidEntry) {
  const std::string general = "coordinate real general";
  EXPECT_EQ(of(general, "2 2 1\n3 1 1\n"),
            "a.mtx: line 3: row 3 lies outside 1..2; correct the index or the size line");
  EXPECT_EQ(of(general, "2 2 1\n1 0 1\n"),
            "a.mtx: line 3: column 0 lies outside 1..2; correct the index or the size line");
  EXPECT_EQ(of(general, "2 2 1\n1 -1 1\n"),
            "a.mtx: line 3: column -1 lies outside 1..2; correct the index or the size line");
  EXPECT_EQ(of(general, "2 2 1\n1 1\n"), "a.mtx: line 3: the value is missing; complete the line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 1 1\n"), "a.mtx: line 3: '1' follows a complete entry; write one entry a line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 one\n"), "a.mtx: line 3: value 'one' is not a number; correct the line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 1.5x\n"), "a.mtx: line 3: value '1.5x' is not a number; correct the line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 +-1\n"), "a.mtx: line 3: value '+-1' is not a number; correct the line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 \x01\xff\n"), "a.mtx: line 3: value '?\?' is not a number; correct the line");
  EXPECT_EQ(of(general, "2 2 1\n% 1 1\n"), "a.mtx: line 3: row '%' is not an integer; correct the line");
  EXPECT_EQ(of(general, "2 2 1\n1 1 NaN\n"),
            "a.mtx: line 3: value 'NaN' is NaN, infinite or beyond the range of double; give finite numbers");
  EXPECT_EQ(of(general, "2 2 1\n1 1 -inf\n"),
            "a.mtx: line 3: value '-inf' is NaN, infinite or beyond the range of double; give finite numbers");
  EXPECT_EQ(of(general, "2 2 1\n1 1 1e999\n"),
            "a.mtx: line 3: value '1e999' is NaN, infinite or beyond the range of double; give finite numbers");
  EXPECT_EQ(of(general, "2 2 2\n1 2 1e308\n1 2 1e308\n"),
            "a.mtx: entry (1, 2): the sum of its duplicates overflows; store every entry once");
  EXPECT_EQ(of("coordinate complex general", "2 2 1\n1 1 1\n"),
            "a.mtx: line 3: the imaginary part is missing; complete the line");
  EXPECT_EQ(of("coordinate integer general", "2 2 1\n1 1 1.0\n"),
            "a.mtx: line 3: value '1.0' is not an integer; correct the line");
  for (const std::string value :
       {"9007199254740993", "-9007199254740993", "9223372036854775807", "+18446744073709551615",
        "123456789012345678901234567890123456789012345678901234567890"})
    EXPECT_EQ(of("coordinate integer general", "2 2 1\n1 1 " + value + "\n"),
              "a.mtx: line 3: value '" +
                  (value.size() < 33 ? value.substr(value[0] == '+') : value.substr(0, 32) + "...") +
                  "' is not a double, which skips integers beyond 2^53; declare the matrix real to have it rounded")
        << value;
  EXPECT_EQ(of("coordinate integer general", "2 2 1\n1 1 1" + std::string(400, '0') + "\n"),
            "a.mtx: line 3: value '1" + std::string(31, '0') +
                "...' is not a double, which skips integers beyond 2^53; declare the matrix real to have it rounded");
  EXPECT_EQ(of("array real general", "1 1\n" + std::string(300000, ' ') + "1\n"),
            "a.mtx: line 3: is longer than 262144 characters; write one entry a line");
}

TEST_F(MatrixMarketErrors, AcceptsIntegersThatDoubleHolds) {
  const auto read = [&](const std::string& value) {
    write_text(directory / "a.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 " + value + "\n");
    return std::get<Matrix<double>>(io::read_matrix_market(directory / "a.mtx"))(0, 0);
  };
  EXPECT_EQ(read("-7"), -7);
  EXPECT_EQ(read("9007199254740994"), 0x1p53 + 2);
  EXPECT_EQ(read("-9223372036854775808"), -0x1p63);
  EXPECT_EQ(read("+0018446744073709551616"), 0x1p64);
  EXPECT_EQ(read("-1267650600228229401496703205376"), -0x1p100);
}

TEST_F(MatrixMarketErrors, ChecksShapeBeforeAllocation) {
  const io::MemoryLimit limit(100'000);
  const auto error = [&](const std::string& sizes, auto read) {
    write_text(directory / "a.mtx", "%%MatrixMarket matrix coordinate real general\n" + sizes + "\n1 1 1\n");
    return message(directory, [&] { read(directory / "a.mtx"); });
  };
  const auto general = [](const auto& file) { read_general(file); };
  const auto symmetric = [](const auto& file) { read_symmetric(file); };
  const auto triangle = [](const auto& file) { read_triangle(file); };
  EXPECT_EQ(error("2147483647 1 1", general), "a.mtx: matrix A: is 2147483647 x 1; give a square matrix");
  EXPECT_EQ(error("2147483647 1 1", symmetric), "a.mtx: matrix A: is 2147483647 x 1; give a square matrix");
  EXPECT_EQ(error("2147483647 1 1", triangle), "a.mtx: matrix A: is 2147483647 x 1; give a square matrix");
  EXPECT_EQ(error("30000 30000 1", general),
            "a.mtx: line 2: a dense 30000 x 30000 matrix needs 7.2 GB and 0.0001 GB are free; give a smaller matrix, "
            "free memory or use a larger machine");
}

TEST_F(MatrixMarketErrors, InvalidTriangle) {
  EXPECT_EQ(
      of("coordinate real symmetric", "3 3 1\n1 2 5\n"),
      "a.mtx: line 3: entry (1, 2) lies above the diagonal of a matrix stored by its lower triangle; store the lower "
      "triangle only or declare the matrix general");
  EXPECT_EQ(of("coordinate real skew-symmetric", "3 3 1\n2 2 5\n"),
            "a.mtx: line 3: entry (2, 2) lies on the diagonal of a skew-symmetric matrix; leave the diagonal out");
  EXPECT_EQ(
      of("array complex hermitian", "1 1\n5 1\n"),
      "a.mtx: line 3: the diagonal entry (1, 1) of a hermitian matrix is not real; make it real or declare the matrix "
      "general");
}

TEST_F(MatrixMarketErrors, InvalidFile) {
  const auto error = [&](const std::string& name) {
    return message(directory, [&] { read_matrix(directory / name); });
  };
  EXPECT_EQ(error("none.mtx"), "none.mtx: there is no such file; check the name");
  std::filesystem::create_directory(directory / "folder");
  EXPECT_EQ(error("folder"), "folder: is not a regular file; give the name of a file");
  write_text(directory / "empty.mtx", "");
  EXPECT_EQ(error("empty.mtx"), "empty.mtx: the file is empty; write it again");
  write_text(directory / "image", "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(error("image"),
            "image: is neither HDF5 nor Matrix Market (it begins with '?PNG?\?\?\?'); convert it to one of them");
  write_text(directory / "a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  EXPECT_EQ(error("a.mtx:/F"), "a.mtx: /F: a Matrix Market file has no datasets; give the name of the file alone");
  EXPECT_EQ(message(directory, [&] { io::read_triplets(directory / "a.mtx"); }),
            "a.mtx: holds a dense array; give a coordinate file");
}

TEST_F(MatrixMarketErrors, InvalidCompression) {
  write_matrix_market(directory / "a.mtx.gz", any_matrix<double>(40, 40, 1));
  const auto bytes = read_bytes(directory / "a.mtx.gz");
  const auto error = [&](const std::string& content) {
    write_text(directory / "b.mtx.gz", content);
    return message(directory, [&] { read_matrix(directory / "b.mtx.gz"); });
  };
  for (const std::size_t size :
       {std::size_t{30}, bytes.size() / 2, bytes.size() - 9, bytes.size() - 4, bytes.size() - 1})
    EXPECT_EQ(error(bytes.substr(0, size)), "b.mtx.gz: the compressed file is truncated; copy or compress it again")
        << size;
  auto damaged = bytes;
  damaged[bytes.size() - 6] ^= 1;  // in the checksum
  EXPECT_EQ(error(damaged),
            "b.mtx.gz: the compressed file is damaged (incorrect data check); copy or compress it again");
}

}  // namespace
}  // namespace pivotlab::io_test::matrix_market_errors_test
