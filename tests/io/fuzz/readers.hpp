// SPDX-License-Identifier: BSD-3-Clause
// Property of all files: a reader either returns a matrix of finite numbers or throws an InputError of one line that
// names the file. Shared by the fuzz targets and by the test that replays their corpus.
#pragma once

#include <pivotlab/by_columns.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <variant>

#include "generators/io/check.hpp"
#include "generators/io/matrix_market.hpp"
#include "generators/io/symmetry.hpp"

namespace pivotlab::fuzz {

inline void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

/// Calls read(), and checks the message of an InputError.
template <class Read>
void answers(const std::filesystem::path& file, Read read) {
  try {
    read();
  } catch (const InputError& error) {
    const std::string message = error.what();
    require(message.starts_with(file.string()), "the message does not name the file");
    require(message.find("; ") != std::string::npos, "the message names no remedy");
    for (const char c : message) require(c >= ' ' && c <= '~', "the message is not one line of printable text");
  }
}

template <class T>
bool same(const Matrix<T>& A, const Matrix<T>& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return false;
  for (Index k = 0; k < A.size(); ++k)
    if (!io::same_bits(A.data()[k], B.data()[k])) return false;
  return true;
}

template <class T>
void require_finite(const Matrix<T>& A) {
  for (Index k = 0; k < A.size(); ++k)
    require(std::isfinite(std::real(A.data()[k])) && std::isfinite(std::imag(A.data()[k])), "an entry is not finite");
}

/// Checks that a Matrix Market file that was read and written again gives the same bits.
inline void check_matrix_market(const std::filesystem::path& file, const std::filesystem::path& scratch) {
  const io::MemoryLimit limit(std::uint64_t{1} << 22);
  answers(file, [&] { io::read_triplets(file); });
  answers(file, [&] {
    const auto matrix = io::read_matrix_market(file);
    std::visit([](const auto& A) { require_finite(A); }, matrix);
    write_matrix_market(scratch, matrix);
    const auto again = io::read_matrix_market(scratch);
    std::visit(
        [&]<class T>(const Matrix<T>& A) {
          require(std::holds_alternative<Matrix<T>>(again) && same(A, std::get<Matrix<T>>(again)),
                  "written and read again, the matrix differs");
        },
        matrix);
  });
}

template <class... T>
void require_finite_any(const std::variant<T...>& any) {
  std::visit([](const auto& A) { require_finite(A); }, any);
}

/// Reads a file of any format by all HDF5 readers of whole matrices, triangles, columns and shapes.
inline void check_any(const std::filesystem::path& file) {
  const io::MemoryLimit limit(std::uint64_t{1} << 22);
  answers(file, [&] { require_finite_any(read_matrix(file)); });
  answers(file, [&] { read_matrix_shape(file); });
  for (const char* dataset : {"/F", "/G", "/group/A"})
    answers(file, [&] {
      auto address = file;
      require_finite_any(read_matrix(address += std::string(":") + dataset));
    });
  answers(file, [&] { std::visit([](const auto& matrix) { require_finite(matrix.A); }, read_general(file)); });
  answers(file, [&] { std::visit([](const auto& matrix) { require_finite(matrix.A); }, read_symmetric(file)); });
  for (const auto triangle : {InputTriangle::lower, InputTriangle::upper})
    answers(file, [&] { read_triangle(file, triangle); });
  answers(file, [&] {
    std::visit(
        [](const auto& pair) {
          require_finite(pair.F);
          require_finite(pair.G);
          require(pair.F.cols() == pair.G.cols(), "F and G do not fit together");
        },
        read_pair(file));
  });
  answers(file, [&] {
    const PairHead head = read_pair_head(file);
    if (head.type == ScalarType::d) read_pair_columns<double>(file, {0, head.n - 1});
    if (head.type == ScalarType::z) read_pair_columns<std::complex<double>>(file, {0, head.n - 1});
  });
}

}  // namespace pivotlab::fuzz
