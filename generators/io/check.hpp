// SPDX-License-Identifier: BSD-3-Clause
// Checks common to all readers and writers. Their errors are one line with file, place and remedy.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/packed_triangle.hpp>
#include <pivotlab/scalar.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pivotlab::io {

/// Throws InputError("<file>: <place>: <what>; <remedy>"); an empty place is omitted, another one is made printable.
[[noreturn]] void fail(const std::filesystem::path& file, std::string_view place, std::string_view what,
                       std::string_view remedy);

/// Makes names from a file safe for a message: '?' replaces characters that are not printable ASCII.
std::string in_ascii(std::string_view text);

/// Makes text from a file safe for a message: quoted, at most 32 characters, printable ASCII only.
std::string printable(std::string_view text);

/// Throws InputError unless the file exists, is regular and is readable. Returns its size in bytes.
std::uint64_t require_readable(const std::filesystem::path& file);

/// Returns the bytes that input may use: the free memory, unless a MemoryLimit is active.
std::uint64_t memory_limit();

/// Lowers memory_limit() during its lifetime; for tests and fuzzing, not for threads.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::uint64_t previous_;
};

/// Throws InputError unless rows, cols ≥ 1: readers and writers of all formats refuse matrices without elements.
void require_elements(const std::filesystem::path& file, std::string_view place, Index rows, Index cols);

/// Throws InputError unless rows, cols ≥ 1 and rows × cols × bytes_per_entry is within memory_limit().
void require_fits(const std::filesystem::path& file, std::string_view place, std::uint64_t rows, std::uint64_t cols,
                  std::uint64_t bytes_per_entry);

/// Throws InputError unless `bytes`, which `what` needs, are within memory_limit().
void require_memory(const std::filesystem::path& file, std::string_view place, std::string_view what, double bytes);

/// Throws InputError with the first entry, by columns, that is NaN or infinite.
template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, MatrixView<const T> A);
/// Checks a triangle in the same way; `upper`: the file has it as the upper one.
template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, const PackedTriangle<T>& A, bool upper);

}  // namespace pivotlab::io
