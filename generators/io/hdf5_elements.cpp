// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/hdf5_elements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "generators/io/check.hpp"
#include "generators/io/hdf5_filters.hpp"
#include "generators/io/hdf5_numbers.hpp"

namespace pivotlab::io::hdf5 {
namespace {

constexpr std::string_view damaged = "the file is damaged; copy or write it again";
constexpr std::uint64_t small_chunk_bytes = std::uint64_t{1} << 20;

}  // namespace

ElementReader::ElementReader(const OldFile& file, const std::string& object)
    : file_(file), place_{file.name(), object}, matrix_(file.matrix(object)), numbers_(matrix_.is_complex ? 2 : 1) {}

BlockShape ElementReader::block_shape(InputTriangle part) const {
  const bool one_chunk = matrix_.chunks.size() == 1 && !packed(matrix_.chunks.front());
  if (one_chunk) return contiguous_block(matrix_.rows, matrix_.cols, part);
  io::require_fits(place_.file, place_.object, static_cast<std::uint64_t>(matrix_.chunk_rows),
                   static_cast<std::uint64_t>(matrix_.chunk_cols), matrix_.element_bytes());
  return chunked_block(matrix_.rows, matrix_.cols, matrix_.chunk_rows, matrix_.chunk_cols, part);
}

void ElementReader::read(const Block& block, double* by_rows) {
  const Index last_row = block.row + block.rows, last_col = block.col + block.cols;
  for (Index i = block.row; i < last_row;) {
    const Index chunk_row = i / matrix_.chunk_rows, next_row = std::min(last_row, (chunk_row + 1) * matrix_.chunk_rows);
    for (Index j = block.col; j < last_col;) {
      const Index chunk_col = j / matrix_.chunk_cols,
                  next_col = std::min(last_col, (chunk_col + 1) * matrix_.chunk_cols);
      read_part({chunk_row, chunk_col, i, j, next_row - i, next_col - j}, block, by_rows);
      j = next_col;
    }
    i = next_row;
  }
}

std::uint64_t ElementReader::bytes_of(Index rows, Index cols) const {
  return static_cast<std::uint64_t>(rows * cols) * matrix_.element_bytes();
}

/// Returns whether the elements are stored through filters.
bool ElementReader::packed(const ChunkPlace& chunk) const {
  return chunk.bytes > 0 && !matrix_.filters.empty();
}

void ElementReader::read_part(const Part& part, const Block& block, double* by_rows) {
  const ChunkPlace& chunk = matrix_.chunks[part.chunk_row * matrix_.chunks_across() + part.chunk_col];
  if (chunk.bytes > 0 && !packed(chunk)) return read_stored(chunk, part, block, by_rows);
  const char* elements = nullptr;  // elements of a chunk
  if (chunk.bytes > 0)
    elements = unpacked(chunk).data();
  else if (!matrix_.inline_elements.empty())
    elements = matrix_.inline_elements.data();
  else if (fill_row_.empty())
    for (Index k = 0; k < matrix_.chunk_cols; ++k)
      fill_row_ += matrix_.fill.empty() ? std::string(matrix_.element_bytes(), '\0') : matrix_.fill;
  for (Index i = 0; i < part.rows; ++i) {
    const Index row = part.row + i;
    const Index before = (row % matrix_.chunk_rows) * matrix_.chunk_cols + part.col % matrix_.chunk_cols;
    const char* stored = elements == nullptr ? fill_row_.data() : elements + bytes_of(1, before);
    convert(stored, row, part.col, part.cols,
            by_rows + ((row - block.row) * block.cols + part.col - block.col) * numbers_);
  }
}

/// Reads a chunk without filters: rows that are completely or nearly completely needed are read together.
void ElementReader::read_stored(const ChunkPlace& chunk, const Part& part, const Block& block, double* by_rows) {
  const Index first_row = part.row % matrix_.chunk_rows, first_col = part.col % matrix_.chunk_cols;
  const bool together =
      part.cols == matrix_.chunk_cols || bytes_of(matrix_.chunk_rows, matrix_.chunk_cols) <= small_chunk_bytes;
  const Index step = together ? part.rows : 1;   // rows read at once
  const Index begin = together ? 0 : first_col;  // in a row of the chunk
  const auto bytes = together ? bytes_of(step, matrix_.chunk_cols) : bytes_of(1, part.cols);
  double* const target = by_rows + ((part.row - block.row) * block.cols + part.col - block.col) * numbers_;
  for (Index i = 0; i < part.rows; i += step) {
    const auto address = chunk.address + bytes_of(1, (first_row + i) * matrix_.chunk_cols + begin);
    if (is_double(matrix_.number) && part.cols == block.cols && (!together || part.cols == matrix_.chunk_cols)) {
      if (!file_.read(address, bytes, reinterpret_cast<char*>(target + i * block.cols * numbers_)))
        place_.fail("cannot be read to its end", damaged);
      continue;
    }
    read_bytes(address, bytes, buffer_);
    for (Index k = 0; k < step; ++k)
      convert(buffer_.data() + bytes_of(1, k * matrix_.chunk_cols + first_col - begin), part.row + i + k, part.col,
              part.cols, target + (i + k) * block.cols * numbers_);
  }
}

const std::string& ElementReader::unpacked(const ChunkPlace& chunk) {
  if (unpacked_chunk_ == &chunk) return unpacked_;
  unpacked_chunk_ = nullptr;
  read_bytes(chunk.address, chunk.bytes, unpacked_);
  const auto wrong = undo_filters(matrix_.filters, chunk.skipped_filters, matrix_.element_bytes(),
                                  bytes_of(matrix_.chunk_rows, matrix_.chunk_cols), unpacked_);
  if (!wrong.empty()) place_.fail(fmt::format("cannot be read: {}", wrong), damaged);
  unpacked_chunk_ = &chunk;
  return unpacked_;
}

void ElementReader::read_bytes(std::uint64_t address, std::uint64_t bytes, std::string& buffer) const {
  buffer.resize(bytes);
  if (!file_.read(address, bytes, buffer.data())) place_.fail("cannot be read to its end", damaged);
}

void ElementReader::convert(const char* stored, Index row, Index col, Index count, double* values) const {
  const Index done = to_doubles(matrix_.number, stored, count * numbers_, values);
  if (done == count * numbers_) return;
  place_.fail(fmt::format("the entry in row {}, column {} is {}, which no double holds", row + 1, col + done + 1,
                          in_digits(matrix_.number, stored + done * static_cast<Index>(matrix_.number.bytes))),
              "give integers up to 2^53, or numbers rounded to float64");
}

}  // namespace pivotlab::io::hdf5
