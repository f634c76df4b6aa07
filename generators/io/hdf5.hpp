// HDF5's C API with owners instead of identifiers and InputError instead of error codes. Included by .cpp files only.
//
// Convention: a dataset has the shape of the matrix, so that h5py and others see F[i, j] in row i, column j. Ours lie
// by columns, HDF5's by rows: blocks of whole chunks are transposed on the way.
#pragma once

#include <hdf5.h>

#include <pivotlab/io.hpp>
#include <pivotlab/matrix.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/io/hdf5_driver.hpp"
#include "kernels/files/atomic_file.hpp"

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
  /// Gives the identifier away, to see what closing it returns.
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

/// Keeps HDF5 from printing its error stack while it lives, and at the end of the program; every public function that
/// uses HDF5 begins with one.
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

/// What a message names: a file and an object in it.
struct Place {
  std::filesystem::path file;
  std::string object;

  [[noreturn]] void fail(std::string_view what, std::string_view remedy) const;
  /// Passes what HDF5 returned through; an error (negative) becomes an InputError with HDF5's own reason.
  template <class Result>
  Result check(Result result, std::string_view what, std::string_view remedy) const {
    if (result < 0) fail_by_hdf5(what, remedy);
    return result;
  }

 private:
  [[noreturn]] void fail_by_hdf5(std::string_view what, std::string_view remedy) const;
};

// Reading. Objects in files that are not ours are judged before HDF5 touches their data.

/// Whether the file begins as HDF5 files do, perhaps behind a user block.
bool has_signature(const std::filesystem::path& file);

/// An existing file, open for reading.
class OldFile {
 public:
  explicit OldFile(const std::filesystem::path& file);
  ~OldFile();
  OldFile(const OldFile&) = delete;
  OldFile& operator=(const OldFile&) = delete;
  operator hid_t() const { return file_; }

 private:
  Bytes bytes_;
  FileHandle file_;
};

/// Names of the two-dimensional datasets in the file's root.
std::vector<std::string> list_matrices(hid_t file);
AnyMatrix read_matrix(hid_t file, const Place& place);
/// The lower or upper triangle of a square matrix, by hyperslabs.
AnyTriangle read_triangle(hid_t file, const Place& place, InputTriangle part, pivotlab::Symmetry symmetry);
/// Columns, in this order; nobody has looked whether they are finite.
AnyMatrix read_columns(hid_t file, const Place& place, const std::vector<Index>& columns);
/// `must_fit`: into memory as a whole; else a row and a column must.
MatrixShape read_shape(hid_t file, const Place& place, bool must_fit = true);
/// A two-dimensional array of finite numbers or nothing, if there is no such dataset.
std::optional<Matrix<double>> read_optional(hid_t file, const Place& place);
/// A text of fixed length, or nothing if there is no such attribute or it is something else.
std::optional<std::string> read_text_attribute(hid_t object, const Place& place, const char* name);

// Writing.

/// An HDF5 file on its way to its place, in the format of HDF5 1.10, whose metadata carry checksums.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& target);
  operator hid_t() const { return file_; }
  /// Closes the file and puts it into its place, or throws InputError. Without it nothing stays.
  void commit();

 private:
  AtomicFile atomic_;
  Bytes bytes_;
  FileHandle file_;
};
struct MatrixOptions {
  int compression = 4;          ///< deflate level; 0: a checksum instead
  bool lower_triangle = false;  ///< leaves the chunks above the diagonal out and says so in an attribute
};
template <class T>
void write_matrix(hid_t location, const Place& place, MatrixView<const T> A, const MatrixOptions& options);
/// A matrix whose columns come one at a time; each lies in a chunk of its own, with a checksum.
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

}  // namespace pivotlab::io::hdf5
