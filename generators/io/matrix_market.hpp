// SPDX-License-Identifier: BSD-3-Clause
// Matrix Market files: coordinate and array; real, integer, complex, pattern; all symmetries; plain or gzip.
#pragma once

#include <pivotlab/io.hpp>

#include <cstdint>
#include <filesystem>
#include <variant>
#include <vector>

#include "generators/io/matrix_market_header.hpp"
#include "generators/io/symmetry.hpp"
#include "generators/io/text_source.hpp"

namespace pivotlab::io {

/// A sparse matrix by its entries, ordered by columns, without duplicates, counted from 0. With a symmetry it contains
/// only the entries of the lower triangle. Explicit zeros are kept.
template <class T>
struct Triplets {
  struct Entry {
    std::int32_t row, col;
    T value;
  };
  Index rows = 0, cols = 0;
  Symmetry symmetry = Symmetry::general;
  std::vector<Entry> entries;
};
using AnyTriplets = std::variant<Triplets<double>, Triplets<std::complex<double>>>;

/// Reads a coordinate file without making it dense. Throws InputError for an array file.
AnyTriplets read_triplets(const std::filesystem::path& file);
/// A coordinate or array file whose header has been read.
class MatrixMarketFile {
 public:
  explicit MatrixMarketFile(const std::filesystem::path& file);
  MatrixShape shape() const;
  /// Reads the elements; may be called once. Throws InputError before any allocation if memory does not suffice.
  AnyMatrix read();

 private:
  TextSource source_;
  Header header_;
};
AnyMatrix read_matrix_market(const std::filesystem::path& file);

template <class T>
Matrix<T> to_dense(const Triplets<T>& sparse) {
  Matrix<T> A(sparse.rows, sparse.cols);
  for (const auto& [row, col, value] : sparse.entries) {
    A(row, col) = value;
    if (sparse.symmetry != Symmetry::general && row != col) A(col, row) = mirrored(value, sparse.symmetry);
  }
  return A;
}

}  // namespace pivotlab::io
