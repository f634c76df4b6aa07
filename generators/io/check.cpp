// SPDX-License-Identifier: BSD-3-Clause
#include "generators/io/check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "support/files/memory.hpp"

namespace pivotlab::io {
namespace {

std::uint64_t limit_in_force = 0;  // 0: the free memory

template <class R>
bool is_finite(const R& x) {
  return std::isfinite(x);
}
template <class R>
bool is_finite(const std::complex<R>& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

[[noreturn]] void fail_not_finite(const std::filesystem::path& file, std::string_view place, Index row, Index col) {
  fail(file, place, fmt::format("the entry in row {}, column {} is NaN or infinite", row + 1, col + 1),
       "give a matrix of finite numbers");
}

}  // namespace

void fail(const std::filesystem::path& file, std::string_view place, std::string_view what, std::string_view remedy) {
  throw InputError(
      fmt::format("{}: {}{}{}; {}", file.string(), in_ascii(place), place.empty() ? "" : ": ", what, remedy));
}

std::string in_ascii(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 32;
  return fmt::format("'{}{}'", in_ascii(text.substr(0, longest)), text.size() > longest ? "..." : "");
}

std::uint64_t require_readable(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) fail(file, "", "there is no such file", "check the name");
  if (!std::filesystem::is_regular_file(status)) fail(file, "", "is not a regular file", "give the name of a file");
  if (::access(file.c_str(), R_OK) != 0) fail(file, "", "may not be read", "change its permissions");
  const auto size = std::filesystem::file_size(file, error);
  if (error) fail(file, "", error.message(), "check the file system");
  if (size == 0) fail(file, "", "the file is empty", "write it again");
  return size;
}

std::uint64_t memory_limit() {
  if (limit_in_force != 0) return limit_in_force;
  constexpr double largest = 0x1p62;
  return static_cast<std::uint64_t>(std::min(available_memory(), largest));
}

MemoryLimit::MemoryLimit(std::uint64_t bytes) : previous_(std::exchange(limit_in_force, bytes)) {}
MemoryLimit::~MemoryLimit() {
  limit_in_force = previous_;
}

void require_elements(const std::filesystem::path& file, std::string_view place, Index rows, Index cols) {
  if (rows == 0 || cols == 0)
    fail(file, place, fmt::format("the matrix is empty ({} x {})", rows, cols),
         "give one with at least one row and one column");
}

void require_fits(const std::filesystem::path& file, std::string_view place, std::uint64_t rows, std::uint64_t cols,
                  std::uint64_t bytes_per_entry) {
  require_elements(file, place, static_cast<Index>(rows), static_cast<Index>(cols));
  require_memory(file, place, fmt::format("a dense {} x {} matrix", rows, cols),
                 static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(bytes_per_entry));
}

void require_memory(const std::filesystem::path& file, std::string_view place, std::string_view what, double bytes) {
  const auto limit = static_cast<double>(memory_limit());
  if (bytes > limit)
    fail(file, place, fmt::format("{} needs {:.3g} GB and {:.3g} GB are free", what, 1e-9 * bytes, 1e-9 * limit),
         "give a smaller matrix, free memory or use a larger machine");
}

template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, MatrixView<const T> A) {
  for (Index j = 0; j < A.cols; ++j) {
    const auto column = A.col(j);
    const auto bad = std::find_if_not(column.begin(), column.end(), [](const T& x) { return is_finite(x); });
    if (bad != column.end()) fail_not_finite(file, place, bad - column.begin(), j);
  }
}

template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, const PackedTriangle<T>& A, bool upper) {
  for (Index j = 0; j < A.order(); ++j)
    for (Index i = j; i < A.order(); ++i)
      if (!is_finite(i == j ? A.diagonal(j) : A.column(j)[i]))
        fail_not_finite(file, place, upper ? j : i, upper ? i : j);
}

template void require_finite(const std::filesystem::path&, std::string_view, MatrixView<const double>);
template void require_finite(const std::filesystem::path&, std::string_view, MatrixView<const std::complex<double>>);
template void require_finite(const std::filesystem::path&, std::string_view, const PackedTriangle<double>&, bool);
template void require_finite(const std::filesystem::path&, std::string_view,
                             const PackedTriangle<std::complex<double>>&, bool);

}  // namespace pivotlab::io
