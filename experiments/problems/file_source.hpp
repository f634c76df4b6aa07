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

constexpr FileSource one_file(std::string_view matrix) {
  return {"file", matrix,
          "Matrix Market or HDF5 (a.h5, a.h5:/dataset), a folder or a name with * for all such files; a path may begin "
          "with $NAME, an environment variable"};
}

inline constexpr FileSource from_collection{
    "suitesparse", "A",
    "GROUP/NAME of the SuiteSparse collection (pivotlab data), or conditions for several: n<2000,symmetric,indefinite"};

/// Returns the source whose name and a colon begin the generator; null if it is a generator of another kind.
const FileSource* find_source(std::span<const FileSource> sources, std::string_view generator);

/// Throws InputError for a generator that reads files, with which a command makes no problem.
void require_no_files(std::span<const FileSource> sources, std::string_view generator);

/// Returns the path "G" of a generator "file:G" that reads one file, with its variable replaced; of
/// "suitesparse:GROUP/NAME" that of the matrix on this machine.
std::string path_of(std::string_view generator);

/// Returns the generators that an item of the axis stands for: "file:FOLDER" one for each file of matrices in it,
/// "file:*.mtx" one for each file of such a name, a query of the collection (collection.hpp) one for each matrix,
/// anything else what its pattern stands for. Throws InputError if there is none.
std::vector<std::string> expand_generator(std::string_view item);

/// A matrix that was read, as a complex one.
Matrix<std::complex<double>> to_complex(AnyMatrix matrix);

/// Returns the file name "a.h5" of "a.h5:/dataset".
std::filesystem::path without_dataset(const std::string& path);

/// Returns the XXH3-128 digest of a file's bytes, or of several files' digests one after another; a path may name a
/// dataset of a file. Throws InputError for a file that cannot be read.
std::string digest_of_files(const std::vector<std::string>& paths);

}  // namespace pivotlab::experiments
