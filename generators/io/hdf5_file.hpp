// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files that are read. When a file is opened, libhdf5 finds its matrices, in this process or in another one
// (hdf5_examiner.hpp); elements are read without it.
//
// Convention: a dataset has the shape of the matrix, so that h5py and others see F[i, j] in row i, column j. Our
// matrices are column-major, HDF5's row-major: blocks of whole chunks are transposed.
#pragma once

#include <pivotlab/io.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "generators/io/hdf5_map.hpp"
#include "generators/io/place.hpp"

namespace pivotlab::io::hdf5 {

/// Returns whether the file has the signature of HDF5, at its beginning or after a user block.
bool has_signature(const std::filesystem::path& file);

/// An existing file, open for reading, and its map.
class OldFile {
 public:
  OldFile(const std::filesystem::path& file, const Wanted& wanted);
  ~OldFile();
  OldFile(const OldFile&) = delete;
  OldFile& operator=(const OldFile&) = delete;

  const std::filesystem::path& name() const { return name_; }
  const std::vector<std::string>& matrices() const { return map_.matrices; }
  /// Returns a text attribute of the root group.
  std::optional<std::string> text(const std::string& name) const;
  bool has(const std::string& object) const { return map_.objects.contains(object); }
  /// Returns one of the requested matrices. Throws InputError if it is no matrix.
  const StoredMatrix& matrix(const std::string& object) const;
  /// Reads bytes of the file; returns false if they do not exist.
  bool read(std::uint64_t address, std::uint64_t bytes, char* buffer) const;

 private:
  std::filesystem::path name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  FileMap map_;
};

AnyMatrix read_matrix(const OldFile& file, const std::string& object);
/// Reads the lower or upper triangle of a square matrix, and as little of the other one as the layout allows.
AnyTriangle read_triangle(const OldFile& file, const std::string& object, InputTriangle part,
                          pivotlab::Symmetry symmetry);
/// Reads columns, in this order, without a check that they are finite.
AnyMatrix read_columns(const OldFile& file, const std::string& object, const std::vector<Index>& columns);
MatrixShape read_shape(const OldFile& file, const std::string& object);
/// Returns the bytes of the matrix that read_matrix() returns.
double bytes_in_memory(const OldFile& file, const std::string& object);
/// Reads a two-dimensional array of finite numbers; returns nothing if there is no such dataset.
std::optional<Matrix<double>> read_optional(const OldFile& file, const std::string& object);

}  // namespace pivotlab::io::hdf5
