// SPDX-License-Identifier: BSD-3-Clause
// Reversal of the filters of chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// Replaces the bytes of a chunk, as stored, by its elements. `skipped`: bit k says that filter k has not been applied.
/// Returns the error, or an empty text if the result has `expected` bytes. HDF5 File Format Specification 3.0, section
/// IV.A.2.l; the checksum is Fletcher's of 16-bit words.
std::string undo_filters(const std::vector<Filter>& filters, std::uint64_t skipped, std::size_t element_bytes,
                         std::size_t expected, std::string& bytes);

}  // namespace pivotlab::io::hdf5
