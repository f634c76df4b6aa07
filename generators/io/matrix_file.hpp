// SPDX-License-Identifier: BSD-3-Clause
// HDF5 files with one matrix, for programs that read no Matrix Market.
#pragma once

#include <pivotlab/any_matrix.hpp>

#include <filesystem>
#include <string>

namespace pivotlab::io {

/// Writes a matrix of any shape as the only dataset of a file, which read_matrix() reads. Throws InputError if the file
/// cannot be written.
void write_matrix_file(const std::filesystem::path& file, const std::string& dataset, const AnyMatrix& matrix);

}  // namespace pivotlab::io
