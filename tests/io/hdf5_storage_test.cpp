// SPDX-License-Identifier: BSD-3-Clause
// The storage of an HDF5 dataset is checked: it must have the size that the shape requires and lie within the file.
#include <hdf5.h>

#include <array>
#include <bit>
#include <functional>

#include "tests/io/support.hpp"

namespace pivotlab::io_test::hdf5_storage_test {
namespace {

constexpr std::array<double, 16> values{1.25, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/// Returns the bytes of a value as HDF5 stores it.
template <class T>
std::string stored(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

class Hdf5Storage : public ::testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "A.h5";

  /// A 4 × 4 matrix A; gives the file's bytes.
  std::string write(const std::function<void(hid_t creation)>& set) {
    const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    set(creation);
    constexpr std::array<hsize_t, 2> shape{4, 4};
    const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(opened, "A", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(opened);
    EXPECT_EQ(std::get<Matrix<double>>(read_matrix(file))(3, 3), 16);
    return read_bytes(file);
  }
  /// Replaces `before`, which must occur once, by `now` in the file; returns the reader's error message.
  std::string after_change(const std::string& bytes, const std::string& before, const std::string& now) {
    const auto at = bytes.find(before);
    EXPECT_NE(at, bytes.npos);
    EXPECT_EQ(bytes.find(before, at + 1), bytes.npos);
    write_text(file, std::string(bytes).replace(at, before.size(), now));
    return message(directory, [&] { read_matrix(file); });
  }
};

void chunks_of_two(hid_t creation) {
  constexpr std::array<hsize_t, 2> chunk{2, 4};
  H5Pset_chunk(creation, 2, chunk.data());
}

TEST_F(Hdf5Storage, RefusesTruncatedCompactDataset) {
  const auto bytes = write([](hid_t creation) { H5Pset_layout(creation, H5D_COMPACT); });
  const auto with_size = [](std::uint16_t size) { return stored(size) + stored(values[0]) + stored(values[1]); };
  for (const std::uint16_t size : {0, 8, 127, 136})
    EXPECT_TRUE(after_change(bytes, with_size(128), with_size(size)).starts_with("A.h5: ")) << size;
  EXPECT_EQ(after_change(bytes, with_size(128), with_size(8)),
            "A.h5: /A: has 8 bytes where 4 x 4 elements need 128; the file is damaged; copy or write it again");
}

TEST_F(Hdf5Storage, RefusesTruncatedContiguousDataset) {
  const auto bytes = write([](hid_t) {});
  const auto address = static_cast<std::uint64_t>(bytes.find(stored(values[0])));
  const auto layout = [](std::uint64_t first, std::uint64_t size) { return stored(first) + stored(size); };
  EXPECT_EQ(after_change(bytes, layout(address, 128), layout(address, 64)),
            "A.h5: /A: has 64 bytes where 4 x 4 elements need 128; the file is damaged; copy or write it again");
  const auto beyond = static_cast<std::uint64_t>(bytes.size() - 120);
  EXPECT_EQ(after_change(bytes, layout(address, 128), layout(beyond, 128)),
            "A.h5: /A: 128 bytes of it are at " + std::to_string(beyond) + " of a file of " +
                std::to_string(bytes.size()) + "; the file is damaged; copy or write it again");
}

TEST_F(Hdf5Storage, RefusesTruncatedChunk) {
  const auto bytes = write(chunks_of_two);
  // The key of the second chunk: bytes, filters that were skipped, first row and column.
  const auto key = [](std::uint32_t size) {
    return stored(size) + stored(std::uint32_t{0}) + stored(std::uint64_t{2});
  };
  EXPECT_EQ(after_change(bytes, key(64), key(8)),
            "A.h5: /A: has 8 bytes where 2 x 4 elements need 64; the file is damaged; copy or write it again");
}

TEST_F(Hdf5Storage, RefusesTruncatedPackedChunk) {
  const auto bytes = write([](hid_t creation) {
    chunks_of_two(creation);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 9);
  });
  // In the second chunk's key, filters 0 and 1 skipped: what deflate wrote would be taken for elements.
  const std::string zero = stored(std::uint32_t{0}), row = stored(std::uint64_t{2}) + stored(std::uint64_t{0});
  EXPECT_EQ(after_change(bytes, zero + row, stored(std::uint32_t{3}) + row),
            "A.h5: /A: cannot be read: a chunk has not the size that its shape needs; the file is damaged; copy or "
            "write it again");
}

TEST_F(Hdf5Storage, ElementsThatWereNeverWrittenHaveTheFillValue) {
  for (const bool chunked : {false, true}) {
    const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    constexpr float fill = 2.5F;
    H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &fill);
    if (chunked) chunks_of_two(creation);
    constexpr std::array<hsize_t, 2> shape{3, 5};
    const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
    H5Dclose(H5Dcreate2(opened, "A", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(opened);
    const auto A = std::get<Matrix<double>>(read_matrix(file));
    EXPECT_EQ(A.rows(), 3);
    for (Index k = 0; k < A.size(); ++k) EXPECT_EQ(A.data()[k], fill);
  }
}

TEST_F(Hdf5Storage, HandlesDeletedFile) {
  const auto without_a = [&] {
    const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(opened, "A", H5P_DEFAULT);
    H5Fclose(opened);
  };
  const std::string missing = "A.h5: /A: there is no such dataset; the file is damaged; copy or write it again";
  write_general(file, GeneralMatrix<double>{.A = Matrix<double>::identity(3)});
  without_a();
  EXPECT_EQ(message(directory, [&] { read_general(file); }), missing);
  write_symmetric(file, SymmetricMatrix<double>{.A = Matrix<double>::identity(3)});
  without_a();
  EXPECT_EQ(message(directory, [&] { read_symmetric(file); }), missing);
  EXPECT_EQ(message(directory, [&] { read_triangle(file); }), missing);
}

/// Tests all integer types of HDF5, also of unusual sizes.
struct Integers {
  std::size_t bytes;
  bool is_signed, big_endian;
};

/// The matrix (first, last) stored by this type.
void write_integers(const std::filesystem::path& file, const Integers& kind, std::uint64_t first, std::uint64_t last) {
  const hid_t type = H5Tcopy(kind.is_signed ? H5T_STD_I64LE : H5T_STD_U64LE);
  H5Tset_precision(type, 8 * kind.bytes);
  H5Tset_size(type, kind.bytes);
  H5Tset_order(type, kind.big_endian ? H5T_ORDER_BE : H5T_ORDER_LE);
  std::string bytes;
  for (const std::uint64_t value : {first, last}) {
    std::string one = stored(value).substr(0, kind.bytes);
    bytes += kind.big_endian ? std::string(one.rbegin(), one.rend()) : one;
  }
  const hid_t opened = H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  constexpr std::array<hsize_t, 2> shape{1, 2};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t dataset = H5Dcreate2(opened, "A", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Fclose(opened);
  H5Tclose(type);
}

TEST_F(Hdf5Storage, EveryKindOfIntegersIsReadExactly) {
  for (std::size_t bytes = 1; bytes <= 8; ++bytes)
    for (const bool big_endian : {false, true}) {
      const std::uint64_t high = std::uint64_t{1} << (8 * bytes - 1);
      const auto read = [&] { return std::get<Matrix<double>>(read_matrix(file)); };
      write_integers(file, {bytes, true, big_endian}, ~std::uint64_t{0} - 6, high);  // −7, the least
      EXPECT_EQ(read()(0, 0), -7) << bytes;
      EXPECT_EQ(read()(0, 1), -static_cast<double>(high)) << bytes;
      write_integers(file, {bytes, false, big_endian}, 7, high);
      EXPECT_EQ(read()(0, 0), 7) << bytes;
      EXPECT_EQ(read()(0, 1), static_cast<double>(high)) << bytes;
    }
}

TEST_F(Hdf5Storage, AnIntegerThatNoDoubleHoldsIsNamed) {
  const auto refused = [&](bool is_signed, std::uint64_t value) {
    for (const bool big_endian : {false, true}) {
      write_integers(file, {8, is_signed, big_endian}, 1, value);
      EXPECT_EQ(message(directory, [&] { read_matrix(file); }),
                "A.h5: /A: the entry in row 1, column 2 is " +
                    (is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value)) +
                    ", which no double holds; give integers up to 2^53, or numbers rounded to float64");
    }
  };
  const std::uint64_t odd = (std::uint64_t{1} << 53) + 1, largest = ~std::uint64_t{0};
  refused(true, odd);
  refused(true, ~odd + 1);
  refused(true, largest >> 1);
  refused(false, odd);
  refused(false, largest);
}

}  // namespace
}  // namespace pivotlab::io_test::hdf5_storage_test
