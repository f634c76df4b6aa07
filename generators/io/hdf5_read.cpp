// SPDX-License-Identifier: BSD-3-Clause
// Matrices of the public interface from blocks of elements.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generators/io/blocks.hpp"
#include "generators/io/check.hpp"
#include "generators/io/hdf5_elements.hpp"
#include "generators/io/hdf5_file.hpp"
#include "generators/io/input_file.hpp"
#include "generators/io/symmetry.hpp"

namespace pivotlab::io::hdf5 {
namespace {

/// Calls take(Block, its elements by rows) for every block that walk(visit) visits.
template <class T, class Walk, class Take>
void read_visited_blocks(ElementReader& elements, BlockShape shape, Walk walk, Take take) {
  auto by_rows = Matrix<T>::uninitialized(shape.cols, shape.rows);
  walk([&](const Block& block) {
    elements.read(block, reinterpret_cast<double*>(by_rows.data()));
    take(block, std::as_const(by_rows).data());
  });
}

/// Calls `take` for every block of that part of the matrix.
template <class T, class Take>
void read_blocks(ElementReader& elements, InputTriangle part, Take take) {
  const BlockShape shape = elements.block_shape(part);
  const auto& matrix = elements.matrix();
  read_visited_blocks<T>(
      elements, shape, [&](auto visit) { for_each_block(matrix.rows, matrix.cols, shape, part, visit); }, take);
}

template <class T>
Matrix<T> read_whole(const OldFile& file, const std::string& object) {
  ElementReader elements(file, object);
  const StoredMatrix& stored = elements.matrix();
  auto A =
      stored.lower_triangle ? Matrix<T>(stored.rows, stored.cols) : Matrix<T>::uninitialized(stored.rows, stored.cols);
  const auto part = stored.lower_triangle ? InputTriangle::lower : InputTriangle::whole;
  read_blocks<T>(elements, part, [&](const Block& block, const T* by_rows) {
    rows_to_columns(by_rows, A.view().block(block.row, block.col, block.rows, block.cols));
  });
  if (stored.lower_triangle) complete(A.view(), Symmetry::hermitian);
  require_finite(file.name(), object, std::as_const(A).view());
  return A;
}

/// Reads neighbouring columns together.
template <class T>
Matrix<T> read_some(const OldFile& file, const std::string& object, const std::vector<Index>& columns) {
  ElementReader elements(file, object);
  const StoredMatrix& stored = elements.matrix();
  const BlockShape shape = elements.block_shape(InputTriangle::whole);
  Matrix<T> A(stored.rows, static_cast<Index>(columns.size()));
  for (std::size_t first = 0, next; first < columns.size(); first = next) {
    next = first + 1;
    while (next < columns.size() && columns[next] == columns[next - 1] + 1) ++next;
    const Index begin = columns[first], end = columns[next - 1] + 1;
    read_visited_blocks<T>(
        elements, shape, [&](auto visit) { for_each_block_of_columns(stored.rows, begin, end, shape, visit); },
        [&](const Block& block, const T* by_rows) {
          const Index at = static_cast<Index>(first) + block.col - begin;
          rows_to_columns(by_rows, A.view().block(block.row, at, block.rows, block.cols));
        });
  }
  return A;
}

/// Copies the elements of a block that are in the lower triangle, by strips of rows as in for_each_entry().
template <class T>
void pack_lower(const Block& block, const T* by_rows, PackedTriangle<T>& packed) {
  for_each_entry(block.rows, block.cols, [&](Index i, Index j) {
    const Index row = block.row + i, col = block.col + j;
    if (row > col) packed.column(col)[row] = by_rows[i * block.cols + j];
    if (row == col) packed.diagonal(col) = by_rows[i * block.cols + j];
  });
}

/// Copies the elements in the upper triangle: a row of it is a column of the packed one, and both are contiguous.
template <class T>
void pack_upper(const Block& block, const T* by_rows, pivotlab::Symmetry symmetry, PackedTriangle<T>& packed) {
  for (Index i = 0; i < block.rows; ++i) {
    const Index row = block.row + i, first = std::max<Index>(row + 1 - block.col, 0);
    const T* elements = by_rows + i * block.cols;
    if (block.col <= row && row < block.col + block.cols) packed.diagonal(row) = elements[row - block.col];
    T* column = packed.column(row) + block.col;
    for (Index j = first; j < block.cols; ++j)
      column[j] = symmetry == pivotlab::Symmetry::hermitian ? conjugate(elements[j]) : elements[j];
  }
}

/// Computes the upper triangle of a file that has only the lower one, with the signs of zeros of complete().
template <class T>
void take_across(PackedTriangle<T>& packed, pivotlab::Symmetry symmetry) {
  if constexpr (is_complex<T>)
    for (Index j = 0; j < packed.order(); ++j)
      for (Index i = j + 1; i < packed.order(); ++i) {
        const T across = mirrored(packed.column(j)[i], Symmetry::hermitian);
        packed.column(j)[i] = symmetry == pivotlab::Symmetry::hermitian ? conjugate(across) : across;
      }
}

template <class T>
PackedTriangle<T> read_packed(const OldFile& file, const std::string& object, InputTriangle part,
                              pivotlab::Symmetry symmetry) {
  ElementReader elements(file, object);
  const StoredMatrix& stored = elements.matrix();
  PackedTriangle<T> packed(stored.rows);
  const bool upper = part == InputTriangle::upper && !stored.lower_triangle;
  read_blocks<T>(elements, upper ? InputTriangle::upper : InputTriangle::lower,
                 [&](const Block& block, const T* by_rows) {
                   if (upper)
                     pack_upper(block, by_rows, symmetry, packed);
                   else
                     pack_lower(block, by_rows, packed);
                 });
  if (part == InputTriangle::upper && stored.lower_triangle) take_across(packed, symmetry);
  require_finite(file.name(), object, packed, upper);
  return packed;
}

std::uint64_t scalar_bytes(const StoredMatrix& matrix) {
  return matrix.is_complex ? sizeof(std::complex<double>) : sizeof(double);
}

void require_fits(const OldFile& file, const std::string& object, Index cols, std::uint64_t bytes) {
  io::require_fits(file.name(), object, static_cast<std::uint64_t>(file.matrix(object).rows),
                   static_cast<std::uint64_t>(cols), bytes);
}

}  // namespace

double bytes_in_memory(const OldFile& file, const std::string& object) {
  const auto& stored = file.matrix(object);
  return static_cast<double>(stored.rows) * static_cast<double>(stored.cols) *
         static_cast<double>(scalar_bytes(stored));
}

AnyMatrix read_matrix(const OldFile& file, const std::string& object) {
  require_fits(file, object, file.matrix(object).cols, scalar_bytes(file.matrix(object)));
  if (file.matrix(object).is_complex) return read_whole<std::complex<double>>(file, object);
  return read_whole<double>(file, object);
}

AnyTriangle read_triangle(const OldFile& file, const std::string& object, InputTriangle part,
                          pivotlab::Symmetry symmetry) {
  const auto& stored = file.matrix(object);
  require_square(file.name(), stored.rows, stored.cols);
  require_fits(file, object, stored.cols, scalar_bytes(stored) / 2);
  if (stored.is_complex) return read_packed<std::complex<double>>(file, object, part, symmetry);
  return read_packed<double>(file, object, part, symmetry);
}

AnyMatrix read_columns(const OldFile& file, const std::string& object, const std::vector<Index>& columns) {
  const auto& stored = file.matrix(object);
  const Place place{file.name(), object};
  if (stored.lower_triangle) place.fail("is stored as one triangle, which has no whole columns", "store all of it");
  if (std::ranges::any_of(columns, [&](Index c) { return c < 0 || c >= stored.cols; }))
    place.fail(fmt::format("has {} columns, and others are asked for", stored.cols), "ask for those that there are");
  require_fits(file, object, std::max<Index>(std::ssize(columns), 1), scalar_bytes(stored));
  if (stored.is_complex) return read_some<std::complex<double>>(file, object, columns);
  return read_some<double>(file, object, columns);
}

MatrixShape read_shape(const OldFile& file, const std::string& object) {
  const auto& stored = file.matrix(object);
  return {stored.is_complex ? ScalarType::z : ScalarType::d, stored.rows, stored.cols};
}

std::optional<Matrix<double>> read_optional(const OldFile& file, const std::string& object) {
  if (!file.has(object)) return std::nullopt;
  if (file.matrix(object).is_complex) Place{file.name(), object}.fail("is complex", "store real numbers");
  require_fits(file, object, file.matrix(object).cols, scalar_bytes(file.matrix(object)));
  return read_whole<double>(file, object);
}

}  // namespace pivotlab::io::hdf5
