// SPDX-License-Identifier: BSD-3-Clause
// Matrices of the SuiteSparse collection by name, "suitesparse:HB/lund_a", and by what they are,
// "suitesparse:n<2000,symmetric". Their files are in folders of this machine, which `pivotlab data fetch` fills.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

inline constexpr std::string_view collection_mark = "suitesparse:";

/// A line of an index: suitesparse.csv of the analysis, and ssstats.csv of the collection itself, if it has been
/// fetched.
struct CollectionEntry {
  std::string name;  ///< "HB/lund_a"
  std::int64_t rows = 0, cols = 0, entries = 0;
  bool is_real = true, is_symmetric = false;  ///< equal to its transpose, or to its conjugate transpose
  std::string definiteness = {};  ///< definite, semidefinite, indefinite (in ssstats.csv: not definite); empty: unknown
  std::string digest = {};  ///< of its elements in the copy that published records are of (collection.py); may be empty
};

/// Returns all entries of the indices; those with a digest first.
std::vector<CollectionEntry> read_collection();

/// Returns the entries that meet all conditions, which commas separate: n, m or nnz with < <= > >= = and a number;
/// real, complex, square, symmetric, unsymmetric, definite, indefinite; or a name, GROUP/NAME with * and ?. A name
/// without them need not be in an index. Throws InputError for other conditions, and if no entry meets them.
std::vector<CollectionEntry> find_in_collection(std::string_view query);

/// Returns the folder into which matrices are fetched: $PIVOTLAB_DATA, else $XDG_CACHE_HOME/pivotlab, else
/// ~/.cache/pivotlab.
std::filesystem::path data_folder();

/// Returns the file of a matrix: <folder>/suitesparse/GROUP/NAME.mtx or .mtx.gz, or NAME.mtx or .mtx.gz in the folder
/// itself; empty if there is none.
std::filesystem::path find_in_data(std::string_view name);

/// Returns the same; throws InputError that says how to get the file.
std::filesystem::path file_in_collection(std::string_view name);

}  // namespace pivotlab::experiments
