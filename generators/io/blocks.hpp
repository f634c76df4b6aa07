// SPDX-License-Identifier: BSD-3-Clause
// Access to an HDF5 dataset by blocks, with transposition.
#pragma once

#include <algorithm>
#include <array>

#include "generators/io/hdf5.hpp"

namespace pivotlab::io::hdf5 {

struct BlockShape {
  Index rows = 1, cols = 1;
};
struct Block {
  Index row, col, rows, cols;
};

inline constexpr Index target_block_entries = Index{1} << 19;  // about 4 MB

/// Returns the largest height of blocks: blocks at the diagonal contain elements of the other triangle, few if they are
/// flat.
inline Index highest_block(Index rows, InputTriangle part) {
  return part == InputTriangle::whole ? rows : std::max<Index>(rows / 16, 1);
}

/// Returns blocks of whole rows, which are contiguous.
inline BlockShape contiguous_block(Index rows, Index cols, InputTriangle part) {
  return {std::clamp<Index>(target_block_entries / cols, 1, highest_block(rows, part)), cols};
}

/// Returns blocks of whole chunks, because HDF5 reads, checks and unpacks a chunk as a whole; several chunks if they
/// are small.
inline BlockShape chunked_block(Index rows, Index cols, Index chunk_rows, Index chunk_cols, InputTriangle part) {
  const Index chunks_across = std::max<Index>(1, target_block_entries / (chunk_rows * chunk_cols));
  const Index width = std::min(cols, chunk_cols * chunks_across);
  const Index most_down = std::max<Index>(1, highest_block(rows, part) / chunk_rows);
  const Index chunks_down = std::clamp<Index>(target_block_entries / (chunk_rows * width), 1, most_down);
  return {std::min(rows, chunk_rows * chunks_down), width};
}

/// Calls visit(Block) for the blocks of some rows, cut to the columns from `first` to before `last`.
template <class Visit>
void for_each_block_across(Index row, Index rows, Index first, Index last, BlockShape shape, Visit& visit) {
  for (Index j = first; j < last;) {
    const Index next = std::min(last, j - j % shape.cols + shape.cols);  // at boundaries of chunks
    visit(Block{row, j, rows, next - j});
    j = next;
  }
}

/// Calls visit(Block) for every block, or for those that intersect a triangle, cut to the columns that do.
template <class Visit>
void for_each_block(Index rows, Index cols, BlockShape shape, InputTriangle part, Visit visit) {
  for (Index i = 0; i < rows; i += shape.rows) {
    const Index height = std::min(shape.rows, rows - i);
    const Index first_col = part == InputTriangle::upper ? std::min(i, cols) : 0;
    const Index last_col = part == InputTriangle::lower ? std::min(cols, i + height) : cols;
    for_each_block_across(i, height, first_col, last_col, shape, visit);
  }
}

/// Calls visit(Block) for the blocks of the columns from `first` to before `last`.
template <class Visit>
void for_each_block_of_columns(Index rows, Index first, Index last, BlockShape shape, Visit visit) {
  for (Index i = 0; i < rows; i += shape.rows)
    for_each_block_across(i, std::min(shape.rows, rows - i), first, last, shape, visit);
}

/// Selects the block in the file's dataspace and returns the dataspace of a buffer for it.
inline Dataspace select(const Dataspace& file_space, const Block& block, const Place& place) {
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(block.row), static_cast<hsize_t>(block.col)};
  const std::array<hsize_t, 2> count{static_cast<hsize_t>(block.rows), static_cast<hsize_t>(block.cols)};
  constexpr std::string_view what = "a block cannot be selected", remedy = "the file is damaged; write it again";
  place.check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), what,
              remedy);
  return Dataspace(place.check(H5Screate_simple(2, count.data(), nullptr), what, remedy));
}

/// Visits a block in strips of 16 rows, so that one side is sequential and the other remains in the L1 cache.
template <class Visit>
void for_each_entry(Index rows, Index cols, Visit visit) {
  constexpr Index strip = 16;
  for (Index first = 0; first < rows; first += strip)
    for (Index j = 0; j < cols; ++j)
      for (Index i = first; i < std::min(first + strip, rows); ++i) visit(i, j);
}

template <class T>
void rows_to_columns(const T* by_rows, MatrixView<T> A) {
  for_each_entry(A.rows, A.cols, [&](Index i, Index j) { A(i, j) = by_rows[i * A.cols + j]; });
}
template <class T>
void columns_to_rows(MatrixView<const T> A, T* by_rows) {
  for_each_entry(A.rows, A.cols, [&](Index i, Index j) { by_rows[i * A.cols + j] = A(i, j); });
}

/// Returns the compound {r, i} that h5py uses for complex numbers.
inline Datatype complex_type(hid_t part) {
  const auto size = H5Tget_size(part);
  Datatype type(H5Tcreate(H5T_COMPOUND, 2 * size));
  H5Tinsert(type, "r", 0, part);
  H5Tinsert(type, "i", size, part);
  return type;
}

}  // namespace pivotlab::io::hdf5
