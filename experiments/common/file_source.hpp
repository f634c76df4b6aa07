// Files as sources of problems.
#pragma once

#include <filesystem>
#include <pivotlab/io.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The path, a leading $NAME replaced by the value of that environment variable, so that a case does not depend on
/// where data lie. Throws InputError naming the generator if it is not set.
std::string expand_variable(std::string_view path, std::string_view generator);

/// What generators begin with that are files of one matrix.
inline constexpr std::string_view file_prefix = "file:";

/// A matrix that was read, as a complex one.
Matrix<std::complex<double>> to_complex(AnyMatrix matrix);

/// The file itself of "a.h5:/dataset".
std::filesystem::path without_dataset(const std::string& path);

}  // namespace pivotlab::experiments
