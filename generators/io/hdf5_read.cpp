#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "generators/io/blocks.hpp"
#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/read_matrix.hpp"
#include "generators/io/symmetry.hpp"

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view damaged = "the file is damaged; copy or write it again";
constexpr std::string_view unreadable = "cannot be read";

/// A dataset that has been found fit to be read as a matrix.
struct MatrixSource {
  Dataset dataset;
  Index rows = 0, cols = 0;
  bool is_complex = false;
  Datatype memory_type;  ///< of one entry in our memory
  BlockShape block;
  bool lower_triangle = false;
};

/// A link to another file is not followed: what a file holds should not depend on where it lies.
PropertyList without_external_links() {
  PropertyList access(H5Pcreate(H5P_LINK_ACCESS));
  H5Pset_elink_cb(
      access, [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t { return -1; },
      nullptr);
  return access;
}

Dataset open_dataset(hid_t file, const Place& place) {
  Handle<H5Oclose> object(H5Oopen(file, place.object.c_str(), without_external_links()));
  if (object < 0) {
    const auto matrices = list_matrices(file);
    place.fail("there is no such dataset", matrices.empty()
                                               ? "the file has no matrix; give another file"
                                               : in_ascii(fmt::format("the file has {}", fmt::join(matrices, ", "))));
  }
  if (H5Iget_type(object) != H5I_DATASET) place.fail("is a group, not a dataset", "name a dataset in it");
  return Dataset(object.release());
}

std::string_view class_name(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "compound values";
    case H5T_ENUM:
      return "enumerated values";
    case H5T_REFERENCE:
      return "references";
    default:
      return "values that are no numbers";
  }
}

/// Only types as they are usually written: HDF5 converts whatever a damaged file describes, also beyond its buffers.
template <std::size_t count>
bool is_one_of(hid_t type, const std::array<hid_t, count>& candidates) {
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](hid_t candidate) { return H5Tequal(type, candidate) > 0; });
}
bool is_standard_float(hid_t type) {
  return is_one_of(type, std::array{H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE});
}
bool is_standard_integer(hid_t type) {
  return is_one_of(type,
                   std::array{H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_I16LE, H5T_STD_I8LE, H5T_STD_U64LE, H5T_STD_U32LE,
                              H5T_STD_U16LE, H5T_STD_U8LE, H5T_STD_I64BE, H5T_STD_I32BE, H5T_STD_I16BE, H5T_STD_I8BE,
                              H5T_STD_U64BE, H5T_STD_U32BE, H5T_STD_U16BE, H5T_STD_U8BE});
}

std::string member_name(hid_t type, unsigned member) {
  char* name = H5Tget_member_name(type, member);
  std::string result = name == nullptr ? "" : name;
  H5free_memory(name);
  return result;
}

/// {r, i} without gaps, as h5py writes it.
bool is_complex_type(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return false;
  const Datatype re(H5Tget_member_type(type, 0)), im(H5Tget_member_type(type, 1));
  if (re < 0 || im < 0 || !is_standard_float(re) || H5Tequal(re, im) <= 0) return false;
  const auto size = H5Tget_size(re);
  return H5Tget_size(type) == 2 * size && H5Tget_member_offset(type, 0) == 0 && H5Tget_member_offset(type, 1) == size &&
         member_name(type, 0) == "r" && member_name(type, 1) == "i";
}

void find_type(const Place& place, MatrixSource& source) {
  const Datatype stored(place.check(H5Dget_type(source.dataset), unreadable, damaged));
  const auto type_class = H5Tget_class(stored);
  source.is_complex = is_complex_type(stored);
  if (source.is_complex)
    source.memory_type = complex_type(H5T_NATIVE_DOUBLE);
  else if (is_standard_float(stored) || is_standard_integer(stored))
    source.memory_type = Datatype(H5Tcopy(H5T_NATIVE_DOUBLE));
  else if (type_class == H5T_FLOAT || type_class == H5T_INTEGER)
    place.fail("holds numbers of an uncommon type", "convert it to float64");
  else
    place.fail(fmt::format("holds {}", class_name(type_class)), "give float64, or complex128 as {r, i}");
}

