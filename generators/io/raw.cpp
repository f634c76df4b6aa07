// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "generators/io/check.hpp"
#include "support/files/atomic_file.hpp"

#include <pivotlab/io.hpp>

namespace pivotlab {
namespace {

std::filesystem::path with_suffix(std::filesystem::path stem, const char* suffix) {
  return stem += suffix;
}

/// Returns the possible shapes of a file with this number of entries, for a message.
std::string guess_shapes(std::uint64_t entries, std::uint64_t cols) {
  std::string guess;
  if (entries % cols == 0) guess = fmt::format(", which fits {} x {}", entries / cols, cols);
  const auto order = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(entries))));
  if (order != cols && order * order == entries)
    guess += fmt::format("{} {} x {}", guess.empty() ? ", which fits" : " or", order, order);
  return guess;
}

template <class T>
Matrix<T> read_raw(const std::filesystem::path& file, Index rows, Index cols) {
  const auto found = io::require_readable(file);
  io::require_fits(file, "", static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols), sizeof(T));
  const auto expected = static_cast<std::uint64_t>(rows * cols) * sizeof(T);
  if (found != expected)
    io::fail(
        file, "",
        fmt::format("holds {} bytes{}, but a {} {} x {} matrix takes {}", found,
                    found % sizeof(T) == 0 ? guess_shapes(found / sizeof(T), static_cast<std::uint64_t>(cols)) : "",
                    is_complex<T> ? "complex" : "real", rows, cols, expected),
        "give the shape and the type that it was written with");
  Matrix<T> A(rows, cols);
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(A.data()), static_cast<std::streamsize>(expected)))
    io::fail(file, "", "cannot be read to its end", "check the file system");
  io::require_finite(file, "", std::as_const(A).view());
  return A;
}

template <class T>
Pair<T> read_pair_of(const std::filesystem::path& stem, Index m_f, Index m_g, Index n) {
  return {read_raw<T>(with_suffix(stem, ".Y"), m_f, n),
          read_raw<T>(with_suffix(stem, ".W"), m_g, n),
          {},
          "raw " + stem.string()};
}

template <class T>
void write_raw(AtomicFile& file, const Matrix<T>& A) {
  io::require_elements(file.target(), "", A.rows(), A.cols());
  io::require_finite(file.target(), "", A.view());
  file.write(A.data(), static_cast<std::size_t>(A.size()) * sizeof(T));
}

}  // namespace

AnyPair read_raw_pair(const std::filesystem::path& stem, ScalarType type, Index m_f, Index m_g, Index n) {
  if (m_f < 1 || m_g < 1 || n < 1)
    io::fail(stem, "", fmt::format("F is {0} x {2} and G is {1} x {2}", m_f, m_g, n), "give a positive shape");
  if (type == ScalarType::z) return read_pair_of<std::complex<double>>(stem, m_f, m_g, n);
  return read_pair_of<double>(stem, m_f, m_g, n);
}

void write_raw_pair(const std::filesystem::path& stem, const AnyPair& pair) {
  std::visit(
      [&](const auto& p) {
        AtomicFile Y(with_suffix(stem, ".Y")), W(with_suffix(stem, ".W"));
        write_raw(Y, p.F);
        write_raw(W, p.G);
        Y.commit();
        W.commit();
      },
      pair);
}

}  // namespace pivotlab
