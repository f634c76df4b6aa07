// SPDX-License-Identifier: BSD-3-Clause
// The elements of matrices in HDF5 files, read without libhdf5, whose code is not safe against damaged files. Our code
// reads only ranges within the file that have the size required by the shape.
#pragma once

#include <string>

#include "generators/io/blocks.hpp"
#include "generators/io/hdf5_file.hpp"

namespace pivotlab::io::hdf5 {

/// Reads blocks of one matrix, in any order; a chunk is unpacked once for all consecutive blocks that intersect it.
class ElementReader {
 public:
  ElementReader(const OldFile& file, const std::string& object);

  const StoredMatrix& matrix() const { return matrix_; }
  /// Returns the best shape of blocks to read this part of the matrix.
  BlockShape block_shape(InputTriangle part) const;
  /// Reads the elements of the block by rows, a complex one as two numbers. Throws InputError if they cannot be read,
  /// or for the first integer that no double represents.
  void read(const Block& block, double* by_rows);

 private:
  /// Rows and columns of one chunk, counted in the matrix.
  struct Part {
    Index chunk_row, chunk_col, row, col, rows, cols;
  };

  std::uint64_t bytes_of(Index rows, Index cols) const;
  bool packed(const ChunkPlace& chunk) const;
  void read_part(const Part& part, const Block& block, double* by_rows);
  void read_stored(const ChunkPlace& chunk, const Part& part, const Block& block, double* by_rows);
  const std::string& unpacked(const ChunkPlace& chunk);
  void read_bytes(std::uint64_t address, std::uint64_t bytes, std::string& buffer) const;
  void convert(const char* stored, Index row, Index col, Index count, double* values) const;

  const OldFile& file_;
  Place place_;
  const StoredMatrix& matrix_;
  Index numbers_;  // numbers per element
  std::string buffer_, unpacked_, fill_row_;
  const ChunkPlace* unpacked_chunk_ = nullptr;
};

}  // namespace pivotlab::io::hdf5