/// Rejects what would let HDF5 load a plugin or open another file, and chunks that do not fit into memory.
void find_layout(const Place& place, InputTriangle part, MatrixSource& source) {
  const PropertyList creation(place.check(H5Dget_create_plist(source.dataset), unreadable, damaged));
  const auto layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation) > 0)
    place.fail("keeps its data in another file", "copy it into one file");
  if (layout != H5D_CHUNKED) {
    source.block = contiguous_block(source.rows, source.cols, part);
    return;
  }
  std::array<hsize_t, 2> chunk{};
  if (H5Pget_chunk(creation, 2, chunk.data()) != 2 || chunk[0] == 0 || chunk[1] == 0)
    place.fail("has chunks without a shape", damaged);
  require_fits(place.file, place.object, chunk[0], chunk[1], sizeof(std::complex<double>));
  source.block =
      chunked_block(source.rows, source.cols, static_cast<Index>(chunk[0]), static_cast<Index>(chunk[1]), part);
  const int filters = H5Pget_nfilters(creation);
  for (int k = 0; k < filters; ++k) {
    std::array<char, 64> name{};
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const auto filter =
        H5Pget_filter2(creation, static_cast<unsigned>(k), &flags, &values, nullptr, name.size(), name.data(), &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      place.fail(
          fmt::format("is stored with the filter {} ({}), which is not built in", filter, printable(name.data())),
          "compress it with gzip");
  }
}

/// What of a matrix shall be read, and fit into memory.
struct Wanted {
  InputTriangle part = InputTriangle::whole;
  std::optional<std::uint64_t> columns;  ///< so many of them
};

MatrixSource find_matrix(hid_t file, const Place& place, const Wanted& wanted = {}) {
  MatrixSource source;
  source.dataset = open_dataset(file, place);
  const Dataspace space(place.check(H5Dget_space(source.dataset), unreadable, damaged));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank != 2)
    place.fail(fmt::format("has {} dimension{}, not 2", rank, rank == 1 ? "" : "s"), "give a matrix of two dimensions");
  std::array<hsize_t, 2> shape{};
  place.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), unreadable, damaged);
  find_type(place, source);
  const std::uint64_t scalar = source.is_complex ? 16 : 8;
  const std::uint64_t bytes = wanted.part == InputTriangle::whole ? scalar : scalar / 2;
  require_fits(place.file, place.object, shape[0], std::min<std::uint64_t>(shape[1], wanted.columns.value_or(shape[1])),
               bytes);
  require_fits(place.file, place.object, 1, shape[1], bytes);
  source.rows = static_cast<Index>(shape[0]);
  source.cols = static_cast<Index>(shape[1]);
  find_layout(place, wanted.part, source);
  if (place.check(H5Aexists(source.dataset, "MATLAB_class"), unreadable, damaged) > 0)
    place.fail("was saved by MATLAB, which stores the transpose", "write it as Matrix Market or by h5py");
  if (place.check(H5Aexists(source.dataset, "triangle"), unreadable, damaged) > 0) {
    if (read_text_attribute(source.dataset, place, "triangle") != "lower")
      place.fail("the attribute triangle is not 'lower', a text of fixed length", "store the lower triangle or all");
    if (source.rows != source.cols) place.fail("is a triangle, but not square", "store all of it");
    source.lower_triangle = true;
  }
  return source;
}

