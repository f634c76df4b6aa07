// Files as sources of problems.
#pragma once

#include <filesystem>
#include <pivotlab/io.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Returns the path with a leading $NAME replaced by the value of that environment variable, so that a case does not
/// depend on where the data are. Throws InputError naming the generator if it is not set.
std::string expand_variable(std::string_view path, std::string_view generator);

/// Prefix of generators that are files of one matrix.
inline constexpr std::string_view file_prefix = "file:";

/// A matrix that was read, as a complex one.
Matrix<std::complex<double>> to_complex(AnyMatrix matrix);

/// Returns the file name "a.h5" of "a.h5:/dataset".
std::filesystem::path without_dataset(const std::string& path);

}  // namespace pivotlab::experiments
