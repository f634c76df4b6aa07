// Finds matrices in an HDF5 file by libhdf5, in this process.
#pragma once

#include <filesystem>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// `descriptor`: the file, open for reading, of `size` bytes; `file` is its name in messages. Throws InputError if it
/// cannot be opened as an HDF5 file. Storage is judged by its size: what the map tells lies within the file and is as
/// large as the shape needs. Elements are not read but those that lie in headers.
FileMap examine(int descriptor, std::uint64_t size, const std::filesystem::path& file, const Wanted& wanted);

}  // namespace pivotlab::io::hdf5
