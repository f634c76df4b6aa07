// What every reader and writer checks, and how it says that something is wrong: one line with file, place and remedy.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/packed_triangle.hpp>
#include <pivotlab/scalar.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pivotlab::io {

/// Throws InputError("<file>: <place>: <what>; <remedy>"); an empty place is left out, another one made printable.
[[noreturn]] void fail(const std::filesystem::path& file, std::string_view place, std::string_view what,
                       std::string_view remedy);

/// Names from a file as they may stand in a message: '?' for what is not printable ASCII.
std::string in_ascii(std::string_view text);

/// Text from a file as it may stand in a message: quoted, at most 32 characters, nothing that is not printable ASCII.
std::string printable(std::string_view text);

/// Throws InputError unless the file is there, regular and readable; gives its size in bytes.
std::uint64_t require_readable(const std::filesystem::path& file);

/// Bytes that what is read may take: those that are free now, unless a MemoryLimit is in force.
std::uint64_t memory_limit();

/// Lowers memory_limit() while it lives; for tests and fuzzing, not for threads.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  std::uint64_t previous_;
};

/// Throws InputError unless rows, cols ≥ 1 and rows × cols × bytes_per_entry is within memory_limit().
void require_fits(const std::filesystem::path& file, std::string_view place, std::uint64_t rows, std::uint64_t cols,
                  std::uint64_t bytes_per_entry);

/// Throws InputError unless `bytes`, which `what` needs, are within memory_limit().
void require_memory(const std::filesystem::path& file, std::string_view place, std::string_view what, double bytes);

/// Throws InputError naming the first entry, by columns, that is NaN or infinite.
template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, MatrixView<const T> A);
/// The same of a triangle; `upper`: the file has it as the upper one.
template <class T>
void require_finite(const std::filesystem::path& file, std::string_view place, const PackedTriangle<T>& A, bool upper);

}  // namespace pivotlab::io
