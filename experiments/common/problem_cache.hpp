// Large generated problems stay in a folder, because making them takes longer than reading them by far.
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <string_view>

namespace pivotlab::experiments {

/// From so many elements on a problem is kept.
inline constexpr std::ptrdiff_t cached_elements = std::ptrdiff_t{2} * 256 * 256;

/// <cache>/<key>-<commit>.h5; the commit is in the name because another version may generate other bits.
std::filesystem::path cache_file(const std::filesystem::path& cache, std::string_view key);

/// A file beside `file` that is this process's own.
std::filesystem::path temporary_beside(const std::filesystem::path& file);

/// The problem in `file`, or what make() makes, which is kept there. A cache must never be the reason that a case
/// fails: what cannot be read is made, what cannot be kept is not.
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
