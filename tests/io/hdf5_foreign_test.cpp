// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files of other programs are read, or refused with one line.
#include <hdf5.h>

#include <pivotlab/by_columns.hpp>

#include <array>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::hdf5_foreign_test {
namespace {

class ForeignHdf5 : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "f.h5";
  hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

  void TearDown() override { close(); }
  void close() {
    if (opened >= 0) H5Fclose(opened);
    opened = -1;
  }
  /// Adds a dataset; the values are of the file's type.
  void add(const char* name, hid_t type, std::vector<hsize_t> shape, const void* values, hid_t creation = H5P_DEFAULT) {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(opened, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ASSERT_GE(dataset, 0);
    if (values != nullptr) {
      ASSERT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    }
    H5Dclose(dataset);
    H5Sclose(space);
  }
  std::string error(const std::string& dataset) {
    close();
    return message(directory, [&] { read_matrix(file.string() + dataset); });
  }
  std::string pair_error() {
    close();
    return message(directory, [&] { read_pair(file); });
  }
};

constexpr std::array<double, 6> values{1, 2, 3, 4, 5, 6};

TEST_F(ForeignHdf5, TheOnlyMatrixNeedsNoName) {
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  add("x", H5T_NATIVE_DOUBLE, {6}, values.data());
  close();
  const auto A = std::get<Matrix<double>>(read_matrix(file));
  EXPECT_EQ(A.rows(), 2);
  EXPECT_EQ(A(0, 2), 3);
  EXPECT_EQ(A(1, 0), 4);
}

TEST_F(ForeignHdf5, ConvertsForeignNumberTypesExactly) {
  const std::array<float, 2> floats{0.5F, -3};
  const std::array<std::int64_t, 2> integers{-(std::int64_t{1} << 53), 7};
  add("float", H5T_NATIVE_FLOAT, {1, 2}, floats.data());
  add("integer", H5T_NATIVE_INT64, {1, 2}, integers.data());
  const std::array<unsigned char, 8> one{0x3f, 0xf0};
  add("big", H5T_IEEE_F64BE, {1, 1}, one.data());
  close();
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(directory / "f.h5:/float"))(0, 1), -3);
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(directory / "f.h5:/integer"))(0, 0), -0x1p53);
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(directory / "f.h5:/big"))(0, 0), 1);
}

TEST_F(ForeignHdf5, ColumnsAreReadFromEveryLayout) {
  constexpr hsize_t m = 301, n = 307;
  std::vector<double> entries(m * n);
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = static_cast<double>(k);
  constexpr std::array<hsize_t, 2> chunk{7, 11};
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk.data());
  add("F", H5T_NATIVE_DOUBLE, {m, n}, entries.data());
  add("G", H5T_NATIVE_DOUBLE, {m, n}, entries.data(), creation);
  H5Pclose(creation);
  close();
  const std::vector<Index> columns{3, 4, 5, 21, 22, 306};
  const auto pair = read_pair_columns<double>(file, columns);
  for (const auto* A : {&pair.F, &pair.G})
    for (Index j = 0; j < A->cols(); ++j)
      for (Index i = 0; i < A->rows(); ++i)
        ASSERT_EQ((*A)(i, j), static_cast<double>(i * Index(n) + columns[static_cast<std::size_t>(j)]));
}

TEST_F(ForeignHdf5, EveryShapeOfChunksIsRead) {
  constexpr hsize_t m = 301, n = 307;
  std::vector<double> entries(m * n);
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = static_cast<double>(k);
  constexpr std::array<std::array<hsize_t, 2>, 5> chunks{{{1, 307}, {301, 1}, {7, 11}, {301, 307}, {100, 300}}};
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunks[k].data());
    add(("A" + std::to_string(k)).c_str(), H5T_NATIVE_DOUBLE, {m, n}, entries.data(), creation);
    H5Pclose(creation);
  }
  add("A5", H5T_NATIVE_DOUBLE, {m, n}, entries.data());  // contiguous
  close();
  for (std::size_t k = 0; k <= chunks.size(); ++k) {
    const auto A = std::get<Matrix<double>>(read_matrix(file.string() + ":/A" + std::to_string(k)));
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j < A.cols(); ++j) ASSERT_EQ(A(i, j), static_cast<double>(i * A.cols() + j)) << "A" << k;
  }
}

