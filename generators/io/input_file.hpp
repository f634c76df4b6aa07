// A file that is read by what it is, and whose shape is known before anything large is allocated.
#pragma once

#include <pivotlab/io.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "generators/io/hdf5_file.hpp"
#include "generators/io/matrix_market.hpp"

namespace pivotlab::io {

/// "file.h5:/dataset", or the name of a file: HDF5 or Matrix Market, plain or gzip.
class InputFile {
 public:
  /// `own`: names of datasets that the file may have if it is one of ours.
  explicit InputFile(const std::filesystem::path& text, const std::vector<std::string>& own = {});

  /// The HDF5 file if it is one with this attribute schema, named without a dataset.
  const hdf5::OldFile* with_schema(std::string_view schema) const;

  // The matrix that is meant: the dataset that was named, else the file's only one. Each may throw InputError.
  MatrixShape shape() const;
  AnyMatrix read();
  /// Packed, with any diagonal of a Hermitian matrix.
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

}  // namespace pivotlab::io
