// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "generators/io/blocks.hpp"
#include "generators/io/hdf5.hpp"

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view what = "cannot be written", remedy = "write elsewhere";
constexpr Index chunk_order = 128;

template <class T>
Datatype entry_type(hid_t part) {
  return is_complex<T> ? complex_type(part) : Datatype(H5Tcopy(part));
}

PropertyList dataset_creation() {
  PropertyList creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation, false);
  return creation;
}

void write_vector(hid_t location, const Place& place, hid_t file_type, hid_t memory_type, const void* values,
                  std::size_t count) {
  const hsize_t shape = count;
  const Dataspace space(place.check(H5Screate_simple(1, &shape, nullptr), what, remedy));
  const Dataset dataset(place.check(
      H5Dcreate2(location, place.object.c_str(), file_type, space, H5P_DEFAULT, dataset_creation(), H5P_DEFAULT), what,
      remedy));
  if (count > 0) place.check(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what, remedy);
}

}  // namespace

template <class T>
void write_matrix(hid_t location, const Place& place, MatrixView<const T> A, const MatrixOptions& options) {
  const BlockShape shape{std::min(A.rows, chunk_order), std::min(A.cols, chunk_order)};
  const std::array<hsize_t, 2> extent{static_cast<hsize_t>(A.rows), static_cast<hsize_t>(A.cols)};
  const std::array<hsize_t, 2> chunk{static_cast<hsize_t>(shape.rows), static_cast<hsize_t>(shape.cols)};
  const auto creation = dataset_creation();
  H5Pset_chunk(creation, 2, chunk.data());
  // A flipped bit is found in both cases: the output of deflate already has a checksum.
  if (options.compression > 0) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, static_cast<unsigned>(options.compression));
  } else {
    H5Pset_fletcher32(creation);
  }
  const Dataspace space(place.check(H5Screate_simple(2, extent.data(), nullptr), what, remedy));
  const Dataset dataset(place.check(H5Dcreate2(location, place.object.c_str(), entry_type<T>(H5T_IEEE_F64LE), space,
                                               H5P_DEFAULT, creation, H5P_DEFAULT),
                                    what, remedy));
  if (options.lower_triangle) write_attribute(dataset, place, "triangle", std::string("lower"));

  const auto memory_type = entry_type<T>(H5T_NATIVE_DOUBLE);
  std::vector<T> buffer(shape.rows * shape.cols);
  const auto part = options.lower_triangle ? InputTriangle::lower : InputTriangle::whole;
  for_each_block(A.rows, A.cols, shape, part, [&](const Block& block) {
    columns_to_rows(A.block(block.row, block.col, block.rows, block.cols), buffer.data());
    if (options.lower_triangle)
      for (Index i = 0; i < block.rows; ++i)
        for (Index j = std::max<Index>(0, block.row + i + 1 - block.col); j < block.cols; ++j)
          buffer[i * block.cols + j] = T(0);
    const auto memory_space = select(space, block, place);
    place.check(H5Dwrite(dataset, memory_type, memory_space, space, H5P_DEFAULT, buffer.data()), what, remedy);
  });
}

template void write_matrix(hid_t, const Place&, MatrixView<const double>, const MatrixOptions&);
template void write_matrix(hid_t, const Place&, MatrixView<const std::complex<double>>, const MatrixOptions&);

template <class T>
Dataset create_columns(hid_t location, const Place& place, Index rows, Index cols) {
  const std::array<hsize_t, 2> extent{static_cast<hsize_t>(rows), static_cast<hsize_t>(cols)}, chunk{extent[0], 1};
  const auto creation = dataset_creation();
  H5Pset_chunk(creation, 2, chunk.data());
  H5Pset_fletcher32(creation);
  const Dataspace space(place.check(H5Screate_simple(2, extent.data(), nullptr), what, remedy));
  return Dataset(place.check(H5Dcreate2(location, place.object.c_str(), entry_type<T>(H5T_IEEE_F64LE), space,
                                        H5P_DEFAULT, creation, H5P_DEFAULT),
                             what, remedy));
}

template <class T>
void write_column(hid_t dataset, const Place& place, Index column, std::span<const T> values) {
  const Dataspace space(place.check(H5Dget_space(dataset), what, remedy));
  const auto memory_space = select(space, {0, column, static_cast<Index>(values.size()), 1}, place);
  place.check(H5Dwrite(dataset, entry_type<T>(H5T_NATIVE_DOUBLE), memory_space, space, H5P_DEFAULT, values.data()),
              what, remedy);
}

template Dataset create_columns<double>(hid_t, const Place&, Index, Index);
template Dataset create_columns<std::complex<double>>(hid_t, const Place&, Index, Index);
template void write_column(hid_t, const Place&, Index, std::span<const double>);
template void write_column(hid_t, const Place&, Index, std::span<const std::complex<double>>);

void write_vector(hid_t location, const Place& place, std::span<const double> values) {
  write_vector(location, place, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), values.size());
}
void write_vector(hid_t location, const Place& place, std::span<const std::uint64_t> values) {
  write_vector(location, place, H5T_STD_U64LE, H5T_NATIVE_UINT64, values.data(), values.size());
}

}  // namespace pivotlab::io::hdf5
