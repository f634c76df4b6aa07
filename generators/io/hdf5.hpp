// SPDX-License-Identifier: BSD-3-Clause
// HDF5's C API with owning handles and InputError instead of identifiers and error codes. Include this header in .cpp
// files only.
#pragma once

#include <hdf5.h>

#include <pivotlab/io.hpp>
#include <pivotlab/matrix.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "generators/io/hdf5_driver.hpp"
#include "generators/io/place.hpp"
#include "support/files/atomic_file.hpp"

namespace pivotlab::io::hdf5 {

/// Owns an HDF5 identifier.
template <herr_t (*close)(hid_t)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close(id_);
  }
  operator hid_t() const { return id_; }
  /// Releases the identifier, so that the caller can check the result of closing it.
  hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

 private:
  hid_t id_ = H5I_INVALID_HID;
};
using FileHandle = Handle<H5Fclose>;
using Group = Handle<H5Gclose>;
using Dataset = Handle<H5Dclose>;
using Attribute = Handle<H5Aclose>;
using Dataspace = Handle<H5Sclose>;
using Datatype = Handle<H5Tclose>;
using PropertyList = Handle<H5Pclose>;

/// Returns the innermost entry of HDF5's error stack, without its numbers; empty after a success.
std::string innermost_error();

/// Prevents HDF5 from printing its error stack during the lifetime of this object and at the end of the program. Every
/// public function that uses HDF5 begins with one.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Reads a text of fixed length; returns nothing if there is no such attribute or it has another type.
std::optional<std::string> read_text_attribute(hid_t object, const Place& place, const char* name);

// The rest of this header writes files.

/// A new HDF5 file, in the format of HDF5 1.10, whose metadata have checksums.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& target);
  operator hid_t() const { return file_; }
  /// Closes the file and renames it to its target, or throws InputError. Without commit() no file remains.
  void commit();

 private:
  AtomicFile atomic_;
  Bytes bytes_;
  FileHandle file_;
};
struct MatrixOptions {
  int compression = 4;          ///< deflate level; 0: a checksum instead
  bool lower_triangle = false;  ///< omits the chunks above the diagonal and states it in an attribute
};
template <class T>
void write_matrix(hid_t location, const Place& place, MatrixView<const T> A, const MatrixOptions& options);
/// A matrix that is written column by column; each column is a chunk of its own, with a checksum.
template <class T>
Dataset create_columns(hid_t location, const Place& place, Index rows, Index cols);
template <class T>
void write_column(hid_t dataset, const Place& place, Index column, std::span<const T> values);
void write_vector(hid_t location, const Place& place, std::span<const double> values);
void write_vector(hid_t location, const Place& place, std::span<const std::uint64_t> values);
Group create_group(hid_t location, const Place& place);
void write_attribute(hid_t object, const Place& place, const char* name, const std::string& text);
void write_attribute(hid_t object, const Place& place, const char* name, double value);
void write_attribute(hid_t object, const Place& place, const char* name, std::int64_t value);
/// Writes the texts that a caller adds to those of its file. Throws InputError for one that exists.
void write_attributes(hid_t file, const Place& root, const std::map<std::string, std::string>& texts);

}  // namespace pivotlab::io::hdf5
