// Cache of large generated problems in a folder, because generating them takes much longer than reading them.
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <string_view>

namespace pivotlab::experiments {

/// A problem with at least this many elements is kept in the cache.
inline constexpr std::ptrdiff_t cached_elements = std::ptrdiff_t{2} * 256 * 256;

/// <cache>/<key>-<commit>.h5; the commit is in the name because another version may generate other bits.
std::filesystem::path cache_file(const std::filesystem::path& cache, std::string_view key);

/// Returns the name of a file beside `file` that only this process uses.
std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// Reads the problem from `file`, or makes it with make() and writes it there. The cache never causes a case to fail: a
/// problem that cannot be read is made, and an error of writing is ignored.
template <class Read, class Make, class Write>
auto cached(const std::filesystem::path& file, Read read, Make make, Write write) -> decltype(make()) {
  namespace fs = std::filesystem;
  std::error_code error;
  try {
    if (fs::exists(file)) return read(file);
  } catch (const std::exception&) {
  }
  auto problem = make();
  const fs::path temporary = temporary_beside(file);
  try {
    fs::create_directories(file.parent_path());
    write(temporary, problem);
    fs::rename(temporary, file);
  } catch (const std::exception&) {
    fs::remove(temporary, error);
  }
  return problem;
}

}  // namespace pivotlab::experiments
