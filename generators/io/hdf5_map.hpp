// SPDX-License-Identifier: BSD-3-Clause
// The map of a file that libhdf5 makes: its matrices and, for each, position and form of its elements. It is plain
// data, so that another process may make it (hdf5_examiner.hpp); the elements are then read without libhdf5
// (hdf5_elements.hpp).
#pragma once

#include <pivotlab/matrix.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::io::hdf5 {

/// A stored number: IEEE 754 of 4 or 8 bytes, or an integer of 1 to 8 bytes (two's complement).
struct NumberType {
  enum class Kind : std::uint8_t { floating, signed_integer, unsigned_integer };
  Kind kind = Kind::floating;
  bool big_endian = false;
  std::uint64_t bytes = 8;
};

enum class Filter : std::uint8_t { shuffle, deflate, fletcher32 };

/// Address and size of a chunk in the file, after filters.
struct ChunkPlace {
  std::uint64_t address = 0, bytes = 0;  ///< no bytes: it is not stored, and all elements have the fill value
  std::uint64_t skipped_filters = 0;     ///< bit k: filter k has not been applied
};

/// A dataset that can be read as a matrix.
struct StoredMatrix {
  Index rows = 0, cols = 0;
  NumberType number;
  bool is_complex = false;  ///< an element is two numbers, the real part first
  bool lower_triangle = false;
  Index chunk_rows = 0, chunk_cols = 0;  ///< elements are row-major in chunks of this shape, also at the edges
  std::vector<Filter> filters;           ///< in the order in which they were applied
  std::vector<ChunkPlace> chunks;        ///< by rows of chunks
  std::string inline_elements;           ///< of the only chunk, if they are stored in the dataset's header
  std::string fill;                      ///< an element; empty: zero

  std::uint64_t element_bytes() const { return number.bytes * (is_complex ? 2 : 1); }
  Index chunks_across() const { return (cols + chunk_cols - 1) / chunk_cols; }
};

/// A requested dataset: a matrix, or an error message if it is none.
struct Found {
  std::optional<StoredMatrix> matrix;
  std::string refusal;
};

struct FileMap {
  std::vector<std::string> matrices;         ///< names of the two-dimensional datasets in the root
  std::map<std::string, std::string> texts;  ///< attributes of the root that are texts of fixed length
  std::map<std::string, Found> objects;      ///< requested objects that exist
};

/// The requested objects.
struct Wanted {
  std::vector<std::string> objects = {};  ///< names of datasets; those in `optional` may be missing
  std::vector<std::string> optional = {};
  bool list = false;  ///< list the matrices; a single one counts as requested
};

/// Converts the map to bytes and back, for a pipe between two processes of the same version. Throws InputError with
/// `damaged` unless the bytes are those of a map.
std::string to_bytes(const FileMap& map);
FileMap from_bytes(std::string_view bytes, const std::string& damaged);

}  // namespace pivotlab::io::hdf5
