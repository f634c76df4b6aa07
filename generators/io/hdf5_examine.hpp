// SPDX-License-Identifier: BSD-3-Clause
// Finds matrices in an HDF5 file by libhdf5, in this process.
#pragma once

#include <filesystem>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// Examines a file. `descriptor` is the file, open for reading, of `size` bytes; `file` is its name in messages. Throws
/// InputError if it cannot be opened as an HDF5 file. The size of storage is checked: all ranges of the map are within
/// the file and as large as the shape requires. Elements are not read, except those that are stored in headers.
FileMap examine(int descriptor, std::uint64_t size, const std::filesystem::path& file, const Wanted& wanted);

}  // namespace pivotlab::io::hdf5
