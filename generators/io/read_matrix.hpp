// Reading by what a file is, for readers that look first whether it is theirs.
#pragma once

#include <pivotlab/io.hpp>

#include <filesystem>

namespace pivotlab::io {

/// read_triangle() of a file that write_symmetric() has not written; of Hermitian matrices any diagonal.
AnyTriangle read_foreign_triangle(const std::filesystem::path& file, InputTriangle triangle,
                                  pivotlab::Symmetry symmetry);

/// Throws InputError unless rows = cols.
void require_square(const std::filesystem::path& file, Index rows, Index cols);

}  // namespace pivotlab::io