/// Converts integers to double, but fails where that would change a value.
PropertyList exact_transfer() {
  PropertyList transfer(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_type_conv_cb(
      transfer,
      [](H5T_conv_except_t exception, hid_t from, hid_t, void*, void*, void*) {
        const bool inexact = exception == H5T_CONV_EXCEPT_PRECISION || exception == H5T_CONV_EXCEPT_RANGE_HI ||
                             exception == H5T_CONV_EXCEPT_RANGE_LOW;
        return inexact && H5Tget_class(from) == H5T_INTEGER ? H5T_CONV_ABORT : H5T_CONV_UNHANDLED;
      },
      nullptr);
  return transfer;
}

/// Calls take(Block, its elements by rows) for every block that walk(visit) visits.
template <class T, class Walk, class Take>
void read_visited_blocks(const MatrixSource& source, const Place& place, Walk walk, Take take) {
  std::vector<T> buffer(static_cast<std::size_t>(source.block.rows * source.block.cols));
  const Dataspace file_space(place.check(H5Dget_space(source.dataset), unreadable, damaged));
  const auto transfer = exact_transfer();
  walk([&](const Block& block) {
    const auto memory_space = select(file_space, block, place);
    place.check(H5Dread(source.dataset, source.memory_type, memory_space, file_space, transfer, buffer.data()),
                unreadable, damaged);
    take(block, buffer.data());
  });
}

/// For every block of that part of the matrix.
template <class T, class Take>
void read_blocks(const MatrixSource& source, const Place& place, InputTriangle part, Take take) {
  read_visited_blocks<T>(
      source, place, [&](auto visit) { for_each_block(source.rows, source.cols, source.block, part, visit); }, take);
}

template <class T>
Matrix<T> read_whole(const MatrixSource& source, const Place& place) {
  Matrix<T> A(source.rows, source.cols);
  const auto part = source.lower_triangle ? InputTriangle::lower : InputTriangle::whole;
  read_blocks<T>(source, place, part, [&](const Block& block, const T* by_rows) {
    rows_to_columns(by_rows, A.view().block(block.row, block.col, block.rows, block.cols));
  });
  if (source.lower_triangle) complete(A.view(), Symmetry::hermitian);
  require_finite(place.file, place.object, std::as_const(A).view());
  return A;
}

/// Neighbours are read together.
template <class T>
Matrix<T> read_some(const MatrixSource& source, const Place& place, const std::vector<Index>& columns) {
  Matrix<T> A(source.rows, static_cast<Index>(columns.size()));
  for (std::size_t first = 0, next; first < columns.size(); first = next) {
    next = first + 1;
    while (next < columns.size() && columns[next] == columns[next - 1] + 1) ++next;
    const Index begin = columns[first], end = columns[next - 1] + 1;
    read_visited_blocks<T>(
        source, place, [&](auto visit) { for_each_block_of_columns(source.rows, begin, end, source.block, visit); },
        [&](const Block& block, const T* by_rows) {
          const Index at = static_cast<Index>(first) + block.col - begin;
          rows_to_columns(by_rows, A.view().block(block.row, at, block.rows, block.cols));
        });
  }
  return A;
}

/// The elements of a block that are in the lower triangle, by strips of rows as for_each_entry() has them.
template <class T>
void pack_lower(const Block& block, const T* by_rows, PackedTriangle<T>& packed) {
  for_each_entry(block.rows, block.cols, [&](Index i, Index j) {
    const Index row = block.row + i, col = block.col + j;
    if (row > col) packed.column(col)[row] = by_rows[i * block.cols + j];
    if (row == col) packed.diagonal(col) = by_rows[i * block.cols + j];
  });
}

/// Those in the upper triangle: a row of it is a column of the packed one, along which both lie.
template <class T>
void pack_upper(const Block& block, const T* by_rows, pivotlab::Symmetry symmetry, PackedTriangle<T>& packed) {
  for (Index i = 0; i < block.rows; ++i) {
    const Index row = block.row + i, first = std::max<Index>(row + 1 - block.col, 0);
    const T* elements = by_rows + i * block.cols;
    if (block.col <= row && row < block.col + block.cols) packed.diagonal(row) = elements[row - block.col];
    T* column = packed.column(row) + block.col;
    for (Index j = first; j < block.cols; ++j)
      column[j] = symmetry == pivotlab::Symmetry::hermitian ? conjugate(elements[j]) : elements[j];
  }
}

/// What the upper triangle is of a file that has the lower one only, with the signs of zeros that complete() gives.
template <class T>
void take_across(PackedTriangle<T>& packed, pivotlab::Symmetry symmetry) {
  if constexpr (is_complex<T>)
    for (Index j = 0; j < packed.order(); ++j)
      for (Index i = j + 1; i < packed.order(); ++i) {
        const T across = mirrored(packed.column(j)[i], Symmetry::hermitian);
        packed.column(j)[i] = symmetry == pivotlab::Symmetry::hermitian ? conjugate(across) : across;
      }
}

template <class T>
PackedTriangle<T> read_packed(const MatrixSource& source, const Place& place, InputTriangle part,
                              pivotlab::Symmetry symmetry) {
  PackedTriangle<T> packed(source.rows);
  const bool upper = part == InputTriangle::upper && !source.lower_triangle;
  read_blocks<T>(source, place, upper ? InputTriangle::upper : InputTriangle::lower,
                 [&](const Block& block, const T* by_rows) {
                   if (upper)
                     pack_upper(block, by_rows, symmetry, packed);
                   else
                     pack_lower(block, by_rows, packed);
                 });
  if (part == InputTriangle::upper && source.lower_triangle) take_across(packed, symmetry);
  require_finite(place.file, place.object, packed, upper);
  return packed;
}

}  // namespace

