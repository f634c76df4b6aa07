// SPDX-License-Identifier: BSD-3-Clause
// Positions of the elements of a dataset, found by libhdf5 and checked against the shape and the file.
#pragma once

#include <array>

#include "generators/io/hdf5.hpp"
#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

class StorageFinder {
 public:
  /// `matrix` already has its shape and number type; `type` is the dataset's type. All must outlive this object.
  StorageFinder(Bytes& bytes, hid_t dataset, hid_t type, const Place& place, StoredMatrix& matrix)
      : bytes_(bytes), dataset_(dataset), type_(type), place_(place), matrix_(matrix) {}

  /// Completes the matrix. Throws InputError if elements are missing or outside of the allowed ranges.
  void find();

 private:
  void find_contiguous();
  void find_compact();
  void find_chunks();
  void find_filters();
  void find_chunk(const std::array<hsize_t, 2>& first, ChunkPlace& chunk);
  void find_fill_value();
  std::uint64_t bytes_of(Index rows, Index cols) const;
  void require_all(std::uint64_t stored, Index rows, Index cols) const;
  void require_within_file(const ChunkPlace& chunk) const;

  Bytes& bytes_;
  hid_t dataset_, type_;
  const Place& place_;
  StoredMatrix& matrix_;
  PropertyList creation_;
  bool cut_chunks_unfiltered_ = false;  ///< those at the edges
};

}  // namespace pivotlab::io::hdf5