TEST_F(ForeignHdf5, NoSuchDatasetNamesThoseThatAreThere) {
  add("B", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  EXPECT_EQ(error(""), "f.h5: has 2 matrices; name one as f.h5:/A (/A, /B)");
  EXPECT_EQ(error(":/C"), "f.h5: /C: there is no such dataset; the file has /A, /B");
  EXPECT_EQ(error(":/A/deeper"), "f.h5: /A/deeper: there is no such dataset; the file has /A, /B");
  EXPECT_EQ(error(":/"), "f.h5: /: is a group, not a dataset; name a dataset in it");
  EXPECT_EQ(pair_error(), "f.h5: /F: there is no such dataset; the file has /A, /B");
}

TEST_F(ForeignHdf5, AFileWithoutMatricesSaysSo) {
  EXPECT_EQ(error(""), "f.h5: has no matrix; name a dataset, as in file.h5:/group/dataset");
  EXPECT_EQ(error(":/A"), "f.h5: /A: there is no such dataset; the file has no matrix; give another file");
}

TEST_F(ForeignHdf5, ShapesAndTypesThatAreNoMatricesAreRefused) {
  const std::array<long double, 6> longs{1};
  const std::array<std::int64_t, 2> integers{(std::int64_t{1} << 53) + 1, 7};
  add("vector", H5T_NATIVE_DOUBLE, {6}, values.data());
  add("cube", H5T_NATIVE_DOUBLE, {1, 2, 3}, values.data());
  add("empty", H5T_NATIVE_DOUBLE, {0, 3}, nullptr);
  add("long", H5T_NATIVE_LDOUBLE, {2, 3}, longs.data());
  add("text", H5T_C_S1, {1, 6}, "abcdef");
  add("integer", H5T_NATIVE_INT64, {1, 2}, integers.data());
  EXPECT_EQ(error(":/vector"), "f.h5: /vector: has 1 dimension, not 2; give a matrix of two dimensions");
  EXPECT_EQ(error(":/cube"), "f.h5: /cube: has 3 dimensions, not 2; give a matrix of two dimensions");
  EXPECT_EQ(error(":/empty"),
            "f.h5: /empty: the matrix is empty (0 x 3); give one with at least one row and one column");
  EXPECT_EQ(error(":/long"), "f.h5: /long: holds numbers of an uncommon type; convert it to float64");
  EXPECT_EQ(error(":/text"), "f.h5: /text: holds text; give float64, or complex128 as {r, i}");
  EXPECT_EQ(error(":/integer"),
            "f.h5: /integer: the entry in row 1, column 1 is 9007199254740993, which no double holds; give integers up "
            "to 2^53, or numbers rounded to float64");
}

TEST_F(ForeignHdf5, NaNIsNamedByRowAndColumn) {
  auto bad = values;
  bad[5] = std::numeric_limits<double>::quiet_NaN();
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, bad.data());
  EXPECT_EQ(error(":/A"), "f.h5: /A: the entry in row 2, column 3 is NaN or infinite; give a matrix of finite numbers");
}

TEST_F(ForeignHdf5, RefusesInvalidPairs) {
  add("F", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  add("G", H5T_NATIVE_DOUBLE, {3, 2}, values.data());
  EXPECT_EQ(pair_error(), "f.h5: F has 3 columns and G 2; store matrices with equally many columns");
}

TEST_F(ForeignHdf5, ATruthThatDoesNotFitIsRefused) {
  add("F", H5T_NATIVE_DOUBLE, {3, 2}, values.data());
  add("G", H5T_NATIVE_DOUBLE, {3, 2}, values.data());
  add("sigma_exact", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  EXPECT_EQ(pair_error(), "f.h5: /sigma_exact: is 2 x 3, not 2 x 4; write the file again");
}

TEST_F(ForeignHdf5, ATruthThatCannotBeIsRefused) {
  add("F", H5T_NATIVE_DOUBLE, {3, 2}, values.data());
  add("G", H5T_NATIVE_DOUBLE, {3, 2}, values.data());
  const std::array<double, 8> parts{0.5, 0, 0, 1, 0.5, 0, 0, 2};  // 1, 2
  add("sigma_exact", H5T_NATIVE_DOUBLE, {2, 4}, parts.data());
  EXPECT_EQ(pair_error(), "f.h5: /sigma_exact: row 2: the singular values do not descend; write the file again");
}

TEST_F(ForeignHdf5, LinksIntoOtherFilesAreNotFollowed) {
  H5Lcreate_external((directory / "other.h5").c_str(), "/A", opened, "A", H5P_DEFAULT, H5P_DEFAULT);
  write_pair(directory / "other.h5", any_pair<double>(3, 3, 3, 1));
  EXPECT_EQ(error(":/A"), "f.h5: /A: there is no such dataset; the file has no matrix; give another file");
  const hid_t other = H5Fopen((directory / "f.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Fclose(other);
}

TEST_F(ForeignHdf5, DataInOtherFilesAreNotRead) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, (directory / "data.bin").c_str(), 0, sizeof values);
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data(), creation);
  H5Pclose(creation);
  EXPECT_EQ(error(":/A"), "f.h5: /A: keeps its data in another file; copy it into one file");
}

TEST_F(ForeignHdf5, FiltersThatAreNotBuiltInAreNamed) {
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const std::array<hsize_t, 2> chunk{2, 3};
  H5Pset_chunk(creation, 2, chunk.data());
  H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 2);
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data(), creation);
  H5Pclose(creation);
  EXPECT_EQ(error(":/A"),
            "f.h5: /A: is stored with the filter 6 ('scaleoffset'), which is not built in; compress it with gzip");
}

TEST_F(ForeignHdf5, RefusesTransposedMatricesOfMatlab) {
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  const hid_t dataset = H5Dopen2(opened, "A", H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  H5Aclose(H5Acreate2(dataset, "MATLAB_class", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Dclose(dataset);
  EXPECT_EQ(error(":/A"),
            "f.h5: /A: was saved by MATLAB, which stores the transpose; write it as Matrix Market or by h5py");
}

TEST_F(ForeignHdf5, AUserBlockInFrontIsAllowed) {
  close();
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, 1024);
  opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  H5Pclose(creation);
  add("A", H5T_NATIVE_DOUBLE, {2, 3}, values.data());
  close();
  EXPECT_EQ(std::get<Matrix<double>>(read_matrix(file))(1, 2), 6);
}

}  // namespace
}  // namespace pivotlab::io_test::hdf5_foreign_test
