// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files of NumPy's format npy.
#pragma once

#include <experiments/own/answer.hpp>
#include <filesystem>

namespace pivotlab::experiments {

/// Writes version 1.0 with fortran_order True.
void write_npy(const std::filesystem::path& file, const OwnInput& input);

/// Reads an array of float64, complex128, or integers of 4 or 8 bytes, in either order of elements. Throws InputError
/// "<file>: …".
OwnArray read_npy(const std::filesystem::path& file);

}  // namespace pivotlab::experiments
