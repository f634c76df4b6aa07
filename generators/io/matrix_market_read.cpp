// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "generators/io/check.hpp"
#include "generators/io/matrix_market.hpp"
#include "generators/io/matrix_market_header.hpp"
#include "generators/io/text_source.hpp"

namespace pivotlab::io {
namespace {

/// Returns the next entry's line. Throws InputError if the file ends before it.
std::string_view next_entry(TextSource& source, const Header& header, std::uint64_t done) {
  std::string_view text;
  if (!next_data_line(source, text, false))
    source.fail(fmt::format("the file ends after {} of the {} entries announced in line {}", done, header.entries,
                            header.size_line),
                "the file is truncated or the size line is wrong");
  return text;
}

void require_end(TextSource& source, const Header& header) {
  std::string_view text;
  if (next_data_line(source, text, false))
    source.fail(fmt::format("more than the {} entries announced in line {}", header.entries, header.size_line),
                "remove the rest or correct the size line");
}

template <class T>
T read_value(LineParser& line, Field field) {
  if constexpr (is_complex<T>) {
    const double re = line.real("real part");
    return {re, line.real("imaginary part")};
  } else if (field == Field::pattern) {
    return 1;
  } else if (field == Field::integer) {
    return line.integral("value");
  } else {
    return line.real("value");
  }
}

template <class T>
void require_triangle(const TextSource& source, Symmetry symmetry, Index row, Index col, const T& value) {
  if (symmetry == Symmetry::general) return;
  if (row < col)
    source.fail(fmt::format("entry ({}, {}) lies above the diagonal of a matrix stored by its lower triangle", row + 1,
                            col + 1),
                "store the lower triangle only or declare the matrix general");
  if (row == col && symmetry == Symmetry::skew_symmetric)
    source.fail(fmt::format("entry ({0}, {0}) lies on the diagonal of a skew-symmetric matrix", row + 1),
                "leave the diagonal out");
  if constexpr (is_complex<T>)
    if (row == col && symmetry == Symmetry::hermitian && value.imag() != 0)
      source.fail(fmt::format("the diagonal entry ({0}, {0}) of a hermitian matrix is not real", row + 1),
                  "make it real or declare the matrix general");
}

/// Sorts the entries by columns and adds entries at the same position, in the order of the file.
template <class T>
void canonicalize(const TextSource& source, Triplets<T>& sparse) {
  using Entry = typename Triplets<T>::Entry;
  auto& entries = sparse.entries;
  const auto place = [](const Entry& e) { return std::pair(e.col, e.row); };
  const auto before = [&](const Entry& a, const Entry& b) { return place(a) < place(b); };
  if (!std::is_sorted(entries.begin(), entries.end(), before)) std::stable_sort(entries.begin(), entries.end(), before);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && place(entries[kept - 1]) == place(entries[i]))
      entries[kept - 1].value += entries[i].value;
    else
      entries[kept++] = entries[i];
  }
  if (kept == entries.size()) return;
  entries.resize(kept);
  for (const auto& [row, col, value] : entries)
    if (!std::isfinite(std::abs(real_part(value))) || !std::isfinite(std::imag(value)))
      fail(source.file(), fmt::format("entry ({}, {})", row + 1, col + 1), "the sum of its duplicates overflows",
           "store every entry once");
}

template <class T>
Triplets<T> read_coordinates(TextSource& source, const Header& header) {
  Triplets<T> sparse{header.rows, header.cols, header.symmetry, {}};
  sparse.entries.reserve(header.entries);
  for (std::uint64_t k = 0; k < header.entries; ++k) {
    LineParser line(source, next_entry(source, header, k));
    const auto row = line.index("row", header.rows);
    const auto col = line.index("column", header.cols);
    const T value = read_value<T>(line, header.field);
    line.finish();
    require_triangle(source, header.symmetry, row, col, value);
    sparse.entries.push_back({row, col, value});
  }
  require_end(source, header);
  canonicalize(source, sparse);
  return sparse;
}

template <class T>
Matrix<T> read_array(TextSource& source, const Header& header) {
  Matrix<T> A(header.rows, header.cols);
  std::uint64_t done = 0;
  for (Index j = 0; j < header.cols; ++j)
    for (Index i = first_row(j, header.symmetry); i < header.rows; ++i) {
      LineParser line(source, next_entry(source, header, done++));
      A(i, j) = read_value<T>(line, header.field);
      line.finish();
      require_triangle(source, header.symmetry, i, j, A(i, j));
    }
  require_end(source, header);
  complete(A.view(), header.symmetry);
  return A;
}

template <class T>
Matrix<T> read_dense(TextSource& source, const Header& header) {
  if (header.format == Format::array) return read_array<T>(source, header);
  return to_dense(read_coordinates<T>(source, header));
}

/// Returns the memory of the entries before they become a dense matrix, in bytes.
double triplet_bytes(const Header& header) {
  if (header.format == Format::array) return 0;
  using Real = Triplets<double>::Entry;
  using Complex = Triplets<std::complex<double>>::Entry;
  return static_cast<double>(header.entries) *
         static_cast<double>(header.field == Field::complex ? sizeof(Complex) : sizeof(Real));
}

}  // namespace

AnyTriplets read_triplets(const std::filesystem::path& file) {
  TextSource source(file);
  const auto header = read_header(source);
  if (header.format == Format::array) fail(file, "", "holds a dense array", "give a coordinate file");
  require_memory(file, "", fmt::format("a matrix of {} entries", header.entries), triplet_bytes(header));
  if (header.field == Field::complex) return read_coordinates<std::complex<double>>(source, header);
  return read_coordinates<double>(source, header);
}

MatrixMarketFile::MatrixMarketFile(const std::filesystem::path& file) : source_(file), header_(read_header(source_)) {}

MatrixShape MatrixMarketFile::shape() const {
  return {header_.field == Field::complex ? ScalarType::z : ScalarType::d, header_.rows, header_.cols};
}

AnyMatrix MatrixMarketFile::read() {
  const bool is_complex = header_.field == Field::complex;
  const double dense = static_cast<double>(header_.rows) * static_cast<double>(header_.cols) * (is_complex ? 16 : 8);
  require_memory(source_.file(), fmt::format("line {}", header_.size_line),
                 fmt::format("a dense {} x {} matrix", header_.rows, header_.cols), dense + triplet_bytes(header_));
  if (is_complex) return read_dense<std::complex<double>>(source_, header_);
  return read_dense<double>(source_, header_);
}

AnyMatrix read_matrix_market(const std::filesystem::path& file) {
  return MatrixMarketFile(file).read();
}

}  // namespace pivotlab::io
