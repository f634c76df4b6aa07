// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_examine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pivotlab/error.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "generators/io/check.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/hdf5_storage.hpp"

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view damaged = "the file is damaged; copy or write it again";
constexpr std::string_view unreadable = "cannot be read";

/// A file that is open in libhdf5; closed before its bytes are released.
struct Opened {
  Bytes& bytes;
  FileHandle file;
  std::filesystem::path name;
};

/// Links to other files are not followed: the contents of a file should not depend on its folder.
PropertyList without_external_links() {
  PropertyList access(H5Pcreate(H5P_LINK_ACCESS));
  H5Pset_elink_cb(
      access, [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t { return -1; },
      nullptr);
  return access;
}

/// Returns the names of the two-dimensional datasets in the file's root.
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
      return "values that are not numbers";
  }
}

/// Returns the type if it is IEEE 754 without padding.
std::optional<NumberType> floating_type(hid_t type) {
  for (const auto& [candidate, big_endian] :
       {std::pair{H5T_IEEE_F64LE, false}, {H5T_IEEE_F32LE, false}, {H5T_IEEE_F64BE, true}, {H5T_IEEE_F32BE, true}})
    if (H5Tequal(type, candidate) > 0) return NumberType{NumberType::Kind::floating, big_endian, H5Tget_size(type)};
  return std::nullopt;
}

/// Returns the type if it has no padding.
std::optional<NumberType> integer_type(hid_t type) {
  if (H5Tget_class(type) != H5T_INTEGER) return std::nullopt;
  const auto bytes = H5Tget_size(type);
  const auto order = H5Tget_order(type);
  if (bytes < 1 || bytes > 8 || H5Tget_precision(type) != 8 * bytes || H5Tget_offset(type) != 0) return std::nullopt;
  if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return std::nullopt;
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  return NumberType{is_signed ? NumberType::Kind::signed_integer : NumberType::Kind::unsigned_integer,
                    order == H5T_ORDER_BE, bytes};
}

std::string member_name(hid_t type, unsigned member) {
  char* name = H5Tget_member_name(type, member);
  std::string result = name == nullptr ? "" : name;
  H5free_memory(name);
  return result;
}

/// Returns the type of the parts of {r, i} without padding, as h5py writes it.
std::optional<NumberType> complex_part(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return std::nullopt;
  const Datatype re(H5Tget_member_type(type, 0)), im(H5Tget_member_type(type, 1));
  if (re < 0 || im < 0 || H5Tequal(re, im) <= 0) return std::nullopt;
  const auto part = floating_type(re);
  const bool dense = part && H5Tget_size(type) == 2 * part->bytes && H5Tget_member_offset(type, 0) == 0 &&
                     H5Tget_member_offset(type, 1) == part->bytes;
  return dense && member_name(type, 0) == "r" && member_name(type, 1) == "i" ? part : std::nullopt;
}

void find_type(hid_t stored, const Place& place, StoredMatrix& matrix) {
  const auto type_class = H5Tget_class(stored);
  auto number = complex_part(stored);
  matrix.is_complex = number.has_value();
  if (!number) number = floating_type(stored);
  if (!number) number = integer_type(stored);
  if (number)
    matrix.number = *number;
  else if (type_class == H5T_FLOAT || type_class == H5T_INTEGER)
    place.fail("holds numbers of an uncommon type", "convert it to float64");
  else
    place.fail(fmt::format("holds {}", class_name(type_class)), "give float64, or complex128 as {r, i}");
}

void find_attributes(hid_t dataset, const Place& place, StoredMatrix& matrix) {
  if (place.check(H5Aexists(dataset, "MATLAB_class"), unreadable, damaged) > 0)
    place.fail("was saved by MATLAB, which stores the transpose", "write it as Matrix Market or by h5py");
  if (place.check(H5Aexists(dataset, "triangle"), unreadable, damaged) == 0) return;
  if (read_text_attribute(dataset, place, "triangle") != "lower")
    place.fail("the attribute triangle is not 'lower', a text of fixed length", "store the lower triangle or all");
  if (matrix.rows != matrix.cols) place.fail("is a triangle, but not square", "store all of it");
  matrix.lower_triangle = true;
}

void find_shape(hid_t dataset, const Place& place, StoredMatrix& matrix) {
  const Dataspace space(place.check(H5Dget_space(dataset), unreadable, damaged));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank != 2)
    place.fail(fmt::format("has {} dimension{}, not 2", rank, rank == 1 ? "" : "s"), "give a matrix of two dimensions");
  std::array<hsize_t, 2> shape{};
  place.check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), unreadable, damaged);
  constexpr std::uint64_t longest = std::numeric_limits<std::int32_t>::max(), most = std::uint64_t{1} << 58;
  require_elements(place.file, place.object, static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  if (std::max(shape[0], shape[1]) > longest || shape[0] > most / shape[1])
    place.fail(fmt::format("a {} x {} matrix is too large", shape[0], shape[1]), "give a smaller matrix");
  matrix.rows = static_cast<Index>(shape[0]);
  matrix.cols = static_cast<Index>(shape[1]);
}

StoredMatrix find_matrix(Opened& opened, const Place& place) {
  StoredMatrix matrix;
  const Dataset dataset = open_dataset(opened.file, place);
  find_shape(dataset, place, matrix);
  const Datatype type(place.check(H5Dget_type(dataset), unreadable, damaged));
  find_type(type, place, matrix);
  find_attributes(dataset, place, matrix);
  StorageFinder(opened.bytes, dataset, type, place, matrix).find();
  return matrix;
}

Found find_object(Opened& opened, const std::string& name) {
  try {
    return {find_matrix(opened, {opened.name, name}), {}};
  } catch (const InputError& error) {
    return {std::nullopt, error.what()};
  }
}

/// Only known attributes are searched, because a damaged file may have any number of attributes with names of any
/// length.
void find_texts(const Opened& opened, FileMap& map) {
  const Place root{opened.name, ""};
  for (const char* name : {"schema", "symmetry", "inertia", "provenance"})
    if (auto text = read_text_attribute(opened.file, root, name)) map.texts[name] = *std::move(text);
}

FileHandle open(Bytes& bytes, const std::filesystem::path& file) {
  const Place place{file, ""};
  const PropertyList access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  place.check(set_driver(access, bytes), "cannot be opened", "check the installation of HDF5");
  return FileHandle(place.check(H5Fopen(file.c_str(), H5F_ACC_RDONLY, access), "cannot be opened",
                                "the file is damaged or still being written; copy or write it again"));
}

}  // namespace

FileMap examine(int descriptor, std::uint64_t size, const std::filesystem::path& file, const Wanted& wanted) {
  const Silence silence;
  Bytes bytes{.descriptor = descriptor, .size = size};
  Opened opened{bytes, open(bytes, file), file};
  FileMap map;
  find_texts(opened, map);
  if (wanted.list) map.matrices = list_matrices(opened.file);
  for (const auto& name : wanted.objects) map.objects[name] = find_object(opened, name);
  for (const auto& name : wanted.optional)
    if (H5Lexists(opened.file, name.c_str(), H5P_DEFAULT) > 0) map.objects[name] = find_object(opened, name);
  if (map.matrices.size() == 1 && !map.objects.contains(map.matrices.front()))
    map.objects[map.matrices.front()] = find_object(opened, map.matrices.front());
  return map;
}

}  // namespace pivotlab::io::hdf5
