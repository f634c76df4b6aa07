// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"

namespace pivotlab::io::hdf5 {
namespace {

/// Returns a text type of fixed length: texts of variable length are stored in a heap without checksums, over which
/// HDF5 1.10 may loop forever.
Datatype text_type(std::size_t length) {
  Datatype type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

void write_scalar(hid_t object, const Place& place, const char* name, hid_t file_type, hid_t memory_type,
                  const void* value) {
  constexpr std::string_view what = "an attribute cannot be written", remedy = "write elsewhere";
  const Dataspace scalar(place.check(H5Screate(H5S_SCALAR), what, remedy));
  const Attribute attribute(
      place.check(H5Acreate2(object, name, file_type, scalar, H5P_DEFAULT, H5P_DEFAULT), what, remedy));
  place.check(H5Awrite(attribute, memory_type, value), what, remedy);
}

}  // namespace

std::string innermost_error() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* entry, void* result) -> herr_t {
        if (depth == 0 && entry->desc != nullptr) *static_cast<std::string*>(result) = entry->desc;
        return 0;
      },
      &text);
  text.resize(std::min(text.find_first_of(":,\n"), text.size()));
  return text;
}

Silence::Silence() {
  // HDF5 leaves objects of damaged files open and would report them at the end of the program. All files are closed by
  // their owners, so its exit handler is not needed.
  static const herr_t without_exit_handler = H5dont_atexit();
  static_cast<void>(without_exit_handler);
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Silence::~Silence() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

void Place::fail(std::string_view what, std::string_view remedy) const {
  io::fail(file, object, what, remedy);
}

void Place::fail_by_hdf5(std::string_view what, std::string_view remedy) const {
  const auto reason = innermost_error();
  fail(reason.empty() ? std::string(what) : fmt::format("{} (HDF5: {})", what, reason), remedy);
}

NewFile::NewFile(const std::filesystem::path& target)
    : atomic_(target), bytes_{.descriptor = atomic_.descriptor(), .writable = true} {
  const Place place{target, ""};
  const PropertyList access(H5Pcreate(H5P_FILE_ACCESS)), creation(H5Pcreate(H5P_FILE_CREATE));
  place.check(set_driver(access, bytes_), "cannot be written", "check the installation of HDF5");
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  // Time stamps are omitted, so that equal contents give equal files.
  H5Pset_obj_track_times(creation, false);
  file_ = FileHandle(place.check(H5Fcreate(atomic_.temporary().c_str(), H5F_ACC_TRUNC, creation, access),
                                 "cannot be written", "write elsewhere"));
}

void NewFile::commit() {
  const auto closed = H5Fclose(file_.release());
  if (bytes_.error != 0) atomic_.fail(bytes_.error);
  Place{atomic_.target(), ""}.check(closed, "cannot be written", "write elsewhere");
  atomic_.commit();
}

Group create_group(hid_t location, const Place& place) {
  const PropertyList creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation, false);
  return Group(place.check(H5Gcreate2(location, place.object.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT),
                           "cannot be written", "write elsewhere"));
}

void write_attribute(hid_t object, const Place& place, const char* name, const std::string& text) {
  const auto type = text_type(text.size());
  write_scalar(object, place, name, type, type, text.c_str());
}
void write_attribute(hid_t object, const Place& place, const char* name, double value) {
  write_scalar(object, place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
void write_attribute(hid_t object, const Place& place, const char* name, std::int64_t value) {
  write_scalar(object, place, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void write_attributes(hid_t file, const Place& root, const std::map<std::string, std::string>& texts) {
  for (const auto& [name, text] : texts) {
    if (H5Aexists(file, name.c_str()) > 0)
      fail(root.file, "attribute " + name, "is written from the content", "choose another name");
    write_attribute(file, root, name.c_str(), text);
  }
}

std::optional<std::string> read_text_attribute(hid_t object, const Place& place, const char* name) {
  const auto what = fmt::format("the attribute {} cannot be read", name);
  constexpr std::string_view remedy = "write the file again";
  if (place.check(H5Aexists(object, name), what, remedy) == 0) return std::nullopt;
  const Attribute attribute(place.check(H5Aopen(object, name, H5P_DEFAULT), what, remedy));
  const Datatype stored(place.check(H5Aget_type(attribute), what, remedy));
  const Dataspace space(place.check(H5Aget_space(attribute), what, remedy));
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) != 0 || H5Sget_simple_extent_npoints(space) != 1)
    return std::nullopt;
  constexpr std::size_t longest = 1 << 16;
  if (H5Tget_size(stored) > longest) return std::nullopt;
  if (H5Aget_storage_size(attribute) != H5Tget_size(stored)) place.fail(what, remedy);
  std::string result(H5Tget_size(stored), '\0');
  place.check(H5Aread(attribute, stored, result.data()), what, remedy);
  result.resize(std::min(result.find('\0'), result.size()));
  return result;
}

}  // namespace pivotlab::io::hdf5
