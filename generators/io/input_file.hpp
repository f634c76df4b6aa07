// SPDX-License-Identifier: BSD-3-Clause
// An input file whose format is detected from its contents and whose shape is known before large memory is allocated.
#pragma once

#include <pivotlab/io.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "generators/io/hdf5_file.hpp"
#include "generators/io/matrix_market.hpp"

namespace pivotlab::io {

/// An input named "file.h5:/dataset", or by the name of a file: HDF5 or Matrix Market, plain or gzip.
class InputFile {
 public:
  /// `own` are the names of datasets that a file written by pivotlab may have.
  explicit InputFile(const std::filesystem::path& text, const std::vector<std::string>& own = {});

  /// Returns the HDF5 file if it has this attribute schema and was named without a dataset.
  const hdf5::OldFile* with_schema(std::string_view schema) const;

  // These functions use the named dataset, otherwise the file's only matrix. Each may throw InputError.
  MatrixShape shape() const;
  AnyMatrix read();
  /// Reads a packed triangle; does not check the diagonal of a Hermitian matrix.
  AnyTriangle read_triangle(InputTriangle triangle, pivotlab::Symmetry symmetry);

 private:
  std::string object() const;

  std::filesystem::path file_;
  std::string dataset_;  ///< empty: the file's only matrix
  std::optional<hdf5::OldFile> hdf5_;
  std::optional<MatrixMarketFile> text_;
};

/// Throws InputError unless rows = cols.
void require_square(const std::filesystem::path& file, Index rows, Index cols);

/// Throws InputError unless a truth has no numbers or one for each row of the matrix.
void require_truth(const std::filesystem::path& file, std::string_view what, std::size_t count, Index rows);

}  // namespace pivotlab::io
