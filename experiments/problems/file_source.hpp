// SPDX-License-Identifier: BSD-3-Clause
// Files as sources of problems.
#pragma once

#include <cstddef>
#include <filesystem>
#include <pivotlab/io.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Returns the path with a leading $NAME replaced by the value of that environment variable, so that a case does not
/// depend on where the data are. Throws InputError naming the generator if it is not set.
std::string expand_variable(std::string_view path, std::string_view generator);

/// A kind of generator that reads files, "files:F,G".
struct FileSource {
  std::string_view name;            ///< "files"
  std::string_view files;           ///< "F,G", what follows the colon
  std::string_view summary;         ///< one line for `pivotlab list generators`
  std::size_t least = 1, most = 1;  ///< number of files
  bool permuted = false;            ///< whether the seed permutes what the files contain
};

/// Returns the source whose name and a colon begin the generator; null if it is a generator of another kind.
const FileSource* find_source(std::span<const FileSource> sources, std::string_view generator);

/// Throws InputError for a generator that reads files, with which a command makes no problem.
void require_no_files(std::span<const FileSource> sources, std::string_view generator);

/// Returns the path "G" of a generator "file:G" that reads one file, with its variable replaced.
std::string path_of(std::string_view generator);

/// A matrix that was read, as a complex one.
Matrix<std::complex<double>> to_complex(AnyMatrix matrix);

/// Returns the file name "a.h5" of "a.h5:/dataset".
std::filesystem::path without_dataset(const std::string& path);

/// Returns the XXH3-128 digest of a file's bytes, or of several files' digests one after another; a path may name a
/// dataset of a file. Throws InputError for a file that cannot be read.
std::string digest_of_files(const std::vector<std::string>& paths);

}  // namespace pivotlab::experiments