std::vector<std::string> list_matrices(hid_t file) {
  std::vector<std::string> names;
  H5Literate(
      file, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t group, const char* name, const H5L_info_t* info, void* result) -> herr_t {
        if (info->type != H5L_TYPE_HARD) return 0;
        Handle<H5Oclose> object(H5Oopen(group, name, H5P_DEFAULT));
        if (object < 0 || H5Iget_type(object) != H5I_DATASET) return 0;
        const Dataspace space(H5Dget_space(object));
        if (H5Sget_simple_extent_ndims(space) == 2)
          static_cast<std::vector<std::string>*>(result)->push_back(fmt::format("/{}", name));
        return 0;
      },
      &names);
  return names;
}

AnyMatrix read_matrix(hid_t file, const Place& place) {
  const auto source = find_matrix(file, place);
  if (source.is_complex) return read_whole<std::complex<double>>(source, place);
  return read_whole<double>(source, place);
}

AnyTriangle read_triangle(hid_t file, const Place& place, InputTriangle part, pivotlab::Symmetry symmetry) {
  const auto source = find_matrix(file, place, {part, {}});
  require_square(place.file, source.rows, source.cols);
  if (source.is_complex) return read_packed<std::complex<double>>(source, place, part, symmetry);
  return read_packed<double>(source, place, part, symmetry);
}

AnyMatrix read_columns(hid_t file, const Place& place, const std::vector<Index>& columns) {
  const auto source = find_matrix(file, place, {InputTriangle::whole, std::max<std::uint64_t>(columns.size(), 1)});
  if (source.lower_triangle) place.fail("is stored as one triangle, which has no whole columns", "store all of it");
  if (std::ranges::any_of(columns, [&](Index c) { return c < 0 || c >= source.cols; }))
    place.fail(fmt::format("has {} columns, and others are asked for", source.cols), "ask for those that there are");
  if (source.is_complex) return read_some<std::complex<double>>(source, place, columns);
  return read_some<double>(source, place, columns);
}

MatrixShape read_shape(hid_t file, const Place& place, bool must_fit) {
  const auto source = must_fit ? find_matrix(file, place) : find_matrix(file, place, {InputTriangle::whole, 1});
  return {source.is_complex ? ScalarType::z : ScalarType::d, source.rows, source.cols};
}

std::optional<Matrix<double>> read_optional(hid_t file, const Place& place) {
  if (H5Lexists(file, place.object.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  const auto source = find_matrix(file, place);
  if (source.is_complex) place.fail("is complex", "store real numbers");
  return read_whole<double>(source, place);
}

}  // namespace pivotlab::io::hdf5
